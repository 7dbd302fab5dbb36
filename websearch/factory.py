"""Make a search service from the settings, and list the receivers of its queries."""

import logging
from dataclasses import dataclass
from functools import partial
from typing import Self

from websearch import engines
from websearch.cache import shared_cache
from websearch.config import Settings
from websearch.config.settings import is_page_engine
from websearch.engines.base import Backend
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.download import PAGE_MS, Downloader
from websearch.fetch.guard import Guard
from websearch.fetch.rendering import Renderer
from websearch.fetch.service import PageReader, PageSource
from websearch.network.client import HttpClient, Proxies
from websearch.processes import Processes
from websearch.routing.fallback import Fallback
from websearch.routing.limits import BROWSER, EngineLimits
from websearch.routing.parallel import Parallel
from websearch.routing.selection import DEFAULT_BACKEND, Plan, chosen, only
from websearch.service import SearchService

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HttpClients:
    """Two HTTP clients: direct for APIs, and for scraped pages by `web.fetch`."""

    apis: HttpClient
    pages: HttpClient

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Both clients; proxy and User-Agent of the settings are for pages only."""
        agent = settings.fetch_user_agent
        pages = HttpClient(proxy=settings.fetch_proxy, user_agent=agent)
        return cls(HttpClient(), pages)

    def of(self, backend: str) -> HttpClient:
        """The client for *backend*."""
        return self.pages if is_page_engine(backend) else self.apis


def create_service(
    settings: Settings | None = None,
    *,
    backend: str | None = None,
    plan: Plan | None = None,
    default: str = DEFAULT_BACKEND,
    limits: EngineLimits | None = None,
    processes: Processes | None = None,
) -> SearchService:
    """
    Make the service of the settings, of a *plan*, or of *backend* alone if given.

    *default* is used if the settings name no backend, or an unknown one.
    Services of one process share their *limits*: rate limits and cool-downs. With
    its reader of pages they share the *processes*.
    """
    settings = settings or Settings.load()
    processes = processes or Processes.from_settings(settings)
    if plan is None:
        logger.info("Search settings: %s", settings.summary())
        plan = only(backend) if backend else chosen(settings, default=default)
        log_not_taken(plan)
    return SearchService(
        _cached(_built(plan, settings, limits or EngineLimits(), processes), settings),
        timeout=_limit(plan, settings),
        start_seconds=partial(_start_seconds, processes, *plan.names),
        log_queries=settings.log_queries,
    )


def create_reader(
    settings: Settings | None = None, *, processes: Processes | None = None
) -> PageReader:
    """A reader of web pages by the settings."""
    settings = settings or Settings.load()
    if not settings.fetch_enabled:
        return PageReader(None)
    processes = processes or Processes.from_settings(settings)
    policy = AddressPolicy(settings.fetch_allowed_hosts)
    guard = Guard(policy, Proxies(settings.fetch_proxy))
    seconds = (settings.fetch_timeout_ms or PAGE_MS) / 1000
    agent = settings.fetch_user_agent
    downloader = Downloader(guard, seconds=seconds, user_agent=agent)
    renderer = None
    if settings.fetch_browser:
        renderer = Renderer(processes.browser, guard, seconds)
    return PageReader(PageSource(downloader, processes.workers, renderer))


def log_not_taken(plan: Plan) -> None:
    """Log a warning for each engine that is named but not used."""
    for entry in plan.not_taken:
        logger.warning(
            "%s=%s is not taken: using %s (%s)",
            entry.place,
            entry.name,
            plan.title,
            entry.reason,
        )


def destinations(settings: Settings, plan: Plan | None = None) -> str:
    """List each engine that receives queries, with its address, for the log."""
    plan = plan or chosen(settings)
    shown = {}
    for name in plan.names:
        backend = engines.BACKENDS[name].from_settings(settings, HttpClient())
        shown[name] = f"{name}{_address(backend)}"
    at_once = " + ".join(shown[name] for name in plan.engines)
    return ", else ".join([at_once, *(shown[name] for name in plan.fallback)])


def _cached(backend: Backend, settings: Settings) -> Backend:
    """Wrap *backend* with the shared cache, if the settings enable it."""
    minutes = settings.cache_ttl_minutes
    return shared_cache(backend, minutes * 60) if minutes else backend


def _built(
    plan: Plan, settings: Settings, limits: EngineLimits, processes: Processes
) -> Backend:
    clients = HttpClients.from_settings(settings)
    built = {
        name: limits.wrap(
            engines.BACKENDS[name].from_settings(settings, clients.of(name), processes),
            settings,
            is_lone=plan.is_lone,
        )
        for name in plan.names
    }
    at_once = [built[name] for name in plan.engines]
    first = Parallel(at_once) if len(at_once) > 1 else at_once[0]
    if not plan.fallback:
        return first
    chain = [first, *(built[name] for name in plan.fallback)]
    return Fallback(chain, start_seconds=partial(_start_seconds, processes))


def _limit(plan: Plan, settings: Settings) -> float:
    """Seconds for a whole search; a single engine may have its own limit."""
    alone = settings.timeout_of(plan.engines[0])
    return alone if plan.is_lone else settings.timeout_ms / 1000


def _start_seconds(processes: Processes, *names: str) -> float:
    """Seconds that a search through these engines may take longer now."""
    parts = {name for joined in names for name in joined.split("+")}
    return 0.0 if BROWSER.isdisjoint(parts) else processes.browser.start_seconds


def _address(backend: Backend) -> str:
    """The `address` of an engine that has one, without credentials."""
    if backend.name == "stub":
        return " (nowhere)"
    address = getattr(backend, "address", None)
    url = getattr(address, "url", address)
    return f" ({url})" if url else ""
