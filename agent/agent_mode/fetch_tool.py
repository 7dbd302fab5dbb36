"""The `web_fetch` tool, with which the model of Agent mode opens pages."""

import asyncio
import re
from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field, ValidationError

from agent.agent_mode.arguments import WebFetchInput
from agent.agent_mode.prompts import (
    OPEN,
    no_part,
    page_text,
    refusal_text,
    unread_text,
    wrong_arguments,
)
from agent.agent_mode.search_tool import foreign_errors
from agent.events import PageOutcome, ReadingFinished, ReadingStarted
from agent.passages import find as find_passages
from agent.passages import part as part_of
from agent.reading import with_page
from citations import CitationManager, Source
from untrusted.urls import addresses_in, clean_url, page_key
from websearch import InvalidInput, Page, PageReader, SearchError

NAME: Final = "web_fetch"

_MOST_WRITTEN: Final = 20  # addresses in one message of the user
# Signs in which a model may put an address, or a number.
_AROUND: Final = " \t\r\n<>\"'`,;.\u201c\u201d\u3002\uff0c\uff1b"
_NUMBER = re.compile(r"[#(\[\u3010\uff3b]?\s*([0-9]{1,4})\s*[)\]\u3011\uff3d]?")
_SCHEMA: Final = {
    **WebFetchInput.model_json_schema(),
    "title": NAME,
    "description": OPEN,
}

Outcome: TypeAlias = PageOutcome | InvalidInput


class OpenPages:
    """
    Pages that the model may open, under their numbers.

    They are those that a search of the conversation has found, and the addresses in
    what the user *wrote*. A request goes to the address known here, never to the
    model's spelling of it, which could carry words of the conversation to the site.
    """

    def __init__(
        self,
        reader: PageReader,
        citations: CitationManager,
        written: Iterable[str] = (),
    ) -> None:
        self._reader = reader
        self._citations = citations
        self._written = {
            page_key(url): url
            for text in written
            for url in addresses_in(text, _MOST_WRITTEN)
        }

    def source_of(self, name: str) -> Source | None:
        """The source that *name* means, a number or an address; None: not allowed."""
        if number := _NUMBER.fullmatch(name.strip()):
            return self._citations.sources.get(int(number[1]))
        for spelling in (name, name.strip(_AROUND), f"https://{name.strip(_AROUND)}"):
            url = clean_url(spelling)
            if url and (source := self._known(url)):
                return source
        return None

    async def aread(self, source: Source) -> PageOutcome:
        """Read the page of *source*; a failure is an outcome too."""
        try:
            with foreign_errors():
                return self._kept(source, await self._reader.aread(source.url))
        except SearchError as error:
            return PageOutcome(source, error=error)

    def read(self, source: Source) -> PageOutcome:
        """Read the page of *source* synchronously."""
        try:
            with foreign_errors():
                return self._kept(source, self._reader.read(source.url))
        except SearchError as error:
            return PageOutcome(source, error=error)

    def _known(self, url: str) -> Source | None:
        if number := self._citations.number_of(url):
            return self._citations.sources[number]
        written = self._written.get(page_key(url))
        return self._citations.give(written) if written else None

    def _kept(self, source: Source, page: Page) -> PageOutcome:
        """Keep the text with the source, for the list and for later answers."""
        read = with_page(source, page)
        self._citations.update(read)
        return PageOutcome(read, page)


def _refusal(error: ValidationError) -> str:
    """Name the wrong argument to the model, so that it can call again."""
    name = str(error.errors(include_input=False, include_url=False)[0]["loc"][0])
    expected = {"url": "an address, or the number of a result", "find": "text"}
    return wrong_arguments(f"{name} must be {expected[name]}")


class WebFetchTool(BaseTool):
    """
    Tool that reads a page for the model; a failure is returned as text, not raised.

    Each call gives at most *most_chars* characters of the page, in the language of
    *question*. The artifact, which the model does not see, is the outcome, or an
    error if the address may not be opened.
    """

    name: str = NAME
    description: str = OPEN
    args_schema: type[BaseModel] = WebFetchInput
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_validation_error: Any = _refusal
    pages: OpenPages = Field(exclude=True, repr=False)
    most_chars: int = 12_000
    question: str = Field(default="", exclude=True, repr=False)

    @property
    def tool_call_schema(self) -> dict[str, Any]:
        """The schema for the model; LangChain would derive it for each new tool."""
        return _SCHEMA

    def started(self, arguments: dict[str, Any], call: str) -> ReadingStarted | None:
        """The event of a call that begins; None if it will be refused."""
        try:
            source = self.pages.source_of(WebFetchInput.model_validate(arguments).url)
        except ValidationError:
            return None
        return ReadingStarted((source,), call) if source else None

    def ended(self, begun: Any, outcome: Any, took_ms: int) -> ReadingFinished:
        """The event of a call that has ended."""
        pages = (outcome,) if isinstance(outcome, PageOutcome) else ()
        return ReadingFinished(pages, took_ms, begun.call)

    async def _arun(
        self, url: str, part: int | None = None, find: str | None = None
    ) -> tuple[str, Outcome]:
        source = self.pages.source_of(url)
        if source is None:
            return refusal_text(self.question), InvalidInput("not a known address")
        outcome = await self.pages.aread(source)
        # In a thread: ranking the passages of a long page would block the event loop.
        text = await asyncio.to_thread(self._text, outcome, part, find)
        return text, outcome

    def _run(
        self, url: str, part: int | None = None, find: str | None = None
    ) -> tuple[str, Outcome]:
        source = self.pages.source_of(url)
        if source is None:
            return refusal_text(self.question), InvalidInput("not a known address")
        outcome = self.pages.read(source)
        return self._text(outcome, part, find), outcome

    def _text(self, outcome: PageOutcome, part: int | None, find: str | None) -> str:
        """Write the page for the model: what fits *find*, or else a part of it."""
        source, most = outcome.source, self.most_chars
        if outcome.error is not None:
            return unread_text(self.question, source.number, outcome.error)
        if find:
            excerpt = find_passages(find, source.text, most)
            return page_text(self.question, source, excerpt, most)
        found = part_of(source.text, part or 1, most)
        if not found.text:
            return no_part(self.question, found.count)
        return page_text(self.question, source, found, most)
