"""The interface of every backend, and base classes for engines asked over HTTP."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final, Protocol, Self

from pydantic import SecretStr

from websearch.config.settings import Settings
from websearch.errors import (
    AuthError,
    BadGateway,
    InvalidInput,
    SearchError,
    WebParseError,
    WebProviderError,
)
from websearch.models import MAX_QUERY, SearchItem, SearchRequest, SearchResponse
from websearch.network.client import MAX_BYTES, HttpClient
from websearch.network.response import Reply
from websearch.parsing.workers import Workers
from websearch.processes import Processes

logger = logging.getLogger(__name__)

# A page has ten results; parsing more would only take time.
_MAX_ROWS: Final = 100

# Error class, detail code (None: `http_` and the status), message.
Failure = tuple[type[SearchError], str | None, str]
# Failures by HTTP status, or by the engine's error code.
Failures = Mapping[int | str, Failure]


class Backend(Protocol):
    """
    A search engine, or several behind one name.

    It returns results in its own order and raises `SearchError`.
    The service adds deadline, clean-up, ranks and synchronous calls.
    """

    @property
    def name(self) -> str:
        """The name in the settings, shown as provider."""
        ...

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search once; cancelled at the deadline."""
        ...

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        ...


class Engine(Backend, Protocol):
    """A backend of the registry: it has a title, and is made from the settings."""

    title: ClassVar[str]

    @classmethod
    def from_settings(
        cls, settings: Settings, http: HttpClient, processes: Processes | None = None
    ) -> Self:
        """Make the engine from the settings, with the client *http*."""
        ...


class HttpEngine(ABC):
    """
    An engine over HTTP: one request, one response to parse.

    Every error that leaves `asearch` names the engine.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    max_length: ClassVar[int] = 2 * MAX_QUERY  # `site:` is added to the query
    max_words: ClassVar[int] = MAX_QUERY
    max_bytes: ClassVar[int] = MAX_BYTES  # of an answer, packed and unpacked
    method: ClassVar[str] = "GET"
    content: ClassVar[str] = "params"  # of the address; `data` for a form, `json`
    failures: ClassVar[Failures] = {}
    url: str

    def __init__(
        self,
        http: HttpClient,
        *,
        url: str | None = None,
        key: SecretStr | None = None,
        language: str = "auto",
        workers: Workers | None = None,
    ) -> None:
        self._http = http
        self._workers = workers or Workers()
        self._key = key
        self._language = language
        self.url = url or self.url

    @classmethod
    def from_settings(
        cls, settings: Settings, http: HttpClient, processes: Processes | None = None
    ) -> Self:
        """The engine with its key (`<name>_api_key`) and the default language."""
        key = getattr(settings, f"{cls.name}_api_key", None)
        workers = processes.workers if processes else None
        return cls(http, key=key, language=settings.language, workers=workers)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Ask for the first page of results, and parse it."""
        try:
            reply = await self.send(request)
            return SearchResponse(request.query, self.name, await self.read(reply))
        except SearchError as error:
            error.provider = self.name
            error.facts.setdefault("engine", self.title)
            error.args = (f"{self.title}: {error}",)
            raise

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._http.aclose()

    async def send(self, request: SearchRequest) -> Reply:
        """Send the request, with the parameters where the engine expects them."""
        return await self._http.request(
            self.method,
            self.url,
            headers=self.headers(request),
            max_bytes=self.max_bytes,
            **{self.content: self.params(request)},
        )

    @abstractmethod
    def headers(self, request: SearchRequest) -> Mapping[str, str]:
        """The headers of a request."""

    @abstractmethod
    def params(self, request: SearchRequest) -> dict[str, Any]:
        """The parameters of a request."""

    @abstractmethod
    async def read(self, reply: Reply) -> Sequence[SearchItem]:
        """Parse the results of a response; SearchError if it is unreadable."""

    def key(self) -> str:
        """Return the key for a header; AuthError without one: nothing is sent."""
        if self._key is None:
            variable = f"{self.name.upper()}_API_KEY"
            raise AuthError(
                f"{variable} is not set",
                detail_code="missing_key",
                facts={"variable": variable},
            )
        return self._key.get_secret_value()

    def query(self, request: SearchRequest) -> str:
        """The query with its site; InvalidInput if the engine would refuse it."""
        site = f" site:{request.site_filter}" if request.site_filter else ""
        query = request.query + site
        if len(query) > self.max_length or len(query.split()) > self.max_words:
            most = f"{self.max_length} characters"
            if self.max_words < MAX_QUERY:
                most += f" or {self.max_words} words"
            raise InvalidInput(
                f"the query is too long; {most} are the most",
                detail_code="query_too_long",
            )
        return query

    def check(self, reply: Reply, status: int = 0) -> None:
        """Raise the error of a status other than 200; *status* is one in the body."""
        status = status or reply.status
        if status == HTTPStatus.OK:
            return
        word = self.error_word(reply)
        usual: Failure = (
            WebProviderError,
            None,
            "its status has no meaning that we know",
        )
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            usual = BadGateway, None, "its server failed"
        elif status in {301, 302, 303, 307, 308}:
            usual = WebProviderError, "redirect", "it sends us elsewhere"
        elif status < HTTPStatus.BAD_REQUEST:
            usual = WebParseError, None, "its answer is no page of results"
        known = self.failures.get(word) or self.failures.get(status)
        kind, detail, words = known or usual
        raise kind(
            f"{words} ({status})",
            detail_code=detail or f"http_{status}",
            retry_after=reply.retry_after,
            facts={"status": str(status), "wait": f" {reply.retry_after or 60:g} s"},
        )

    def error_word(self, _reply: Reply) -> str:
        """Return the engine's own error code from the body, if there is one."""
        return ""

    def readable(self, found: Iterable[SearchItem | None]) -> Sequence[SearchItem]:
        """Filter out None, which stands for a malformed result."""
        found = list(found)
        items = [item for item in found if item is not None]
        if skipped := len(found) - len(items):
            logger.warning(
                "%s: skipped %d malformed results of %d", self.name, skipped, len(found)
            )
        if found and not items:
            raise unexpected("none of its results can be read")
        return items


