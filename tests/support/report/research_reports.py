"""Run a research report to its end, and check it line by line."""

import asyncio
import html
import re
from typing import Any, TypeVar
from urllib.parse import urlsplit

from support.report.research_web import ResearchWeb, stands_on
from support.waiting import PATIENCE

from agent import Session
from agent.events import (
    PageOutcome,
    ReadingFinished,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
)
from agent.research import Report, ReportRun
from agent.research.report import (
    MOST_POINTS,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    Section,
)

E = TypeVar("E")


async def finished(run: ReportRun) -> list[ReportEvent]:
    """All events of *run*."""
    async with asyncio.timeout(PATIENCE):
        return [event async for event in run.follow()]


async def reported(session: Session, question: str, **options: Any) -> ReportRun:
    """A report that is finished."""
    run = session.report(question, **options)
    await finished(run)
    return run


def of_kind(run: ReportRun, kind: type[E]) -> list[E]:
    """The events of a kind."""
    return [event for event in run.events if isinstance(event, kind)]


def searches(run: ReportRun) -> list[SearchStarted]:
    """The searches that have begun."""
    return of_kind(run, SearchStarted)


def searched(run: ReportRun) -> list[SearchFinished | SearchFailed]:
    """The searches that have ended."""
    return [e for e in run.events if isinstance(e, SearchFinished | SearchFailed)]


def opened(run: ReportRun) -> list[str]:
    """The addresses of the pages that were opened, in their order."""
    return [one.sources[0].url for one in of_kind(run, ReadingStarted)]


def read(run: ReportRun) -> list[PageOutcome]:
    """The pages whose reading has ended."""
    return [page for one in of_kind(run, ReadingFinished) for page in one.pages]


def texts(report: Report) -> list[str]:
    """The sentences of the sections."""
    return [one.text for section in report.sections for one in section.statements]


def paths(report: Report) -> dict[int, str]:
    """The path of each source."""
    return {number: urlsplit(one.url).path for number, one in report.sources.items()}


def check_report(run: ReportRun, web: ResearchWeb) -> None:
    """Fail unless each line of the report stands on what its numbers lead to."""
    report = run.report
    assert run.is_over
    assert isinstance(run.events[-1], ReportFinished)
    assert report.ended is not None
    assert report.spent.searches <= report.budget.searches
    assert report.spent.pages <= report.budget.pages
    assert report.spent.tokens <= report.budget.tokens
    for statement in report.statements:
        assert statement.text.strip()
        assert statement.numbers
        assert {*statement.numbers} == {*statement.evidence} <= {*report.sources}
        for number in statement.numbers:
            assert _stands(statement.evidence[number], report, number, web)
            assert statement.evidence[number] in _told(report, number)
        if statement.is_quoted:
            assert {*statement.evidence.values()} == {statement.text}
    said = [one for section in report.sections for one in section.statements]
    assert all(one in said for one in report.key_points)
    assert len(report.key_points) in {0, *range(2, MOST_POINTS + 1)}
    quoted = of_kind(run, ReportQuoted)
    for number, section in enumerate(report.sections):
        first = quoted[0].report.sections[number] if quoted else Section("")
        _check_rewriting(section, first)
        assert bool(section.statements) is bool(first.statements)


def _check_rewriting(section: Section, quoted: Section) -> None:
    """A rewritten sentence cites what it was given, and names no value beside it."""
    given: dict[int, str] = {}
    for one in quoted.statements:
        for number in one.numbers:
            given[number] = f"{given.get(number, '')}\n{one.text}"
    for statement in section.statements:
        if statement.is_quoted:
            assert statement in quoted.statements
            continue
        assert {*statement.numbers} <= {*given}
        source = "\n".join(given[number] for number in statement.numbers)
        for value in re.findall(r"\d[\d.,]*\d|\d", statement.text):
            assert value in source


def _stands(quote: str, report: Report, number: int, web: ResearchWeb) -> bool:
    made = web.pages[paths(report)[number]]
    if not report.sources[number].is_read:
        return stands_on(quote, made.snippet)
    # A reader of pages writes the signs of Markdown with a backslash before them.
    said = re.sub(r"\\([\\`*_\[\]<>|!#])", r"\1", quote)
    plain = made.whole
    if made.kind == "raw":
        plain = html.unescape(re.sub(r"<[^>]*>", "", made.text))
    rows = "".join(cell.strip() for cell in quote.split("|"))
    cells = "".join(cell.strip() for cell in made.text.replace("\n", "|").split("|"))
    return stands_on(said, plain) or ("|" in quote and stands_on(rows, cells))


def _told(report: Report, number: int) -> str:
    source = report.sources[number]
    return source.text if source.is_read else source.snippet
