"""Time limits: one for a whole search, and a share of it for each engine."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from websearch.engines.base import Backend
from websearch.errors import SearchError, Stage, Timeout, WebProviderError
from websearch.models import SearchRequest, SearchResponse
from websearch.network.errors import RequestCut

_DEFAULT_BUDGET_MS: Final = 5_000
# Reserved, so that the results arrive before the deadline of the whole search.
_MARGIN: Final = 0.1
_MARGIN_SHARE: Final = 0.1
# Extra time before an engine is cancelled; usually it ends earlier by itself.
_HEAD_START: Final = 0.05


class TimeLeft:
    """The time left of a request, less the margin for returning the response."""

    def __init__(self, request: SearchRequest) -> None:
        limit = budget(request)
        margin = min(_MARGIN, limit * _MARGIN_SHARE)
        self._end = time.monotonic() + limit - margin

    def __call__(self) -> float:
        """Seconds; 0 if none are left."""
        return max(self._end - time.monotonic(), 0.0)


def budget(request: SearchRequest) -> float:
    """The time limit of *request* in seconds."""
    return (request.budget_ms or _DEFAULT_BUDGET_MS) / 1000


def within(request: SearchRequest, seconds: float) -> SearchRequest:
    """The same request with *seconds* as its time limit."""
    return request.changed(budget_ms=max(round(seconds * 1000), 1))


async def ask(
    backend: Backend, request: SearchRequest, seconds: float
) -> SearchResponse:
    """Search within *seconds*; raises only SearchError with the engine's name."""
    shorter = seconds - min(_HEAD_START, seconds * _HEAD_START)
    async with time_limit(backend.name, seconds):
        response = await backend.asearch(within(request, shorter))
    for error in response.errors:
        error.provider = error.provider or response.provider
    return response


@asynccontextmanager
async def time_limit(name: str, seconds: float) -> AsyncIterator[None]:
    """Raise Timeout after *seconds*, and no error but SearchError, with the name."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        cancelled = error.__cause__
        raise _timeout(name, seconds, cancelled and cancelled.__cause__) from error
    except SearchError as error:
        error.provider = error.provider or name
        raise
    except Exception as error:
        raise WebProviderError(
            f"The backend failed: {type(error).__name__}", provider=name
        ) from error


def _timeout(name: str, seconds: float, cause: BaseException | None) -> Timeout:
    words = f"{name} gave no complete answer within {seconds:.3g} s"
    if not isinstance(cause, RequestCut):
        return Timeout(words, provider=name)
    if cause.stage is not Stage.PROXY:
        return Timeout(f"{words} ({cause.stage})", provider=name, stage=cause.stage)
    return Timeout(
        f"{words} ({cause.stage} at {cause.proxy})",
        provider=name,
        stage=cause.stage,
        detail_code="proxy_silent",
        facts={"proxy": cause.proxy},
    )
