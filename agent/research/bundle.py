"""
Tell every step of a report as JSON, for whoever looks for its defects.

Each step has its `detail_code` first. No key and no text of a page is in it; words of
the question and of queries only if the operator lets them be logged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any, Final

from agent.research.events import (
    GatheringEnded,
    PageStep,
    PlanDecided,
    Progress,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    SearchStep,
    SectionRewritten,
    SectionsQuoted,
)
from agent.research.run import ReportRun
from untrusted.urls import domain_of
from websearch import SearchError

VERSION: Final = 1


def as_bundle(run: ReportRun, *, log_queries: bool = False) -> dict[str, Any]:
    """The bundle of a run: failed steps by their codes, all steps, the budget."""
    report = run.report
    steps = [
        one for event in run.events for one in _steps(event, log_queries=log_queries)
    ]
    steps += _interrupted(run.progress)
    codes = [step["detail_code"] for step in steps if step["detail_code"]]
    return {
        "detail_codes": {code: codes.count(code) for code in dict.fromkeys(codes)},
        "version": VERSION,
        "ended": report.ended,
        "question": _words(report.question, log_queries=log_queries),
        "budget": asdict(report.budget),
        "spent": {**asdict(report.spent), "seconds": round(report.spent.seconds, 3)},
        "sections": [
            {
                "statements": len(one.statements),
                "quoted": sum(statement.is_quoted for statement in one.statements),
            }
            for one in report.sections
        ],
        "differences": len(report.differences),
        "steps": steps,
    }


def _interrupted(progress: Progress) -> Iterator[dict[str, Any]]:
    """The searches and pages that had not ended when the gathering did."""
    kinds = (("search", progress.searches), ("page", progress.pages))
    for step, calls in kinds if progress.ended else ():
        for call, one in calls.items():
            if one.took_ms is None:
                told = {"detail_code": progress.ended, "step": step, "call": call}
                yield {**told, "status": "interrupted"}


def _steps(event: ReportEvent, *, log_queries: bool) -> Iterator[dict[str, Any]]:
    match event:
        case PlanDecided(plan, took_ms):
            lines = [_words(one.text, log_queries=log_queries) for one in plan.lines]
            told = _told("plan", took_ms, code=plan.problem)
            yield {**told, "origin": plan.origin, "lines": lines}
        case SearchStep(took_ms=int(took_ms)):
            words = _words(event.query, log_queries=log_queries)
            yield {**_told("search", took_ms, event.error), **_search(event, words)}
        case PageStep(took_ms=int(took_ms)):
            yield {**_told("page", took_ms, event.error), **_page(event)}
        case GatheringEnded(reason, took_ms):
            yield _told("gathering", took_ms, status=reason)
        case _:
            yield from _written(event)


def _written(event: ReportEvent) -> Iterator[dict[str, Any]]:
    match event:
        case SectionsQuoted(sections):
            for number, section in enumerate(sections):
                count = len(section.statements)
                yield {**_told("quoting", 0), "section": number, "statements": count}
        case SectionRewritten(number, _, took_ms, passed, refused, problem):
            told = _told("rewriting", took_ms, code=problem)
            yield {**told, "section": number, "passed": passed, "refused": refused}
        case ReportQuoted(_, took_ms):
            yield _told("quoted", took_ms)
        case ReportFinished(took_ms):
            yield _told("finished", took_ms)


def _search(event: SearchStep, words: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "call": event.call,
        "line": event.line,
        "query": words,
        "provider": event.provider or (event.error.provider if event.error else ""),
        "found": event.found,
        "new": event.new,
        "cached": event.cached,
        "problems": [
            {"detail_code": one.detail_code, "type": one.code, "provider": one.provider}
            for one in event.problems
        ],
    }


def _page(event: PageStep) -> dict[str, Any]:
    return {
        "call": event.call,
        "domain": domain_of(event.url),
        "address_sha256": sha256(event.url.encode(errors="replace")).hexdigest(),
        "characters": event.characters,
        "text_sha256": event.digest,
        "is_double": event.is_double,
    }


def _told(
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
    told = {"detail_code": code, "step": step, "took_ms": took_ms, "status": status}
    return {**told, **({"retryable": error.retryable} if error else {})}


def _words(words: str, *, log_queries: bool) -> Mapping[str, Any]:
    """The length of the user's or the model's words; the words only if allowed."""
    return {"length": len(words), **({"words": words} if log_queries else {})}
