"""The tools `web_search` and `web_fetch` that the model of Agent mode calls."""

import asyncio
import re
from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field, ValidationError

from agent.agent_mode.arguments import WebFetchInput, WebSearchInput
from agent.agent_mode.prompts import (
    OPEN,
    TOOL,
    WRONG_ARGUMENTS,
    failure_text,
    page_text,
    results_text,
    unread_text,
    wording,
)
from agent.events import (
    PageOutcome,
    ReadingFinished,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    ms_since,
)
from agent.models.context import UNLIMITED, fitting
from agent.numbered_search import Found, Searches
from agent.reading import Pages, foreign_errors
from citations import CitationManager, Source
from text.passages import find as find_passages
from text.passages import part as part_of
from untrusted.urls import addresses_in, clean_url, page_key
from websearch import (
    InvalidInput,
    SearchError,
    SearchRequest,
    complaint,
)

SEARCH: Final = "web_search"
FETCH: Final = "web_fetch"

_SCHEMAS: Final = {
    SEARCH: WebSearchInput.model_json_schema(),
    FETCH: WebFetchInput.model_json_schema(),
}
_EXPECTED: Final = {
    "url": "an address, or the number of a result",
    "find": "text",
}

_MOST_WRITTEN: Final = 20  # addresses in one message of the user
# Signs in which a model may put an address, or a number.
_AROUND: Final = " \t\r\n<>\"'`,;.\u201c\u201d\u3002\uff0c\uff1b"
_NUMBER = re.compile(r"[#(\[\u3010\uff3b]?\s*([0-9]{1,4})\s*[)\]\u3011\uff3d]?")

Outcome: TypeAlias = Found | PageOutcome | SearchError


def _refusal(error: ValidationError) -> str:
    """Name the wrong argument to the model, so that it can call again."""
    name = str(error.errors(include_input=False, include_url=False)[0]["loc"][0])
    is_ours = name in _EXPECTED
    wrong = f"{name} must be {_EXPECTED[name]}" if is_ours else complaint(error)
    return WRONG_ARGUMENTS.format(complaint=wrong)


class ModelTool(BaseTool):
    """
    Tool for the model; a failure is returned as text, not raised.

    The artifact, which the model does not see, is the outcome or the error.
    """

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_validation_error: Any = _refusal

    @property
    def tool_call_schema(self) -> dict[str, Any]:
        """The schema for the model; LangChain would derive it for each new tool."""
        schema = _SCHEMAS[self.name]
        return {**schema, "title": self.name, "description": self.description}


class WebSearchTool(ModelTool):
    """Tool that searches."""

    name: str = SEARCH
    description: str = TOOL
    args_schema: type[BaseModel] = WebSearchInput
    searches: Searches = Field(exclude=True, repr=False)
    fence: str = Field(default="", exclude=True, repr=False)

    def started(self, arguments: dict[str, Any], call: str) -> SearchStarted | None:
        """The event of a call that begins; None if it will be refused."""
        try:
            query = WebSearchInput.model_validate(arguments).query
        except ValidationError:
            return None
        return SearchStarted(query, call) if query else None

    def ended(self, begun: Any, outcome: Any) -> SearchFinished | SearchFailed:
        """The event of a call that has ended."""
        if isinstance(outcome, Found):
            return SearchFinished.of(begun, outcome.response, outcome.sources)
        is_known = isinstance(outcome, SearchError)
        error = outcome if is_known else InvalidInput("the call was refused")
        return SearchFailed.of(begun, error)

    async def _arun(self, **arguments: Any) -> tuple[str, Outcome]:
        try:
            with foreign_errors():
                found = await self.searches.asearch(*_request(**arguments))
        except SearchError as error:
            return failure_text(arguments["query"], error), error
        return self._listed(found), found

    def _run(self, **arguments: Any) -> tuple[str, Outcome]:
        try:
            with foreign_errors():
                found = self.searches.search(*_request(**arguments))
        except SearchError as error:
            return failure_text(arguments["query"], error), error
        return self._listed(found), found

    def _listed(self, found: Found) -> str:
        query, width = found.response.query, self.searches.width
        return results_text(query, found.sources, width, self.fence)


