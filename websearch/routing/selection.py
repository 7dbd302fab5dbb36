"""Which engines are asked: by the settings, for an agent, or where nothing is set."""

from dataclasses import replace
from typing import Final

from websearch import engines as backends
from websearch.config.config_file import CONFIG
from websearch.config.plan import DEFAULT_BACKEND, NotTaken, Plan, planned
from websearch.config.settings import Settings
from websearch.errors import InvalidInput
from websearch.routing.limits import has_key, key_variable

KEYLESS: Final = "ddg_html"
# Where nobody has set anything. With an engine named, no other ever hears a query.
UNCONFIGURED: Final = Plan((DEFAULT_BACKEND,), (KEYLESS, "stub"))


def chosen(
    settings: Settings,
    *,
    provider: str | None = None,
    place: str = "",
    default: str = DEFAULT_BACKEND,
) -> Plan:
    """
    Who is asked, by the settings, or by the *provider* that stands at a *place*.

    An engine that a file names, and that lacks its key, gives way; one that was named
    by hand does not, and its searches say what is missing.
    """
    if provider is not None:
        return _of_agent(provider, settings, place)
    if default == DEFAULT_BACKEND and not settings.names_engines:
        return UNCONFIGURED
    plan = _planned(settings.backend, settings, "WEB_SEARCH_BACKEND", default)
    # Through the tool contract, nothing gives way.
    is_of_file = settings.is_from_file("WEB_SEARCH_BACKEND")
    if is_of_file and default == DEFAULT_BACKEND:
        return _keyed(plan, settings, f"{CONFIG.name}: defaultProvider")
    return plan


def only(backend: str) -> Plan:
    """*backend* and no other; raises InvalidInput where it is unknown."""
    plan = planned(backend, None, known=backends.BACKENDS, default=DEFAULT_BACKEND)
    if plan.not_taken:
        raise InvalidInput(f"unknown backend; known are {', '.join(backends.BACKENDS)}")
    return plan


def _of_agent(provider: str, settings: Settings, place: str) -> Plan:
    """The engines of *provider*; where it names none, those of the settings."""
    plan = _planned(provider, settings, place, DEFAULT_BACKEND)
    mistaken = tuple(entry for entry in plan.not_taken if entry.place == place)
    named = [name.strip() for name in provider.split("+")]
    if any(name in plan.engines for name in named):
        return _keyed(plan, settings, place)
    instead = chosen(settings)
    if instead == UNCONFIGURED:  # somebody meant to choose: no other engine hears it
        instead = Plan((DEFAULT_BACKEND,))
    told = [entry._replace(default=instead.title) for entry in mistaken]
    return replace(instead, not_taken=(*told, *instead.not_taken))


def _planned(named: str | None, settings: Settings, place: str, default: str) -> Plan:
    return planned(
        named,
        settings.fallback,
        known=backends.BACKENDS,
        default=default,
        places=(place, "WEB_SEARCH_FALLBACK"),
    )


def _keyed(plan: Plan, settings: Settings, place: str) -> Plan:
    """The plan without engines that lack their key; some engine always stays."""
    lacking = [name for name in plan.engines if not has_key(name, settings)]
    if not lacking:
        return plan
    kept = tuple(name for name in plan.engines if name not in lacking)
    engines = kept or _without_key(plan, settings)
    chain = tuple(name for name in plan.fallback if name not in engines)
    used = Plan(engines, chain).title
    left_out = [
        NotTaken(place, name, used, f"{key_variable(name)} is not set")
        for name in lacking
    ]
    return Plan(engines, chain, (*plan.not_taken, *left_out))


def _without_key(plan: Plan, settings: Settings) -> tuple[str, ...]:
    """DuckDuckGo; where somebody named who may hear queries, that one instead."""
    if settings.backend and not settings.is_from_file("WEB_SEARCH_BACKEND"):
        return _planned(settings.backend, settings, "", DEFAULT_BACKEND).engines
    if settings.names_searxng or settings.mistakes:
        return (DEFAULT_BACKEND,)
    return plan.fallback[:1] or (KEYLESS,)
