"""Rate limits and cool-downs of the engines, shared by a process."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from websearch.browser.browser import START_SECONDS
from websearch.browser.installed import missing_browser
from websearch.config.settings import Settings
from websearch.engines.base import Backend
from websearch.errors import AuthError, SearchError
from websearch.routing.cooldown import Cooldowns, WithCooldown
from websearch.routing.rate_limit import RateLimit, WithRateLimit

# The user's own server, and samples without a server: no rate limit.
OWN: Final = frozenset({"searxng", "stub"})
# Their page is rendered by a browser, which takes a moment to start.
BROWSER: Final = frozenset({"google"})
# Seconds between two searches, for engines that also limit short bursts.
SPACING: Final[Mapping[str, float]] = {"ddg_html": 1.0, "google": 1.0}


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
        if name not in OWN:
            backend = WithRateLimit(backend, self.rate_limit(name, settings))
        elif is_lone or name == "stub":
            return backend
        limit = settings.timeout_of(name)
        if name in BROWSER:  # its start has a limit of its own
            limit += START_SECONDS
        return WithCooldown(backend, self.cooldowns, limit=limit, only_blocks=is_lone)

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
        key = _key(name, settings)
        field = "keyed_per_minute" if key_variable(name) else "scrapes_per_minute"
        per_minute = getattr(settings, field)
        limit = RateLimit(
            per_minute,
            variable=str(Settings.model_fields[field].alias),
            spacing=SPACING.get(name, 0.0),
            clock=self._clock,
        )
        hashed = hash(key.get_secret_value()) if key else None  # the key is not kept
        return self._rates.setdefault((name, per_minute, hashed), limit)


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