class ApiEngine(HttpEngine):
    """An engine with an API that answers in JSON; a subclass parses the object."""

    def headers(self, _request: SearchRequest) -> Mapping[str, str]:
        """Ask for JSON."""
        return {"Accept": "application/json"}

    @abstractmethod
    def parse(self, data: Mapping[str, Any]) -> Iterable[SearchItem | None]:
        """The results of a JSON object; None for a malformed one."""

    async def read(self, reply: Reply) -> Sequence[SearchItem]:
        """The results of an answer with status 200."""
        self.check(reply)
        return self.readable(self.parse(self.json(reply)))

    def json(self, reply: Reply) -> Mapping[str, Any]:
        """The JSON object of an answer; WebParseError where it is something else."""
        try:
            data = reply.json()
        except WebParseError as error:
            error.facts.clear()  # the title of a web page may contain the query
            raise
        if not isinstance(data, dict):
            raise unexpected("its answer is no JSON object")
        return data


def unexpected(words: str, detail_code: str = "unexpected_page") -> WebParseError:
    """Make the error for a response of an unexpected form."""
    return WebParseError(words, detail_code=detail_code)


def inside(data: Any, *keys: str) -> Any:
    """Return the value below *keys* in JSON; WebParseError if one is missing."""
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            raise unexpected(f"its answer holds no {key}")
        data = data[key]
    return data


def rows(data: Any) -> Sequence[Mapping[str, Any]]:
    """The rows of a JSON list; a row that is no object becomes an empty one."""
    if not isinstance(data, list):
        raise unexpected("its answer holds no list of results")
    return [row if isinstance(row, dict) else {} for row in data[:_MAX_ROWS]]


def texts(row: Mapping[str, Any], *keys: str) -> Sequence[str]:
    """The texts under *keys*; '' for a missing one."""
    values = (row.get(key) for key in keys)
    return [value if isinstance(value, str) else "" for value in values]
