"""Make a search service from the settings, and tell where its queries go."""

import logging
from typing import TYPE_CHECKING, Final

from websearch.errors import InvalidInput
from websearch.plan import Plan, planned
from websearch.service import SearchService

if TYPE_CHECKING:
    from websearch.backend import Backend
    from websearch.manners import Manners
    from websearch.settings import Settings

logger = logging.getLogger(__name__)

DEFAULT_BACKEND: Final = "searxng"


def create_service(
    settings: "Settings | None" = None,
    *,
    backend: str | None = None,
    default: str = DEFAULT_BACKEND,
    manners: "Manners | None" = None,
) -> SearchService:
    """
    A service made from the settings, or for *backend* alone where one is named.

    *default* serves where the settings name no backend, or an unknown one.
    Services of one process share their *manners*: how often engines are asked, and
    which of them rest.
    """
    from websearch.manners import Manners  # noqa: PLC0415  pydantic is heavy
    from websearch.settings import Settings  # noqa: PLC0415

    settings = settings or Settings.load()
    logger.info("Search settings: %s", settings.summary())
    plan = plan_of(settings, backend, default)
    for variable, name, instead in plan.unknown:
        logger.warning("%s=%s is unknown; using %s", variable, name, instead)
    return SearchService(
        _built(plan, settings, manners or Manners()),
        timeout=_limit(plan, settings),
        log_queries=settings.log_queries,
    )


def destinations(settings: "Settings", *, default: str = DEFAULT_BACKEND) -> str:
    """Where queries are sent, for the log: each engine with its address."""
    from websearch.backends import BACKENDS  # noqa: PLC0415  pydantic is heavy
    from websearch.http import Http  # noqa: PLC0415

    plan = plan_of(settings, default=default)
    told = {n: f"{n}{_place(BACKENDS[n](settings, Http()))}" for n in plan.names}
    at_once = " + ".join(told[name] for name in plan.engines)
    return ", else ".join([at_once, *(told[name] for name in plan.fallback)])


def plan_of(
    settings: "Settings", backend: str | None = None, default: str = DEFAULT_BACKEND
) -> Plan:
    """Who is asked, by the settings, or by *backend*, which must be known."""
    from websearch.backends import BACKENDS  # noqa: PLC0415  pydantic is heavy

    if backend is None:
        return planned(
            settings.backend, settings.fallback, known=BACKENDS, default=default
        )
    plan = planned(backend, None, known=BACKENDS, default=default)
    if plan.unknown:
        raise InvalidInput(f"unknown backend; known are {', '.join(BACKENDS)}")
    return plan


def _built(plan: Plan, settings: "Settings", manners: "Manners") -> "Backend":
    from websearch.backends import BACKENDS  # noqa: PLC0415  pydantic is heavy
    from websearch.fallback import Fallback  # noqa: PLC0415
    from websearch.http import Http  # noqa: PLC0415
    from websearch.several import Several  # noqa: PLC0415

    http = Http()
    engines = {
        name: manners.polite(
            BACKENDS[name](settings, http), settings, is_lone=plan.is_lone
        )
        for name in plan.names
    }
    chosen = [engines[name] for name in plan.engines]
    first = Several(chosen) if len(chosen) > 1 else chosen[0]
    if not plan.fallback:
        return first
    return Fallback([first, *(engines[name] for name in plan.fallback)])


def _limit(plan: Plan, settings: "Settings") -> float:
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
