"""Engines in sequence: if one fails, the next one searches."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from websearch.engines.base import Backend
from websearch.errors import InvalidInput, SearchError, copy_of
from websearch.models import SearchRequest, SearchResponse
from websearch.routing.deadline import TimeLeft, ask, code_of

logger = logging.getLogger(__name__)

SHARE: Final = 0.6  # share of the time left, for an engine that is not the last

_TOO_LONG: Final = frozenset({"query_too_long", "http_414"})


class Fallback:
    """
    Engines that search one after the other, within one deadline.

    The provider of the response is the engine that answered; its errors include the
    errors of the engines before it.
    """

    def __init__(self, backends: Sequence[Backend]) -> None:
        if not backends:
            raise ValueError("a chain needs an engine")
        self.name = ", ".join(backend.name for backend in backends)
        self._backends = tuple(backends)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the first answer of an engine."""
        left = TimeLeft(request)
        errors: list[SearchError] = []
        for backend in self._backends:
            is_last = backend is self._backends[-1]
            seconds = left() * (1 if is_last else SHARE)
            try:
                response = await ask(backend, request, seconds)
                if not response.is_answer:  # errors, and no results
                    raise response.errors[0]
            except SearchError as error:
                if _is_wrong_for_all(error) and not errors:
                    raise
                logger.warning("%s failed: %s: %s", backend.name, code_of(error), error)
                errors.append(error)
            else:
                return replace(response, errors=(*errors, *response.errors))
        raise _first_of(errors) from errors[0]

    async def aclose(self) -> None:
        """Close the connections of all engines."""
        for backend in self._backends:
            await backend.aclose()


def _is_wrong_for_all(error: SearchError) -> bool:
    """True if the request is invalid for all engines; others may take a long query."""
    return isinstance(error, InvalidInput) and error.detail_code not in _TOO_LONG


def _first_of(errors: Sequence[SearchError]) -> SearchError:
    """The error of the first engine, which the user chose; it lists the others."""
    first, *others = errors
    if not others:
        return copy_of(first)
    summary = ", ".join(f"{error.provider} {code_of(error)}" for error in others)
    failure = copy_of(first, facts={**first.facts, "others": summary})
    failure.add_note(f"The engines after it failed too: {summary}")
    return failure
