"""Engines in sequence: if one fails, the next one searches."""

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from websearch.browser.browser import Browser
from websearch.engines.base import Backend
from websearch.errors import InvalidInput, SearchError
from websearch.models import SearchRequest, SearchResponse
from websearch.routing.deadline import usable, within
from websearch.routing.limits import needs_browser

logger = logging.getLogger(__name__)

SHARE: Final = 0.6  # share of the time left, for an engine that is not the last

_TOO_LONG: Final = frozenset({"query_too_long", "http_414"})


class Fallback:
    """
    Engines that search one after the other, within one deadline.

    An engine that needs the *browser* has the time of its start besides.

    The provider of the response is the engine that answered; its errors include the
    errors of the engines before it.
    """

    def __init__(
        self, backends: Sequence[Backend], *, browser: Browser | None = None
    ) -> None:
        self.name = ", ".join(backend.name for backend in backends)
        self._backends = tuple(backends)
        self._browser = browser

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the first answer of an engine."""
        end = time.monotonic() + usable(request)
        # The time for the start of a browser is no part of what is shared.
        start = self._browser.start_seconds if self._browser else 0.0
        starts = [
            start if needs_browser(backend.name.split("+")) else 0.0
            for backend in self._backends
        ]
        errors: list[SearchError] = []
        for number, backend in enumerate(self._backends):
            shared = max(end - time.monotonic() - sum(starts[number:]), 0.0)
            is_last = number == len(self._backends) - 1
            seconds = starts[number] + shared * (1 if is_last else SHARE)
            try:
                response = await backend.asearch(within(request, seconds))
                if not response.is_answer:  # errors, and no results
                    raise response.errors[0]
            except SearchError as error:
                # Invalid for all engines; but others may take a long query.
                is_invalid = isinstance(error, InvalidInput)
                if is_invalid and error.detail_code not in _TOO_LONG and not errors:
                    raise
                logger.warning(
                    "%s failed: %s: %s", backend.name, error.full_code, error
                )
                errors.append(error)
            else:
                return replace(response, errors=(*errors, *response.errors))
        # That of the first engine, which the user chose; it lists the others.
        first, *others = errors
        facts = dict(first.facts)
        if others:
            facts["others"] = ", ".join(f"{e.provider} {e.full_code}" for e in others)
        raise first.copy(facts=facts) from first

    async def aclose(self) -> None:
        """Close the connections of all engines."""
        for backend in self._backends:
            await backend.aclose()
