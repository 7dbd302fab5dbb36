"""Time limits: one for a whole search, and a share of it for each engine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from websearch.errors import SearchError, Stage, Timeout, WebProviderError
from websearch.models import SearchRequest
from websearch.network.errors import RequestCut

_DEFAULT_BUDGET_MS: Final = 5_000
# Reserved, so that the results arrive before the deadline of the whole search.
_MARGIN: Final = 0.1
_MARGIN_SHARE: Final = 0.1


def usable(request: SearchRequest) -> float:
    """The time limit of *request*, less a margin for returning the response."""
    limit = budget(request)
    return limit - min(_MARGIN, limit * _MARGIN_SHARE)


def budget(request: SearchRequest) -> float:
    """The time limit of *request* in seconds."""
    return (request.budget_ms or _DEFAULT_BUDGET_MS) / 1000


def within(request: SearchRequest, seconds: float) -> SearchRequest:
    """The same request with *seconds* as its time limit."""
    return request.changed(budget_ms=max(round(seconds * 1000), 1))


@asynccontextmanager
async def time_limit(name: str, seconds: float) -> AsyncIterator[None]:
    """Raise Timeout after *seconds*, and no error but SearchError, with the name."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        late = Timeout(
            f"{name} gave no complete answer within {seconds:.3g} s", provider=name
        )
        cut = error.__cause__ and error.__cause__.__cause__
        if isinstance(cut, RequestCut):
            late.stage, at = cut.stage, ""
            if cut.stage is Stage.PROXY:
                late.detail_code, at = "proxy_silent", f" at {cut.proxy}"
                late.facts["proxy"] = cut.proxy
            late.args = (f"{late} ({cut.stage}{at})",)
        raise late from error
    except SearchError as error:
        error.provider = error.provider or name
        raise
    except Exception as error:
        raise WebProviderError(
            f"The backend failed: {type(error).__name__}", provider=name
        ) from error
