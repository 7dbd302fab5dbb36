"""`python -m agent report`: progress on standard error, the report in a file or out."""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from agent.events import ReadingFinished, SearchFailed, SearchFinished
from agent.research.budget import LIMITS
from agent.research.bundle import as_bundle
from agent.research.files import as_html, as_markdown
from agent.research.report import (
    Ended,
    NoReport,
    PlanDecided,
    Report,
    ReportEvent,
    ReportQuoted,
    RewritingStarted,
    SectionRewritten,
)
from agent.research.run import ReportRun, checked_question
from agent.resources import Resources
from agent.session import open_session
from untrusted.text import one_line
from untrusted.urls import domain_of
from websearch import InvalidInput

WRITTEN: Final = 0
NOTHING: Final = 1  # no report, one without a quotation, or a file not written
STOPPED: Final = 128  # and the number of the signal

_SHOWN: Final = 70


def add_report(commands: Any) -> argparse.ArgumentParser:
    """Add the command, and return its parser."""
    report: argparse.ArgumentParser = commands.add_parser(
        "report", help="write a research report from pages that are read"
    )
    report.add_argument("question", metavar="QUESTION")
    report.add_argument(
        "--out", type=_out_file, metavar="FILE", help="report.md or report.html"
    )
    report.add_argument(
        "--bundle", type=Path, metavar="FILE", help="every step as JSON, for defects"
    )
    for name in LIMITS:
        report.add_argument(
            f"--{name}", type=int, metavar="N", help=f"at most N {name}"
        )
    report.set_defaults(run=_report)
    return report


async def _report(arguments: argparse.Namespace) -> int:
    from rich.console import Console  # noqa: PLC0415  heavy

    question = checked_question(arguments.question)
    files = [file for file in (arguments.out, arguments.bundle) if file]
    for file in files:  # before minutes are spent on it
        if file.is_dir() or not file.parent.is_dir():
            raise InvalidInput("--out and --bundle name a file in a folder that exists")
        if not os.access(file if file.exists() else file.parent, os.W_OK):
            raise InvalidInput("--out and --bundle need a place that can be written")
    if len(files) > len({file.resolve() for file in files}):
        raise InvalidInput("--out and --bundle name two files")
    resources = Resources.load()
    try:
        changes = {name: getattr(arguments, name) for name in LIMITS}
        budget = resources.research.budget(**changes)
        await resources.models.refresh()
        run = open_session(resources).report(question, budget)
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        console.print(
            f"At most {budget.searches} searches, {budget.pages} pages, "
            f"{budget.seconds} s of both, {budget.tokens:,} tokens"
        )
        try:
            with _stopped_by_signal(run.stop) as signals, console.status("…") as status:
                async for event in run.follow():
                    if line := _line(event, run.report):
                        console.print(line, markup=False)
                    spent = run.report.spending.items()
                    status.update(" · ".join(f"{part} {of}" for part, of in spent))
        finally:
            await run.aclose()
        is_written = _deliver(
            run, arguments, log_queries=resources.settings.log_queries
        )
    finally:
        await resources.aclose()
    if signals:
        return STOPPED + signals[0]
    return WRITTEN if is_written and run.report.answered else NOTHING


def _line(event: ReportEvent, report: Report) -> str:
    match event:
        case PlanDecided(plan):
            lines = [f"  {n}. {one.text}" for n, one in enumerate(plan.lines, start=1)]
            return "\n".join([f"Plan ({plan.origin}):", *lines])
        case SearchFinished() | SearchFailed():
            place = f"Search {int(event.call) + 1} of at most {report.budget.searches}"
            words = f"“{one_line(event.query, _SHOWN)}”"
            if isinstance(event, SearchFailed):
                return f"{place}: {words} failed: {event.error}"
            counts = f"{len(event.sources)} results, {event.new} new"
            return f"{place}: {words} {counts}, {event.took_ms / 1000:.1f} s"
        case ReadingFinished((page,), took_ms, call):
            place = f"Page {int(call) + 1} of at most {report.budget.pages}"
            name = domain_of(page.source.url)
            if page.error is not None:
                return f"{place}: {name} was not read: {page.error}"
            double = ", a text that is known already" if page.is_double else ""
            size = f"{page.characters:,} characters"
            return f"{place}: {name}, {size}, {took_ms / 1000:.1f} s{double}"
        case ReportQuoted(quoted):
            count = sum(len(section.statements) for section in quoted.sections)
            answered = f"{len(quoted.answered)} of {len(quoted.sections)}"
            return f"Quoted: {count} quotations for {answered} sub-questions"
        case RewritingStarted(number):
            return f"Rewriting section {number + 1} of {len(report.sections)}"
        case SectionRewritten(passed=passed, refused=refused, problem=problem):
            if problem is not None and not passed:
                return f"  the model failed ({problem}): its quotations stay"
            return f"  {passed} sentences passed the check, {refused} did not"
    return ""


def _deliver(
    run: ReportRun, arguments: argparse.Namespace, *, log_queries: bool
) -> bool:
    """Write the files, or print the report; what can't be written is printed."""
    report = run.report
    bundle = as_bundle(run, log_queries=log_queries)
    encoded = json.dumps(bundle, ensure_ascii=False, indent=2) + "\n"
    is_written = arguments.bundle is None or _write(arguments.bundle, encoded)
    if report.ended is Ended.SAMPLES:
        raise NoReport
    out: Path | None = arguments.out
    is_page = out is not None and out.suffix == ".html"
    words = as_html(report) if is_page else as_markdown(report)
    if out is not None and out.is_file() and not report.answered:
        print(f"{out} was kept: the new report quotes nothing", file=sys.stderr)
        out, is_written = None, False
    if out is None or not _write(out, words):
        print(as_markdown(report), end="")
        return is_written and out is None
    print(f"Written: {out}", file=sys.stderr)
    return is_written


def _write(file: Path, words: str) -> bool:
    """Write the file; False where that fails."""
    try:
        file.write_text(words, "utf-8", errors="replace")
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "unknown"
        print(f"{file} could not be written: {reason}", file=sys.stderr)
        return False
    return True


def _out_file(text: str) -> Path:
    if Path(text).suffix not in {".md", ".html"}:
        raise argparse.ArgumentTypeError("name a file that ends in .md or .html")
    return Path(text)


@contextmanager
def _stopped_by_signal(stop: Callable[[], None]) -> Iterator[list[int]]:
    """Let the first Ctrl-C or SIGTERM stop the report, which is then written."""
    signals: list[int] = []
    loop = asyncio.get_running_loop()
    known = (signal.SIGINT, signal.SIGTERM)

    def stop_once(number: int) -> None:
        signals.append(number)
        for one in known:
            loop.remove_signal_handler(one)  # a second one ends the command
        stop()

    with suppress(NotImplementedError):  # on Windows Ctrl-C ends the command
        for one in known:
            loop.add_signal_handler(one, stop_once, one)
    try:
        yield signals
    finally:
        with suppress(NotImplementedError):
            for one in known:
                loop.remove_signal_handler(one)
