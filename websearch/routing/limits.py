"""How engines are treated: which are paced, which rest, and what is remembered."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from websearch.config.settings import Settings
from websearch.engines.base import Backend
from websearch.errors import AuthError, SearchError
from websearch.routing.cooldown import Health
from websearch.routing.rate_limit import Pace, Paced, refusal
from websearch.routing.rested import Rested

# Servers of the user's own, and none at all: their limits are their owner's.
OWN: Final = frozenset({"searxng", "stub"})
# Seconds between two searches, for engines that look at more than the minute.
SPACING: Final[Mapping[str, float]] = {"ddg_html": 1.0}


class Manners:
    """
    What a process remembers of engines: one object, given to each service it makes.

    An engine with a key in the settings (`<name>_api_key`) has a quota for that key;
    any other is scraped, and has the limit for scraping.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.health = Health(clock=clock)
        self._clock = clock
        self._paces: dict[tuple[object, ...], Pace] = {}

    def polite(self, backend: Backend, settings: Settings, *, is_lone: bool) -> Backend:
        """
        *backend* at its pace, and resting where it must.

        A lone engine that is down is asked again at once: there is no other, and the
        user may just have mended it.
        """
        name = backend.name
        if name not in OWN:
            backend = Paced(backend, self._pace(name, settings), clock=self._clock)
        elif is_lone or name == "stub":
            return backend
        limit = settings.timeout_of(name)
        return Rested(backend, self.health, limit=limit, only_blocks=is_lone)

    def obstacle(self, name: str, settings: Settings) -> SearchError | None:
        """What a search through *name* would hear now without a word to the engine."""
        variable = key_variable(name)
        if variable and not _key(name, settings):
            return AuthError(
                f"{variable} is not set",
                detail_code="missing_key",
                provider=name,
                facts={"variable": variable},
            )
        if rest := self.health.resting(name):
            return rest.error(name, self.health.clock())
        if name not in OWN and (pace := self._pace(name, settings)).wait() > 0:
            return refusal(name, pace)
        return None

    def _pace(self, name: str, settings: Settings) -> Pace:
        key = _key(name, settings)
        field = "keyed_per_minute" if key_variable(name) else "scrapes_per_minute"
        limit = getattr(settings, field)
        # Of the key, its hash only; and another limit is another pace.
        marks = (name, limit, hash(key.get_secret_value()) if key else None)
        pace = Pace(
            limit,
            variable=str(Settings.model_fields[field].alias),
            spacing=SPACING.get(name, 0.0),
            clock=self._clock,
        )
        return self._paces.setdefault(marks, pace)


def key_variable(name: str) -> str | None:
    """The setting that holds the key of an engine; None where it needs none."""
    field = None if name in OWN else Settings.model_fields.get(f"{name}_api_key")
    return field.alias if field else None


def has_key(name: str, settings: Settings) -> bool:
    """Whether an engine has the key it needs, or needs none."""
    return key_variable(name) is None or _key(name, settings) is not None


def _key(name: str, settings: Settings) -> Any:
    return getattr(settings, f"{name}_api_key", None)
