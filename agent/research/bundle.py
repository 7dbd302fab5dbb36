"""
Tell every step of a report as JSON, for whoever looks for its defects.

Each step has its `detail_code` first. No key and no text of a page is in it; words of
the question and of queries only if the operator lets them be logged.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from agent.research.events import (
    GatheringEnded,
    PageEnded,
    PageStarted,
    PlanDecided,
    QueryEnded,
    QueryStarted,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    SectionQuoted,
    SectionRewritten,
)
from agent.research.report import Report
from untrusted.urls import domain_of
from websearch import SearchError

VERSION: Final = 1


def as_bundle(
    report: Report, events: Sequence[ReportEvent], *, log_queries: bool = False
) -> dict[str, Any]:
    """The bundle of a run: failed steps by their codes, all steps, the budget."""
    steps = steps_of(events, log_queries=log_queries)
    codes = [step["detail_code"] for step in steps if step["detail_code"]]
    return {
        "detail_codes": {code: codes.count(code) for code in dict.fromkeys(codes)},
        "version": VERSION,
        "ended": report.ended,
        "question": _words(report.question, log_queries=log_queries),
        "budget": {
            "searches": report.budget.searches,
            "pages": report.budget.pages,
            "seconds": report.budget.seconds,
            "tokens": report.budget.tokens,
        },
        "spent": {
            "searches": report.spent.searches,
            "pages": report.spent.pages,
            "seconds": round(report.spent.seconds, 3),
            "tokens": report.spent.tokens,
        },
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


def steps_of(
    events: Sequence[ReportEvent], *, log_queries: bool = False
) -> list[dict[str, Any]]:
    """The steps that have ended, each with its `detail_code` first."""
    told = [_step(event, log_queries=log_queries) for event in events]
    return [step for step in [*told, *_interrupted(events)] if step]


def _interrupted(events: Sequence[ReportEvent]) -> Iterator[dict[str, Any]]:
    """The searches and pages that had not ended when the gathering did."""
    reason = next((one.reason for one in events if isinstance(one, GatheringEnded)), "")
    kinds = (("search", QueryStarted, QueryEnded), ("page", PageStarted, PageEnded))
    for step, begins, ends in kinds if reason else ():
        ended = {one.call for one in events if isinstance(one, ends)}
        for one in events:
            if isinstance(one, begins) and one.call not in ended:
                told = {"detail_code": reason, "step": step, "call": one.call}
                yield {**told, "status": "interrupted"}


def _step(event: ReportEvent, *, log_queries: bool) -> dict[str, Any]:
    match event:
        case PlanDecided(plan, took_ms):
            lines = [_words(one.text, log_queries=log_queries) for one in plan.lines]
            told = _told("plan", took_ms, code=plan.problem)
            return {**told, "origin": plan.origin, "lines": lines}
        case QueryEnded():
            return _query(event, log_queries=log_queries)
        case PageEnded():
            return _page(event)
        case GatheringEnded(reason, took_ms):
            return _told("gathering", took_ms, status=reason)
        case SectionQuoted(number, section):
            count = len(section.statements)
            return _told("quoting", 0, section=number, statements=count)
        case ReportQuoted(_, took_ms) | ReportFinished(_, took_ms):
            name = "quoted" if isinstance(event, ReportQuoted) else "finished"
            return _told(name, took_ms)
        case SectionRewritten():
            return _told(
                "rewriting",
                event.took_ms,
                code=event.problem,
                section=event.number,
                passed=event.passed,
                refused=event.refused,
            )
    return {}


def _query(event: QueryEnded, *, log_queries: bool) -> dict[str, Any]:
    return _told(
        "search",
        event.took_ms,
        event.error,
        call=event.call,
        line=event.line,
        query=_words(event.query, log_queries=log_queries),
        provider=event.provider or (event.error.provider if event.error else ""),
        found=event.found,
        new=event.new,
        cached=event.cached,
        problems=[
            {"detail_code": one.detail_code, "type": one.code, "provider": one.provider}
            for one in event.problems
        ],
    )


def _page(event: PageEnded) -> dict[str, Any]:
    return _told(
        "page",
        event.took_ms,
        event.error,
        call=event.call,
        domain=domain_of(event.url),
        address_sha256=sha256(event.url.encode(errors="replace")).hexdigest(),
        characters=event.characters,
        text_sha256=event.digest,
        is_double=event.is_double,
    )


def _told(
    step: str,
    took_ms: int,
    error: SearchError | None = None,
    *,
    code: str | None = None,
    **facts: object,
) -> dict[str, Any]:
    found = (error.detail_code or error.code) if error else code
    told = {"detail_code": found, "step": step, "took_ms": took_ms}
    if error:
        told |= {"status": error.code, "retryable": error.retryable}
    return {**told, "status": told.get("status", "ok"), **facts}


def _words(words: str, *, log_queries: bool) -> Mapping[str, Any]:
    """The length of the user's or the model's words; the words only if allowed."""
    return {"length": len(words), **({"words": words} if log_queries else {})}