def _request(
    query: str, count: int | None = None, freshness: Any = None, **others: Any
) -> tuple[SearchRequest, int | None]:
    return SearchRequest(query, time_range=freshness, **others), count


class OpenPages:
    """
    Pages that the model may open, under their numbers.

    They are those that a search of the conversation has found, and the addresses in
    what the user *wrote*. A request goes to the address known here, never to the
    model's spelling of it, which could carry words of the conversation to the site.
    """

    def __init__(self, citations: CitationManager, written: Iterable[str] = ()) -> None:
        self.citations = citations
        self._written = {
            page_key(url): url
            for text in written
            for url in addresses_in(text, _MOST_WRITTEN)
        }

    def source_of(self, name: str) -> Source | None:
        """The source that *name* means, a number or an address; None: not allowed."""
        if number := _NUMBER.fullmatch(name.strip()):
            return self.citations.sources.get(int(number[1]))
        for spelling in (name, name.strip(_AROUND), f"https://{name.strip(_AROUND)}"):
            if not (url := clean_url(spelling)):
                continue
            if known := self.citations.number_of(page_key(url)):
                return self.citations.sources[known]
            if written := self._written.get(page_key(url)):
                return self.citations.give(written)
        return None


class WebFetchTool(ModelTool):
    """
    Tool that reads a *known* page, in the language of *question*.

    Each call gives at most *most_chars* characters and *most_tokens* of the page.
    """

    name: str = FETCH
    description: str = OPEN
    args_schema: type[BaseModel] = WebFetchInput
    known: OpenPages = Field(exclude=True, repr=False)
    pages: Pages = Field(exclude=True, repr=False)
    most_chars: int = 12_000
    most_tokens: int = UNLIMITED
    question: str = Field(default="", exclude=True, repr=False)
    fence: str = Field(default="", exclude=True, repr=False)

    def started(self, arguments: dict[str, Any], call: str) -> ReadingStarted | None:
        """The event of a call that begins; None if it will be refused."""
        try:
            source = self.known.source_of(WebFetchInput.model_validate(arguments).url)
        except ValidationError:
            return None
        return ReadingStarted((source,), call) if source else None

    def ended(self, begun: Any, outcome: Any) -> ReadingFinished:
        """The event of a call that has ended."""
        pages = (outcome,) if isinstance(outcome, PageOutcome) else ()
        return ReadingFinished(pages, ms_since(begun.at), begun.call)

    async def _arun(self, url: str, **shown: Any) -> tuple[str, Outcome]:
        if (source := self.known.source_of(url)) is None:
            refused = InvalidInput("not a known address")
            return wording(self.question, "not_allowed"), refused
        outcome = await self.pages.read(source)
        if outcome.error is not None:
            return unread_text(self.question, source.number, outcome.error), outcome
        # The text stays with the source, for the list and for later answers.
        self.known.citations.update(outcome.source)
        try:
            with foreign_errors():
                # In a thread: ranking the passages of a long page would block the loop.
                text = await asyncio.to_thread(self._shown, outcome.source, **shown)
        except SearchError as error:
            failed = PageOutcome(source, error=error, took_ms=outcome.took_ms)
            return unread_text(self.question, source.number, error), failed
        return text, outcome

    def _run(self, *_: Any, **__: Any) -> tuple[str, Outcome]:
        raise NotImplementedError("web_fetch is asynchronous")

    def _shown(
        self, source: Source, part: int | None = None, find: str | None = None
    ) -> str:
        """Write the page for the model: what fits *find*, or else a part of it."""
        fitting_chars = fitting(source.markdown, self.most_tokens)
        most = max(min(self.most_chars, fitting_chars), 200)
        if find:
            excerpt = find_passages(find, source.markdown, most)
            return page_text(self.question, source, excerpt, most, self.fence)
        found = part_of(source.markdown, part or 1, most)
        if not found.text:
            return wording(self.question, "no_part", count=found.count)
        return page_text(self.question, source, found, most, self.fence)
