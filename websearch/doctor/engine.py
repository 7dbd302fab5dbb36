"""Diagnose an engine other than SearXNG by one test search."""

from collections.abc import Sequence
from typing import Final

from websearch.browser.browser import Browser
from websearch.doctor.advice import Problem, engine_title, facts_of_error, problem_of
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State
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
    questions = [*(one for one, is_asked in before.items() if is_asked), *_ASKED]
    finding, states, note = await _searched(backend, seconds, questions, browser)
    findings = [finding]
    if browser and browser.is_running and not browser.has_sandbox:
        findings.insert(0, Finding(Problem.BROWSER_NO_SANDBOX))
    return Diagnosis(backend.name, None, _checks(questions, states, note), findings)


def unstarted(name: str, obstacle: SearchError | None, *, seconds: float) -> Diagnosis:
    """
    The diagnosis of an engine whose browser is not started for it.

    *obstacle* is the error of a search made now; our own rate limit is none.
    """
    questions = [Question.BROWSER, *_ASKED]
    facts = {"engine": engine_title(name), "seconds": f"{seconds:g}"}
    if obstacle is None or obstacle.detail_code == RATE_LIMITED:
        checks = _checks(questions, [State.PASSED], "")
        return Diagnosis(name, None, checks, [Finding(Problem.BROWSER_READY, facts)])
    note = obstacle.detail_code or obstacle.code
    finding = Finding(problem_of(obstacle), facts | facts_of_error(obstacle))
    checks = _checks(questions, _states(obstacle, questions), note)
    return Diagnosis(name, None, checks, [finding])


def samples(name: str) -> Diagnosis:
    """The diagnosis of the backend `stub`, which sends nothing."""
    checks = [Check(Question.SEARCH, State.PASSED, "3")]
    return Diagnosis(name, None, checks, [Finding(Problem.SAMPLES)])


def _checks(
    questions: Sequence[Question], states: Sequence[State], note: str
) -> Sequence[Check]:
    """The checks that ran, the last one with its *note*, and those that did not."""
    skipped = [State.SKIPPED] * (len(questions) - len(states))
    return [
        Check(question, state, note if number == len(states) else "")
        for number, (question, state) in enumerate(
            zip(questions, [*states, *skipped], strict=True), start=1
        )
    ]


async def _searched(
    backend: Backend,
    seconds: float,
    questions: Sequence[Question],
    browser: Browser | None,
) -> tuple[Finding, Sequence[State], str]:
    """Return a finding, the states of the checks that ran, and the last one's note."""
    facts = {"engine": engine_title(backend.name), "seconds": f"{seconds:g}"}
    passed = [State.PASSED] * (len(questions) - 1)
    try:
        if browser:
            await browser.start()
        found = await SearchService(backend, timeout=seconds).asearch(TEST_QUERY)
    except SearchError as error:
        error.provider = error.provider or backend.name
        finding = Finding(problem_of(error), facts | facts_of_error(error))
        return finding, _states(error, questions), error.detail_code or error.code
    if not found.items:
        finding = Finding(Problem.ENGINE_FINDS_NOTHING, facts)
        return finding, [*passed, State.FAILED], "0"
    count = str(len(found.items))
    finding = Finding(Problem.ENGINE_WORKS, {**facts, "results": count})
    return finding, [*passed, State.PASSED], count


def _states(error: SearchError, questions: Sequence[Question]) -> Sequence[State]:
    """The states of the checks: all before the one that *error* fails have passed."""
    if _is_unasked(error):
        known = [q not in _ASKED for q in questions[:-1]]
        return [*(State.PASSED if k else State.SKIPPED for k in known), State.FAILED]
    failed = _failed(error)
    before = questions.index(failed) if failed in questions else 0
    return [*[State.PASSED] * before, State.FAILED]


def _failed(error: SearchError) -> Question:
    if error.detail_code == "missing_key":
        return Question.KEY
    if (error.detail_code or "").startswith("browser_"):
        return Question.BROWSER
    if isinstance(error, NetworkError | Timeout):
        return Question.REACHABLE
    if isinstance(error, AuthError | WebBlocked):
        return Question.ADMITTED
    return Question.SEARCH


def _is_unasked(error: SearchError) -> bool:
    """True if nothing was sent, because of a cool-down or our own rate limit."""
    return "rest" in error.facts or error.detail_code == RATE_LIMITED
