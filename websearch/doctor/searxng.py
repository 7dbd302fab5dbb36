"""Diagnose a SearXNG server: probe it, search once, look at other addresses."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from untrusted.text import short
from websearch.advice import facts_of, facts_of_error
from websearch.causes import Cause, cause_of
from websearch.config.address import BaseAddress
from websearch.doctor.diagnosis import (
    Diagnosis,
    Finding,
    Question,
    Result,
    State,
)
from websearch.doctor.engine import TEST_QUERY
from websearch.engines import Searxng
from websearch.engines.searxng import status_error
from websearch.errors import SearchError, Timeout
from websearch.network.client import HttpClient
from websearch.network.response import Reply
from websearch.service import SearchService

USUAL_PORTS: Final = (8080, 8888)
_USUAL_PATHS: Final = ("", "/searxng", "/searx")
_CONTAINER_HOSTS: Final = ("host.docker.internal", "host.containers.internal")

_QUESTIONS: Final = (
    Question.REACHABLE,
    Question.SEARXNG,
    Question.JSON,
    Question.SEARCH,
)
_PASSED: Final = (State.PASSED, "")
_GUESS_SECONDS: Final = 1.0
_SIDE_SECONDS: Final = 1.5  # seconds of a request that only refines a finding
_NO_QUERY: Final = "No query"  # SearXNG and searx use this text in every language


class SearxngDoctor:
    """Checks of one server; if it fails, SearXNG is sought at other addresses."""

    def __init__(
        self,
        searxng: Searxng,
        http: HttpClient,
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
        """Check that the server answers, is SearXNG, has JSON and finds results."""
        try:
            reply = await self._probe(self._searxng, self._seconds)
        except SearchError as error:
            return await self._unreached(error)
        if not is_alive(reply):
            return await self._not_alive(reply)
        config: Any = None
        if page := await self._page("/config"):
            with suppress(SearchError):
                config = page.json()
        config = config if isinstance(config, dict) else {}
        version = short(config.get("version"))
        passed = [_PASSED, (State.PASSED, version), _PASSED]
        # Through the service, as a user's search.
        service = SearchService(self._searxng, timeout=self._seconds)
        try:
            response = await service.asearch(TEST_QUERY)
        except SearchError as error:
            is_slow = isinstance(error, Timeout)
            cause = Cause.SLOW if is_slow else await self._cause(error)
            finding = Finding(cause, {**self._facts, **facts_of_error(error)})
            return self._diagnosis(finding, *passed, (State.FAILED, ""))
        count = str(len(response.items))
        facts, last = {**self._facts, "results": count}, (State.PASSED, count)
        cause = Cause.HEALTHY
        if not response.items:
            cause, last = Cause.NO_RESULTS, (State.FAILED, "")
            engines = config.get("engines")
            names = [
                short(engine.get("name"))
                for engine in (engines if isinstance(engines, list) else [])
                if isinstance(engine, dict) and engine.get("enabled")
            ]
            facts["engines"] = ", ".join(names[:20]) or "–"
        elif response.errors:
            cause, last = Cause.DEGRADED, (State.WARNED, count)
            facts["engines"] = facts_of_error(response.errors[0])["engines"]
        return self._diagnosis(Finding(cause, facts), *passed, last)

    async def _unreached(self, error: SearchError) -> Diagnosis:
        cause = cause_of(error)
        is_inside = self._in_container and self._address.is_loopback
        if cause is Cause.REFUSED and is_inside:
            cause = Cause.REFUSED_IN_CONTAINER
        facts = {"engine": "SearXNG", **error.facts}  # a proxy may be the cause
        finding = await self._relocated(cause, facts)
        failed = (State.FAILED, error.detail_code or error.code)
        has_answered = cause in {Cause.UNREADABLE, Cause.NOT_HTTP}
        return self._diagnosis(finding, *([_PASSED] if has_answered else []), failed)

    async def _not_alive(self, reply: Reply) -> Diagnosis:
        error = status_error(reply)
        cause = await self._cause(error) if error else Cause.NOT_SEARXNG
        if cause is Cause.QUERY_REFUSED:  # 400, but not SearXNG's message
            cause = Cause.NOT_SEARXNG
        finding = await self._relocated(cause, reply.facts())
        is_searxng = cause in {Cause.JSON_DISABLED, Cause.LIMITER}
        passed = [_PASSED] * (2 if is_searxng else 1)
        return self._diagnosis(finding, *passed, (State.FAILED, str(reply.status)))

    async def _cause(self, error: SearchError) -> Cause:
        """The cause of an error; /healthz tells SearXNG from a proxy before it."""
        cause = cause_of(error)
        if cause not in {Cause.JSON_DISABLED, Cause.TOO_MANY_REQUESTS}:
            return cause
        reply = await self._page("/healthz")
        if reply is not None and reply.body.strip() == b"OK":
            return Cause.LIMITER if cause is Cause.TOO_MANY_REQUESTS else cause
        return Cause.FORBIDDEN if cause is Cause.JSON_DISABLED else cause

    async def _relocated(self, cause: Cause, facts: Mapping[str, str]) -> Finding:
        """The cause, or WRONG_ADDRESS if SearXNG answers at another address."""
        known = {**self._facts, **facts}
        for address in other_addresses(
            self._address, cause, facts.get("location", ""), self._usual_ports
        ):
            try:
                reply = await self._probe(Searxng(self._http, address), _GUESS_SECONDS)
            except SearchError:
                continue
            if is_alive(reply):
                known |= {"found": address.url, "why": cause}
                return Finding(Cause.WRONG_ADDRESS, known)
        return Finding(cause, known)

    async def _probe(self, searxng: Searxng, seconds: float) -> Reply:
        """Search without a query: a healthy server answers 400 and asks no engine."""
        try:
            async with asyncio.timeout(seconds):
                return await searxng.ask("/search", {"format": "json"})
        except TimeoutError as error:
            raise Timeout(f"No answer within {seconds:g} s") from error

    async def _page(self, path: str) -> Reply | None:
        """The answer for another path of the server; None without one."""
        try:
            async with asyncio.timeout(min(_SIDE_SECONDS, self._seconds)):
                return await self._searxng.ask(path)
        except (TimeoutError, SearchError):
            return None

    def _diagnosis(self, finding: Finding, *results: Result) -> Diagnosis:
        name, address = self._searxng.name, self._address.url
        return Diagnosis.of(name, _QUESTIONS, results, finding, address=address)


def is_alive(reply: Reply) -> bool:
    """True if SearXNG with JSON enabled would answer a missing query like this."""
    if reply.status not in {200, 400}:
        return False
    try:
        data = reply.json()
    except SearchError:
        return False
    if not isinstance(data, dict):
        return False
    return data.get("error") == _NO_QUERY or isinstance(data.get("results"), list)


def other_addresses(
    address: BaseAddress,
    cause: Cause,
    location: str = "",
    usual_ports: tuple[int, ...] = USUAL_PORTS,
) -> list[BaseAddress]:
    """
    List other possible addresses of SearXNG, for problems of a wrong address.

    They contain no credentials, which are only sent to the configured address.
    """
    parts = urlsplit(address.url)
    rest = parts.netloc + parts.path
    match cause:
        case Cause.REFUSED if address.is_loopback:
            urls = [f"http://{parts.hostname}:{port}" for port in usual_ports]
        case Cause.REFUSED_IN_CONTAINER:
            urls = [f"http://{host}:{address.port}" for host in _CONTAINER_HOSTS]
            urls.append("http://searxng:8080")
        case Cause.WRONG_PATH | Cause.NOT_SEARXNG:
            urls = [f"{parts.scheme}://{parts.netloc}{path}" for path in _USUAL_PATHS]
        case Cause.TLS:
            urls = [f"http://{rest}"]
        case Cause.NOT_HTTP | Cause.DISCONNECTED:
            urls = [f"https://{rest}"]
        case Cause.REDIRECT:
            urls = [location]
        case _:
            urls = []
    addresses = []
    for url in urls:
        with suppress(ValueError):
            other = BaseAddress.parse(url)
            if other.url != address.url and (
                cause is not Cause.REDIRECT or other.host == address.host
            ):
                addresses.append(BaseAddress(other.url))  # without credentials
    return addresses
