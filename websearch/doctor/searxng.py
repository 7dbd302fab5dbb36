"""Ask a SearXNG server the questions whose answers tell its faults apart."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from untrusted.text import short
from websearch.doctor.advice import Problem, facts_of, facts_of_error, problem_of
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State
from websearch.doctor.searxng_elsewhere import USUAL_PORTS, other_addresses
from websearch.engines import Searxng
from websearch.engines.searxng_status import status_error
from websearch.errors import SearchError, Timeout
from websearch.models import SearchResponse
from websearch.network.client import Http
from websearch.network.response import Reply
from websearch.service import SearchService

TEST_QUERY: Final = "weather"

_QUESTIONS: Final = (
    Question.REACHABLE,
    Question.SEARXNG,
    Question.JSON,
    Question.SEARCH,
)
_GUESS_SECONDS: Final = 1.0
_SIDE_SECONDS: Final = 1.5  # for what only makes a finding more precise
_NO_QUERY: Final = "No query"  # SearXNG and searx say so in every language


class SearxngDoctor:
    """Examines one server; asks the usual other addresses where it is not there."""

    def __init__(
        self,
        searxng: Searxng,
        http: Http,
        *,
        seconds: float,
        in_container: bool,
        usual_ports: tuple[int, ...] = USUAL_PORTS,
    ) -> None:
        self._searxng = searxng
        self._http = http
        self._seconds = seconds
        self._in_container = in_container
        self._usual_ports = usual_ports
        self._address = searxng.address
        self._facts = facts_of(self._address, seconds)

    async def examine(self) -> Diagnosis:
        """Ask until the answer is plain: reachable, SearXNG, JSON, a search."""
        try:
            reply = await self._probe(self._searxng, self._seconds)
        except SearchError as error:
            return await self._unreached(error)
        if not is_alive(reply):
            return await self._not_alive(reply)
        # Through the service, so that the doctor sees what users get.
        service = SearchService(self._searxng, timeout=self._seconds)
        try:
            response = await service.asearch(TEST_QUERY)
        except Timeout:
            return await self._searched(Problem.SLOW, State.FAILED, {})
        except SearchError as error:
            problem = await self._named(error)
            return await self._searched(problem, State.FAILED, facts_of_error(error))
        return await self._found(response)

    async def _found(self, response: SearchResponse) -> Diagnosis:
        count = len(response.items)
        if not count:
            facts = {"engines": await self._enabled_engines()}
            return await self._searched(Problem.NO_RESULTS, State.FAILED, facts)
        facts = {"results": str(count)}
        if not response.errors:
            return await self._searched(Problem.HEALTHY, State.PASSED, facts)
        facts |= {"engines": facts_of_error(response.errors[0])["engines"]}
        return await self._searched(Problem.DEGRADED, State.WARNED, facts)

    async def _searched(
        self, problem: Problem, state: State, facts: Mapping[str, str]
    ) -> Diagnosis:
        """The diagnosis of a server that passed every question but the last."""
        return self._diagnosis(
            Finding(problem, {**self._facts, **facts}),
            (State.PASSED, ""),
            (State.PASSED, await self._version()),
            (State.PASSED, ""),
            (state, facts.get("results", "")),
        )

    async def _unreached(self, error: SearchError) -> Diagnosis:
        problem = problem_of(error)
        is_inside = self._in_container and self._address.is_loopback
        if problem is Problem.REFUSED and is_inside:
            problem = Problem.REFUSED_IN_CONTAINER
        finding = await self._elsewhere(problem, {})
        note = error.detail_code or error.code
        if problem in {Problem.UNREADABLE, Problem.NOT_HTTP}:  # something answered
            return self._diagnosis(finding, (State.PASSED, ""), (State.FAILED, note))
        return self._diagnosis(finding, (State.FAILED, note))

    async def _not_alive(self, reply: Reply) -> Diagnosis:
        error = status_error(reply)
        problem = await self._named(error) if error else Problem.NOT_SEARXNG
        if problem is Problem.QUERY_REFUSED:  # 400, but not in SearXNG's words
            problem = Problem.NOT_SEARXNG
        finding = await self._elsewhere(problem, reply.facts())
        status = str(reply.status)
        if problem in {Problem.JSON_DISABLED, Problem.LIMITER}:  # it is SearXNG
            return self._diagnosis(
                finding, (State.PASSED, ""), (State.PASSED, ""), (State.FAILED, status)
            )
        return self._diagnosis(finding, (State.PASSED, ""), (State.FAILED, status))

    async def _named(self, error: SearchError) -> Problem:
        """The problem behind an error; /healthz tells SearXNG from its proxy."""
        problem = problem_of(error)
        if problem is Problem.JSON_DISABLED and not await self._is_healthz_ok():
            return Problem.FORBIDDEN
        if problem is Problem.TOO_MANY_REQUESTS and await self._is_healthz_ok():
            return Problem.LIMITER
        return problem

    async def _elsewhere(self, problem: Problem, facts: Mapping[str, str]) -> Finding:
        """The problem, or the address where SearXNG does answer."""
        known = {**self._facts, **facts}
        for address in other_addresses(
            self._address, problem, facts.get("location", ""), self._usual_ports
        ):
            try:
                reply = await self._probe(Searxng(self._http, address), _GUESS_SECONDS)
            except SearchError:
                continue
            if is_alive(reply):
                known |= {"found": address.url, "why": problem}
                return Finding(Problem.WRONG_ADDRESS, known)
        return Finding(problem, known)

    async def _probe(self, searxng: Searxng, seconds: float) -> Reply:
        """Without a query, no engine is asked, and a healthy server answers 400."""
        try:
            async with asyncio.timeout(seconds):
                return await searxng.ask("/search", {"format": "json"})
        except TimeoutError as error:
            raise Timeout(f"No answer within {seconds:g} s") from error

    async def _look(self, path: str) -> Reply | None:
        """Another page of the server, where it has one."""
        try:
            async with asyncio.timeout(min(_SIDE_SECONDS, self._seconds)):
                return await self._searxng.ask(path)
        except (TimeoutError, SearchError):
            return None

    async def _is_healthz_ok(self) -> bool:
        reply = await self._look("/healthz")
        return reply is not None and reply.body.strip() == b"OK"

    async def _config(self) -> Mapping[str, Any]:
        reply = await self._look("/config")
        try:
            data = reply.json() if reply else {}
        except SearchError:
            return {}
        return data if isinstance(data, dict) else {}

    async def _version(self) -> str:
        return short((await self._config()).get("version"))

    async def _enabled_engines(self) -> str:
        engines = (await self._config()).get("engines")
        names = [
            short(engine.get("name"))
            for engine in (engines if isinstance(engines, list) else [])
            if isinstance(engine, dict) and engine.get("enabled")
        ]
        return ", ".join(names[:20]) or "–"

    def _diagnosis(self, finding: Finding, *answers: tuple[State, str]) -> Diagnosis:
        skipped = [(State.SKIPPED, "")] * (len(_QUESTIONS) - len(answers))
        checks = [
            Check(question, state, note)
            for question, (state, note) in zip(
                _QUESTIONS, [*answers, *skipped], strict=True
            )
        ]
        return Diagnosis(self._searxng.name, self._address.url, checks, [finding])


def is_alive(reply: Reply) -> bool:
    """Whether this is how SearXNG with JSON enabled answers a missing query."""
    if reply.status not in {200, 400}:
        return False
    try:
        data = reply.json()
    except SearchError:
        return False
    if not isinstance(data, dict):
        return False
    return data.get("error") == _NO_QUERY or isinstance(data.get("results"), list)
