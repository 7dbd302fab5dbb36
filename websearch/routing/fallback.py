"""A chain of engines: where one fails, the next is asked."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from websearch.engines.base import Backend
from websearch.errors import InvalidInput, SearchError
from websearch.models import SearchRequest, SearchResponse
from websearch.routing.deadline import TimeLeft, again, ask, kind

logger = logging.getLogger(__name__)

SHARE: Final = 0.6  # of the time that is left, for an engine that others follow

_TOO_LONG: Final = frozenset({"query_too_long", "http_414"})


class Fallback:
    """
    Engines one after the other, inside the one deadline.

    The response bears the name of the engine that answered, and among its errors
    those of the engines asked before, each with its provider.
    """

    def __init__(self, backends: Sequence[Backend]) -> None:
        if not backends:
            raise ValueError("a chain needs an engine")
        self.name = ", ".join(backend.name for backend in backends)
        self._backends = tuple(backends)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """The answer of the first engine that has one."""
        left = TimeLeft(request)
        errors: list[SearchError] = []
        for following, backend in _counted_down(self._backends):
            seconds = left() * (SHARE if following else 1)
            try:
                response = await _asked(backend, request, seconds)
            except SearchError as error:
                if _is_wrong_for_all(error) and not errors:
                    raise
                logger.warning("%s failed: %s: %s", backend.name, kind(error), error)
                errors.append(error)
            else:
                return replace(response, errors=(*errors, *response.errors))
        raise _first_of(errors) from errors[0]

    async def aclose(self) -> None:
        """Close what the engines hold."""
        for backend in self._backends:
            await backend.aclose()


def _counted_down(backends: Sequence[Backend]) -> Iterator[tuple[int, Backend]]:
    """Each engine, with the number of those after it."""
    return zip(reversed(range(len(backends))), backends, strict=True)


async def _asked(
    backend: Backend, request: SearchRequest, seconds: float
) -> SearchResponse:
    response = await ask(backend, request, seconds)
    if not response.is_answer:
        raise response.errors[0]  # not because there is nothing
    return response


def _is_wrong_for_all(error: SearchError) -> bool:
    """A query too long for one engine can be short enough for the next."""
    return isinstance(error, InvalidInput) and error.detail_code not in _TOO_LONG


def _first_of(errors: Sequence[SearchError]) -> SearchError:
    """The first, which the user chose, with a word on each of the others."""
    first, *others = errors
    if not others:
        return again(first)
    told = ", ".join(f"{error.provider} {kind(error)}" for error in others)
    failure = again(first, facts={**first.facts, "others": told})
    failure.add_note(f"The engines after it failed too: {told}")
    return failure
