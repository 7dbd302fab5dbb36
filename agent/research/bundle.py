"""
Tell every step of a report as JSON, for whoever looks for its defects.

Each step has its `detail_code` first. No key and no text of a page is in it; words of
the question and of queries only if the operator lets them be logged.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any, Final

from agent.events import ReadingFinished, SearchFailed, SearchFinished
from agent.research.report import (
    GatheringEnded,
    PlanDecided,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    SectionRewritten,
    SectionsQuoted,
)
from agent.research.run import ReportRun
from untrusted.urls import domain_of
from websearch import SearchError

VERSION: Final = 1


def as_bundle(run: ReportRun, *, log_queries: bool = False) -> dict[str, Any]:
    """The bundle of a run: failed steps by their codes, all steps, the budget."""

    def words(text: str) -> Mapping[str, Any]:
        """The length of the user's or the model's words; the words only if allowed."""
        return {"length": len(text), **({"words": text} if log_queries else {})}

    report, progress = run.report, run.progress
    steps = [step for event in run.events for step in _steps(event, words)]
    if progress.ended:  # searches and pages that had not ended by then
        running: list[tuple[str, str]]
        running = [
            ("search", call) for call, (_, end) in progress.searches.items() if not end
        ]
        running += [
            ("page", call) for call, (_, end) in progress.pages.items() if not end
        ]
        steps += [
            {
                "detail_code": progress.ended,
                "step": step,
                "call": int(call),
                "status": "interrupted",
            }
            for step, call in running
        ]
    codes = [step["detail_code"] for step in steps if step["detail_code"]]
    return {
        "detail_codes": {code: codes.count(code) for code in dict.fromkeys(codes)},
        "version": VERSION,
        "ended": report.ended,
        "question": words(report.question),
        "budget": asdict(report.budget),
        "spent": {**asdict(report.spent), "seconds": round(report.spent.seconds, 3)},
        "sections": [
            {
                "statements": len(section.statements),
                "quoted": sum(statement.is_quoted for statement in section.statements),
            }
            for section in report.sections
        ],
        "differences": len(report.differences),
        "steps": steps,
    }


def _steps(
    event: ReportEvent, words: Callable[[str], Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the steps that *event* ends."""
    match event:
        case PlanDecided(plan, took_ms):
            step = _step("plan", took_ms, code=plan.problem)
            lines = [words(line.text) for line in plan.lines]
            yield {**step, "origin": plan.origin, "lines": lines}
        case SearchFinished() | SearchFailed():
            ok = event if isinstance(event, SearchFinished) else None
            error = event.error if isinstance(event, SearchFailed) else None
            yield {
                **_step("search", event.took_ms, error),
                "call": int(event.call),
                "line": event.line,
                "query": words(event.query),
                "provider": (ok.provider if ok else error and error.provider) or "",
                "found": len(ok.sources) if ok else 0,
                "new": ok.new if ok else 0,
                "cached": bool(ok and ok.cached),
                "problems": [
                    {
                        "detail_code": problem.detail_code,
                        "type": problem.code,
                        "provider": problem.provider,
                    }
                    for problem in (ok.problems if ok else ())
                ],
            }
        case ReadingFinished((page,)):
            url = page.source.url
            yield {
                **_step("page", page.took_ms, page.error),
                "call": int(event.call),
                "domain": domain_of(url),
                "address_sha256": sha256(url.encode(errors="replace")).hexdigest(),
                "characters": page.characters,
                "text_sha256": page.digest,
                "is_double": page.is_double,
            }
        case GatheringEnded(reason, took_ms):
            yield _step("gathering", took_ms, status=reason)
        case SectionsQuoted(sections):
            for number, section in enumerate(sections):
                count = len(section.statements)
                yield {**_step("quoting", 0), "section": number, "statements": count}
        case SectionRewritten(number, _, took_ms, passed, refused, problem):
            step = _step("rewriting", took_ms, code=problem)
            yield {**step, "section": number, "passed": passed, "refused": refused}
        case ReportQuoted(_, took_ms):
            yield _step("quoted", took_ms)
        case ReportFinished(took_ms):
            yield _step("finished", took_ms)


def _step(
    step: str,
    took_ms: int,
    error: SearchError | None = None,
    *,
    code: str | None = None,
    status: str = "ok",
) -> dict[str, Any]:
    """The fields of every step, the code of its failure first."""
    if error is not None:
        code, status = error.detail_code or error.code, error.code
    fields = {"detail_code": code, "step": step, "took_ms": took_ms, "status": status}
    return {**fields, **({"retryable": error.retryable} if error else {})}
