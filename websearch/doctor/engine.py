"""Diagnose an engine other than SearXNG by one test search."""

from collections.abc import Sequence
from typing import Final

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


async def examine(backend: Backend, *, seconds: float, is_keyed: bool) -> Diagnosis:
    """Search once through the service, as a user's search does."""
    questions = (Question.KEY, *_ASKED) if is_keyed else _ASKED
    finding, states, note = await _searched(backend, seconds, questions)
    skipped = [State.SKIPPED] * (len(questions) - len(states))
    checks = [
        Check(question, state, note if number == len(states) else "")
        for number, (question, state) in enumerate(
            zip(questions, [*states, *skipped], strict=True), start=1
        )
    ]
    return Diagnosis(backend.name, None, checks, [finding])


def samples(name: str) -> Diagnosis:
    """The diagnosis of the backend `stub`, which sends nothing."""
    checks = [Check(Question.SEARCH, State.PASSED, "3")]
    return Diagnosis(name, None, checks, [Finding(Problem.SAMPLES)])


async def _searched(
    backend: Backend, seconds: float, questions: Sequence[Question]
) -> tuple[Finding, Sequence[State], str]:
    """Return a finding, the states of the checks that ran, and the last one's note."""
    facts = {"engine": engine_title(backend.name), "seconds": f"{seconds:g}"}
    passed = [State.PASSED] * (len(questions) - 1)
    try:
        found = await SearchService(backend, timeout=seconds).asearch(TEST_QUERY)
    except SearchError as error:
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
        known = [q is Question.KEY for q in questions[:-1]]
        return [*(State.PASSED if k else State.SKIPPED for k in known), State.FAILED]
    failed = _failed(error)
    before = questions.index(failed) if failed in questions else 0
    return [*[State.PASSED] * before, State.FAILED]


def _failed(error: SearchError) -> Question:
    if error.detail_code == "missing_key":
        return Question.KEY
    if isinstance(error, NetworkError | Timeout):
        return Question.REACHABLE
    if isinstance(error, AuthError | WebBlocked):
        return Question.ADMITTED
    return Question.SEARCH


def _is_unasked(error: SearchError) -> bool:
    """True if nothing was sent, because of a cool-down or our own rate limit."""
    return "rest" in error.facts or error.detail_code == RATE_LIMITED
