"""Engines in parallel, their results merged by reciprocal rank fusion."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from untrusted.urls import clean_url, page_key
from websearch.engines.base import Backend
from websearch.errors import SearchError
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.results import merged
from websearch.routing.deadline import usable, within

logger = logging.getLogger(__name__)

K: Final = 60  # constant of the paper on reciprocal rank fusion

# Errors that a user can fix come first.
_BY_USE: Final = (
    "AuthError",
    "WebBlocked",
    "WebParseError",
    "BadGateway",
    "NetworkError",
    "Timeout",
    "InvalidInput",
    "WebProviderError",
)


class Parallel:
    """
    Engines that search in parallel, with merged results.

    The response names the engines that answered, and has the errors of the others, the
    most useful first. An engine beyond its time limit is cancelled.
    """

    def __init__(self, backends: Sequence[Backend]) -> None:
        self.name = "+".join(backend.name for backend in backends)
        self._backends = tuple(backends)

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the merged results; raise an error only if all engines failed."""
        request = within(request, usable(request))
        outcomes = await asyncio.gather(
            *(backend.asearch(request) for backend in self._backends),
            return_exceptions=True,
        )
        for outcome in outcomes:
            if not isinstance(outcome, SearchResponse | SearchError):
                raise outcome  # what a backend without limits raised
        answers = [o for o in outcomes if isinstance(o, SearchResponse)]
        failures = [o for o in outcomes if isinstance(o, SearchError)]
        errors = sorted(
            failures,
            key=lambda e: _BY_USE.index(e.code) if e.code in _BY_USE else len(_BY_USE),
        )
        if not answers:
            raise errors[0].copy() from errors[0]
        errors += [error for answer in answers for error in answer.errors]
        return SearchResponse(
            request.query,
            "+".join(answer.provider for answer in answers),
            fuse(answer.items for answer in answers),
            errors=errors,
        )

    async def aclose(self) -> None:
        """Close the connections of all engines."""
        for backend in self._backends:
            await backend.aclose()


def fuse(lists: Iterable[Iterable[SearchItem]], *, k: int = K) -> list[SearchItem]:
    """Order the pages by the sum of 1 / (k + rank) over all lists with the page."""
    scores: dict[str, float] = {}
    pages: dict[str, list[SearchItem]] = {}
    for items in lists:
        seen: set[str] = set()
        for item in items:
            if (url := clean_url(item.url)) is None:
                logger.debug("Left out a result without a usable http(s) address")
                continue
            key = page_key(url)
            pages.setdefault(key, []).append(item)
            if key not in seen:
                seen.add(key)
                scores[key] = scores.get(key, 0.0) + 1 / (k + len(seen))
    # Rounded, because the sum of floats depends on the order of its parts.
    order = sorted(scores, key=lambda key: round(-scores[key], 12))
    return [
        replace(
            merged(twins := pages[key]),
            engine=", ".join(dict.fromkeys(t.engine or t.provider for t in twins)),
            score=scores[key],
        )
        for key in order
    ]
