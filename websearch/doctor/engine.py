"""Diagnose an engine other than SearXNG by one test search."""

from collections.abc import Mapping, Sequence
from typing import Final

from websearch.advice import engine_title, facts_of_error
from websearch.browser.browser import Browser
from websearch.causes import Cause, cause_of
from websearch.doctor.diagnosis import (
    Check,
    Diagnosis,
    Finding,
    Question,
    Result,
    State,
)
from websearch.engines.base import Backend
from websearch.errors import (
    AuthError,
    NetworkError,
    SearchError,
    Timeout,
    WebBlocked,
)
from websearch.routing.cooldown import RATE_LIMITED
from websearch.service import SearchService

TEST_QUERY: Final = "weather"

_ASKED: Final = (Question.REACHABLE, Question.ADMITTED, Question.SEARCH)


async def examine(
    backend: Backend, *, seconds: float, is_keyed: bool, browser: Browser | None = None
) -> Diagnosis:
    """
    Search once through the service, as a user's search does.

    The *browser* of an engine that needs one is started first.
    """
    before = {Question.KEY: is_keyed, Question.BROWSER: browser is not None}
    questions = [*(check for check, is_made in before.items() if is_made), *_ASKED]
    facts = _facts(backend.name, seconds)
    try:
        if browser:
            await browser.start()
        response = await SearchService(backend, timeout=seconds).asearch(TEST_QUERY)
    except SearchError as error:
        error.provider = error.provider or backend.name
        finding, results = _failure(error, questions, facts)
    else:
        count = str(len(response.items))
        works = Cause.ENGINE_WORKS if response.items else Cause.ENGINE_FINDS_NOTHING
        finding = Finding(works, {**facts, "results": count})
        last = (State.PASSED if response.items else State.FAILED, count)
        results = [*_passed(len(questions) - 1), last]
    findings = [finding]
    if browser and browser.is_running and not browser.has_sandbox:
        findings.insert(0, Finding(Cause.BROWSER_NO_SANDBOX))
    return Diagnosis.of(backend.name, questions, results, *findings)


def unstarted(name: str, obstacle: SearchError | None, *, seconds: float) -> Diagnosis:
    """
    The diagnosis of an engine whose browser is not started for it.

    *obstacle* is the error of a search made now; our own rate limit is none.
    """
    questions, facts = [Question.BROWSER, *_ASKED], _facts(name, seconds)
    if obstacle is None or obstacle.detail_code == RATE_LIMITED:
        finding, results = Finding(Cause.BROWSER_READY, facts), _passed(1)
    else:
        finding, results = _failure(obstacle, questions, facts)
    return Diagnosis.of(name, questions, results, finding)


def samples(name: str) -> Diagnosis:
    """The diagnosis of the backend `stub`, which sends nothing."""
    checks = [Check(Question.SEARCH, State.PASSED, "3")]
    return Diagnosis(name, None, checks, [Finding(Cause.SAMPLES)])


def _facts(name: str, seconds: float) -> Mapping[str, str]:
    return {"engine": engine_title(name), "seconds": f"{seconds:g}"}


def _passed(count: int) -> list[Result]:
    return [(State.PASSED, "")] * count


def _failure(
    error: SearchError, questions: Sequence[Question], facts: Mapping[str, str]
) -> tuple[Finding, list[Result]]:
    """The finding of *error*, and the checks up to the one that it fails."""
    code = error.detail_code or error.code
    finding = Finding(cause_of(error), {**facts, **facts_of_error(error)})
    last = (State.FAILED, code)
    if "rest" in error.facts or code == RATE_LIMITED:
        # A cool-down, or our own rate limit: the engine was sent nothing.
        own = _passed(len(questions) - len(_ASKED))
        return finding, [*own, *[(State.SKIPPED, "")] * (len(_ASKED) - 1), last]
    if code == Cause.MISSING_KEY:
        failed = Question.KEY
    elif code.startswith("browser_"):
        failed = Question.BROWSER
    elif isinstance(error, NetworkError | Timeout):
        failed = Question.REACHABLE
    elif isinstance(error, AuthError | WebBlocked):
        failed = Question.ADMITTED
    else:
        failed = Question.SEARCH
    before = questions.index(failed) if failed in questions else 0
    return finding, [*_passed(before), last]
