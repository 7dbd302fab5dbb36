"""The `web_search` tool that the model of Agent mode calls."""

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeAlias

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field, ValidationError

from agent.agent_mode.arguments import WebSearchInput, query_of
from agent.agent_mode.numbered_search import Found, Searches
from agent.agent_mode.prompts import (
    TOOL,
    failure_text,
    results_text,
    wrong_arguments,
)
from agent.events import SearchFailed, SearchFinished, SearchStarted
from websearch import (
    InvalidInput,
    SearchError,
    SearchRequest,
    TimeRange,
    WebProviderError,
    complaint,
)

logger = logging.getLogger(__name__)

NAME: Final = "web_search"

_SCHEMA: Final = {
    **WebSearchInput.model_json_schema(),
    "title": NAME,
    "description": TOOL,
}

Outcome: TypeAlias = Found | SearchError


def _refusal(error: ValidationError) -> str:
    """Name the wrong argument to the model, so that it can call again."""
    return wrong_arguments(complaint(error))


class WebSearchTool(BaseTool):
    """
    Tool that searches for the model; a failure is returned as text, not raised.

    The artifact, which the model does not see, is the result or the error.
    """

    name: str = NAME
    description: str = TOOL
    args_schema: type[BaseModel] = WebSearchInput
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_validation_error: Any = _refusal
    searches: Searches = Field(exclude=True, repr=False)

    @property
    def tool_call_schema(self) -> dict[str, Any]:
        """The schema for the model; LangChain would derive it for each new tool."""
        return _SCHEMA

    def started(self, arguments: dict[str, Any], call: str) -> SearchStarted | None:
        """The event of a call that begins; None if it will be refused."""
        query = query_of(arguments)
        return SearchStarted(query, call) if query else None

    def ended(
        self, begun: Any, outcome: Any, took_ms: int
    ) -> SearchFinished | SearchFailed:
        """The event of a call that has ended."""
        query, call = begun.query, begun.call
        if isinstance(outcome, Found):
            sources = outcome.round.sources
            return SearchFinished.of(query, outcome.response, sources, call)
        is_known = isinstance(outcome, SearchError)
        error = outcome if is_known else InvalidInput("the call was refused")
        return SearchFailed(query, error, took_ms, call)

    async def _arun(
        self,
        query: str,
        count: int | None = None,
        country: str | None = None,
        freshness: TimeRange | None = None,
    ) -> tuple[str, Outcome]:
        try:
            with foreign_errors():
                request = SearchRequest(query, country=country, time_range=freshness)
                found = await self.searches.asearch(request, count)
        except SearchError as error:
            return failure_text(query, error), error
        return self._answer(query, found)

    def _run(
        self,
        query: str,
        count: int | None = None,
        country: str | None = None,
        freshness: TimeRange | None = None,
    ) -> tuple[str, Outcome]:
        try:
            with foreign_errors():
                request = SearchRequest(query, country=country, time_range=freshness)
                found = self.searches.search(request, count)
        except SearchError as error:
            return failure_text(query, error), error
        return self._answer(query, found)

    def _answer(self, query: str, found: Found) -> tuple[str, Found]:
        items = dict(zip(found.numbers, found.response.items, strict=True))
        return results_text(query, items, self.searches.width), found


@contextmanager
def foreign_errors() -> Iterator[None]:
    """Make a defect a failed call: it would end the run and the parallel calls."""
    try:
        yield
    except SearchError:
        raise
    except Exception as error:
        # Without its text, which can hold the query.
        trace = "".join(traceback.format_tb(error.__traceback__))
        logger.error("A call failed: %s\n%s", type(error).__name__, trace)  # noqa: TRY400
        raise WebProviderError(f"unforeseen: {type(error).__name__}") from error
