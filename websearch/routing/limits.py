"""Rate limits and cool-downs of the engines, shared by a process."""

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from websearch.browser.browser import START_SECONDS
from websearch.browser.installed import missing_browser
from websearch.config.settings import Settings
from websearch.engines.base import Backend
from websearch.errors import AuthError, SearchError, Timeout
from websearch.models import SearchRequest, SearchResponse
from websearch.routing.cooldown import Cooldowns
from websearch.routing.deadline import budget, time_limit, within
from websearch.routing.rate_limit import RateLimit

# The user's own server, and samples without a server: no rate limit.
OWN: Final = frozenset({"searxng", "stub"})
# Their page is rendered by a browser, which takes a moment to start.
BROWSER: Final = frozenset({"google"})
KEYED_PER_MINUTE: Final = 60
# Seconds between two searches, for engines that also limit short bursts.
SPACING: Final[Mapping[str, float]] = {"ddg_html": 1.0, "google": 1.0}
MIN_SECONDS: Final = 0.5  # seconds that a search needs after its wait, or it is refused
# A caller may give an engine too little time. A timeout counts as its failure only
# after this many seconds, or a third of the engine's own limit where that is shorter.
ENOUGH_SECONDS: Final = 1.0
# Extra time before an engine is cancelled; usually it ends earlier by itself.
_HEAD_START: Final = 0.05


class EngineLimits:
    """
    The rate limits and cool-downs of a process, shared by all its services.

    An engine with a key in the settings (`<name>_api_key`) has the limit for keys, any
    other the limit for scraping.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.cooldowns = Cooldowns(clock=clock)
        self._clock = clock
        self._rates: dict[tuple[object, ...], RateLimit] = {}

    def wrap(self, backend: Backend, settings: Settings, *, is_lone: bool) -> Backend:
        """
        Wrap *backend* with its rate limit and cool-down.

        A single engine that is down is used again at once: there is no other, and the
        user may just have repaired it.
        """
        name = backend.name
        if name in OWN and (is_lone or name == "stub"):
            return backend
        seconds = settings.timeout_of(name)
        if name in BROWSER:  # its start has a limit of its own
            seconds += START_SECONDS
        rate = None if name in OWN else self.rate_limit(name, settings)
        return Limited(
            backend, self.cooldowns, rate, seconds=seconds, only_blocks=is_lone
        )

    def obstacle(self, name: str, settings: Settings) -> SearchError | None:
        """The error of a search made now, if nothing would be sent."""
        variable = key_variable(name)
        if variable and not _key(name, settings):
            return AuthError(
                f"{variable} is not set",
                detail_code="missing_key",
                provider=name,
                facts={"variable": variable},
            )
        if name in BROWSER and (error := missing_browser(settings.chrome_path)):
            return error.copy(provider=name)
        if (error := self.cooldowns.error(name)) or name in OWN:
            return error
        limit = self.rate_limit(name, settings)
        return limit.error(name) if limit.wait() > 0 else None

    def rate_limit(self, name: str, settings: Settings) -> RateLimit:
        """The rate limit of an engine: one for each key and number of searches."""
        key, per_minute = _key(name, settings), settings.scrapes_per_minute
        if key_variable(name):
            per_minute = KEYED_PER_MINUTE
        spacing = SPACING.get(name, 0.0)
        limit = RateLimit(per_minute, spacing=spacing, clock=self._clock)
        hashed = hash(key.get_secret_value()) if key else None  # the key is not kept
        return self._rates.setdefault((name, per_minute, hashed), limit)


class Limited:
    """
    An engine with its time limit: *seconds*, or less where the request has less.

    It is skipped while it cools down, and a search waits for its turn by *rate*, or is
    refused. With *only_blocks* an engine that is down is used anyway, because there is
    no other.
    """

    def __init__(
        self,
        backend: Backend,
        cooldowns: Cooldowns,
        rate: RateLimit | None = None,
        *,
        seconds: float = math.inf,
        only_blocks: bool = False,
    ) -> None:
        self.name = backend.name
        self._backend = backend
        self._cooldowns = cooldowns
        self._rate = rate
        self._seconds = seconds
        self._only_blocks = only_blocks

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Search, unless the engine cools down; raises only SearchError."""
        if error := self._cooldowns.error(self.name, only_blocks=self._only_blocks):
            raise error
        seconds = min(budget(request), self._seconds)
        left = seconds - min(_HEAD_START, seconds * _HEAD_START)
        started = time.monotonic()
        try:
            async with time_limit(self.name, seconds):
                if self._rate:
                    waited = await self._rate.turn(max(left - MIN_SECONDS, 0.0))
                    if waited is None:
                        raise self._rate.error(self.name)
                    left -= waited
                response = await self._backend.asearch(within(request, left))
        except asyncio.CancelledError:
            if time.monotonic() - started >= seconds:  # timed out late, in a busy loop
                self._failed(Timeout("cut off"), seconds)
            raise
        except SearchError as error:
            self._failed(error, seconds)
            raise
        for failure in response.errors:
            failure.provider = failure.provider or response.provider
        self._cooldowns.succeeded(self.name)
        return response

    async def aclose(self) -> None:
        """Close the connections of the engine."""
        await self._backend.aclose()

    def _failed(self, error: SearchError, seconds: float) -> None:
        """Count *error*, but no Timeout of a search that had only a few *seconds*."""
        enough = min(ENOUGH_SECONDS, self._seconds / 3)
        if seconds >= enough or not isinstance(error, Timeout):
            self._cooldowns.failed(self.name, error)


def needs_browser(names: Iterable[str]) -> bool:
    """True if one of the engines *names* needs a browser."""
    return not BROWSER.isdisjoint(names)


def key_variable(name: str) -> str | None:
    """The setting that holds the key of an engine; None where it needs none."""
    field = None if name in OWN else Settings.model_fields.get(f"{name}_api_key")
    return field.alias if field else None


def has_key(name: str, settings: Settings) -> bool:
    """True if an engine has the key it needs, or needs none."""
    return key_variable(name) is None or _key(name, settings) is not None


def _key(name: str, settings: Settings) -> Any:
    return getattr(settings, f"{name}_api_key", None)
