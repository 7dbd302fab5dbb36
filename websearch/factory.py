"""Make a search service from the settings, and list the receivers of its queries."""

import logging

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
from websearch.routing.limits import EngineLimits, needs_browser
from websearch.routing.parallel import Parallel
from websearch.routing.selection import DEFAULT_BACKEND, Plan, chosen, only
from websearch.service import SearchService

logger = logging.getLogger(__name__)


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
    limits = limits or EngineLimits()
    if plan is None:
        logger.info("Search settings: %s", settings.summary())
        plan = only(backend) if backend else chosen(settings, default=default)
        log_not_taken(plan)
    built = {}
    for name in plan.names:
        http = http_client_of(name, settings)
        engine = engines.BACKENDS[name].from_settings(settings, http, processes)
        built[name] = limits.wrap(engine, settings, is_lone=plan.is_lone)
    # Its start may make a search longer.
    browser = processes.browser if needs_browser(plan.names) else None
    at_once = [built[name] for name in plan.engines]
    searching: Backend = Parallel(at_once) if len(at_once) > 1 else at_once[0]
    if plan.fallback:
        others = (built[name] for name in plan.fallback)
        searching = Fallback([searching, *others], browser=browser)
    if minutes := settings.cache_ttl_minutes:
        searching = shared_cache(searching, minutes * 60)
    alone = settings.timeout_of(plan.engines[0])  # it may have its own limit
    return SearchService(
        searching,
        timeout=alone if plan.is_lone else settings.timeout_ms / 1000,
        browser=browser,
        log_queries=settings.log_queries,
        is_private=AddressPolicy(settings.fetch_allowed_hosts).is_private,
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


def http_client_of(name: str, settings: Settings) -> HttpClient:
    """The client of an engine; proxy and User-Agent of the settings are for pages."""
    if not is_page_engine(name):
        return HttpClient()
    return HttpClient(proxy=settings.fetch_proxy, user_agent=settings.fetch_user_agent)


def destinations(settings: Settings, plan: Plan | None = None) -> str:
    """List each engine that receives queries, with its address, for the log."""
    plan = plan or chosen(settings)
    shown = {}
    for name in plan.names:
        engine = engines.BACKENDS[name].from_settings(settings, HttpClient())
        address = "nowhere" if name == "stub" else getattr(engine, "address", "")
        # Shown without its credentials.
        shown[name] = f"{name} ({address})" if address else name
    at_once = " + ".join(shown[name] for name in plan.engines)
    return ", else ".join([at_once, *(shown[name] for name in plan.fallback)])
