"""Make a search service from the settings, and tell where its queries go."""

import logging
from typing import TYPE_CHECKING

from websearch.plan import DEFAULT_BACKEND
from websearch.service import SearchService

if TYPE_CHECKING:
    from websearch.backend import Backend
    from websearch.manners import Manners
    from websearch.plan import Plan
    from websearch.settings import Settings

logger = logging.getLogger(__name__)


def create_service(
    settings: "Settings | None" = None,
    *,
    backend: str | None = None,
    plan: "Plan | None" = None,
    default: str = DEFAULT_BACKEND,
    manners: "Manners | None" = None,
) -> SearchService:
    """
    A service by the settings, for a *plan*, or for *backend* alone where it is named.

    *default* serves where the settings name no backend, or an unknown one.
    Services of one process share their *manners*: how often engines are asked, and
    which of them rest.
    """
    from websearch.choice import chosen, only  # noqa: PLC0415  pydantic is heavy
    from websearch.manners import Manners  # noqa: PLC0415
    from websearch.settings import Settings  # noqa: PLC0415

    settings = settings or Settings.load()
    if plan is None:
        logger.info("Search settings: %s", settings.summary())
        plan = only(backend) if backend else chosen(settings, default=default)
        log_not_taken(plan)
    return SearchService(
        _remembered(_built(plan, settings, manners or Manners()), settings),
        timeout=_limit(plan, settings),
        log_queries=settings.log_queries,
    )


def log_not_taken(plan: "Plan") -> None:
    """A line for each engine that was named and is not asked."""
    for entry in plan.not_taken:
        logger.warning("%s=%s is not taken: using %s (%s)", *entry)


def destinations(settings: "Settings", plan: "Plan | None" = None) -> str:
    """Where queries are sent, for the log: each engine with its address."""
    from websearch.backends import BACKENDS  # noqa: PLC0415  pydantic is heavy
    from websearch.choice import chosen  # noqa: PLC0415
    from websearch.http import Http  # noqa: PLC0415

    plan = plan or chosen(settings)
    told = {n: f"{n}{_place(BACKENDS[n](settings, Http()))}" for n in plan.names}
    at_once = " + ".join(told[name] for name in plan.engines)
    return ", else ".join([at_once, *(told[name] for name in plan.fallback)])


def _remembered(backend: "Backend", settings: "Settings") -> "Backend":
    """Whole answers, for as long as the settings say."""
    from websearch.shared_cache import Remembered  # noqa: PLC0415

    minutes = settings.cache_ttl_minutes
    return Remembered(backend, minutes * 60) if minutes else backend


def _built(plan: "Plan", settings: "Settings", manners: "Manners") -> "Backend":
    from websearch.backends import BACKENDS  # noqa: PLC0415  pydantic is heavy
    from websearch.doors import Doors  # noqa: PLC0415
    from websearch.fallback import Fallback  # noqa: PLC0415
    from websearch.several import Several  # noqa: PLC0415

    doors = Doors(settings)
    engines = {
        name: manners.polite(
            BACKENDS[name](settings, doors.of(name)), settings, is_lone=plan.is_lone
        )
        for name in plan.names
    }
    chosen = [engines[name] for name in plan.engines]
    first = Several(chosen) if len(chosen) > 1 else chosen[0]
    if not plan.fallback:
        return first
    return Fallback([first, *(engines[name] for name in plan.fallback)])


def _limit(plan: "Plan", settings: "Settings") -> float:
    """Seconds for a whole search; one engine alone may have a limit of its own."""
    alone = settings.timeout_of(plan.engines[0])
    return alone if plan.is_lone else settings.timeout_ms / 1000


def _place(backend: "Backend") -> str:
    """Where an engine is, if it tells by an `address`, without credentials."""
    if backend.name == "stub":
        return " (nowhere)"
    address = getattr(backend, "address", None)
    place = getattr(address, "url", address)
    return f" ({place})" if place else ""
