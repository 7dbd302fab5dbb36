"""Choose the engines that receive a query; `_engines` is the whole table."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from websearch import engines as registry
from websearch.config import CONFIG, Settings, plain_name
from websearch.errors import InvalidInput
from websearch.routing.limits import has_key, key_variable

DEFAULT_BACKEND: Final = "searxng"
KEYLESS: Final = "ddg_html"


@dataclass(frozen=True, slots=True)
class NotTaken:
    """A name in the settings that selects no engine, and the reason."""

    place: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The *engines* search in parallel; if they fail, those of *fallback* in turn."""

    engines: tuple[str, ...]
    fallback: tuple[str, ...] = ()
    not_taken: tuple[NotTaken, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All engines that may receive a query."""
        return (*self.engines, *self.fallback)

    @property
    def title(self) -> str:
        """The plan as the settings write it: `a+b, c`."""
        return ", ".join(["+".join(self.engines), *self.fallback])

    @property
    def is_lone(self) -> bool:
        """True if there is only one engine."""
        return len(self.names) == 1


# The plan without settings. If an engine is named, no other receives a query.
UNCONFIGURED: Final = Plan((DEFAULT_BACKEND,), (KEYLESS, "stub"))


def only(backend: str) -> Plan:
    """The plan of *backend* (`a` or `a+b`) alone; InvalidInput if it is unknown."""
    known = _known(backend, "+")
    if not known or len(known) < len(_names(backend, "+")):
        raise InvalidInput(f"unknown backend; known are {_all_known()}")
    return Plan(known)


def chosen(
    settings: Settings,
    *,
    provider: str | None = None,
    place: str = "",
    default: str = DEFAULT_BACKEND,
) -> Plan:
    """The plan of *settings*, or of an agent's *provider* at *place* in its file."""
    is_app = default == DEFAULT_BACKEND
    is_named = settings.backend is not None or settings.fallback is not None
    # A broken file may have named an engine.
    is_configured = is_named or settings.names_searxng or settings.has_broken_file
    if is_app and provider is None and not is_configured:
        return UNCONFIGURED
    agents, backends = _known(provider, "+"), _known(settings.backend, "+")
    is_in_file = settings.is_from_file("backend")
    if agents:
        named_by = _NamedBy.AGENT
    elif not backends:
        named_by = _NamedBy.NOTHING
    else:  # in the tool contract no named engine is replaced
        named_by = _NamedBy.CONFIG if is_in_file and is_app else _NamedBy.VARIABLE
    named, fallback = agents or backends, _known(settings.fallback, ",")
    is_by_hand = bool(settings.backend) and not is_in_file
    case = _Case(
        named_by=named_by,
        named=named,
        by_hand=(backends or (DEFAULT_BACKEND,)) if is_by_hand else (),
        fallback=tuple(name for name in fallback if name not in named),
        lacking_key=tuple(name for name in named if not has_key(name, settings)),
        is_bound_to_searxng=settings.names_searxng or settings.has_broken_file,
        default=default,
    )
    engines = _engines(case)
    chain = tuple(name for name in case.fallback if name not in engines)
    return Plan(engines, chain, tuple(_not_taken(case, settings, provider, place)))


class _NamedBy(Enum):
    """The strongest setting that names a known engine."""

    AGENT = auto()  # agents.json
    VARIABLE = auto()  # WEB_SEARCH_BACKEND, by hand; or the tool contract's file
    CONFIG = auto()  # config.json
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class _Case:
    """The facts that decide which engines receive a query."""

    named_by: _NamedBy
    named: tuple[str, ...]
    by_hand: tuple[str, ...]  # WEB_SEARCH_BACKEND, beside a stronger setting too
    fallback: tuple[str, ...]  # WEB_SEARCH_FALLBACK or config.json, less those named
    lacking_key: tuple[str, ...]  # of those named
    is_bound_to_searxng: bool  # its address is set, or a file is broken
    default: str  # searxng; stub in the tool contract

    @property
    def with_key(self) -> tuple[str, ...]:
        """The named engines that have the key they need, or need none."""
        return tuple(name for name in self.named if name not in self.lacking_key)


def _engines(case: _Case) -> tuple[str, ...]:
    """
    The table of the engines that receive a query; the first matching row is used.

    The engines of the fallback follow in each row. Two rows stand elsewhere: an engine
    named on the command line is asked alone (`only`), and UNCONFIGURED.
    """
    match case.named_by:
        # A named engine is kept even without its key: its searches report that.
        case _NamedBy.VARIABLE:
            return case.named
        # Only a fallback, SearXNG's address, unknown names, or a broken file.
        case _NamedBy.NOTHING:
            return (case.default,)
        # A file names engines: those without their key are replaced by …
        case _NamedBy.AGENT | _NamedBy.CONFIG if case.with_key:
            return case.with_key
        case _NamedBy.AGENT if case.by_hand:
            return case.by_hand
        case _ if case.is_bound_to_searxng:
            return (DEFAULT_BACKEND,)
        case _ if case.fallback:
            return case.fallback[:1]
        case _:
            return (KEYLESS,)


def _not_taken(
    case: _Case, settings: Settings, provider: str | None, place: str
) -> Iterator[NotTaken]:
    """List the names without an engine: unknown ones, and those without their key."""
    of_backend = "WEB_SEARCH_BACKEND"
    if settings.is_from_file("backend"):
        of_backend = f"{CONFIG}: tools.webSearch.defaultProvider"
    yield from _unknown(provider, "+", place)
    if case.named_by is not _NamedBy.AGENT:
        yield from _unknown(settings.backend, "+", of_backend)
    yield from _unknown(settings.fallback, ",", "WEB_SEARCH_FALLBACK")
    if case.named_by in {_NamedBy.AGENT, _NamedBy.CONFIG}:
        file = place if case.named_by is _NamedBy.AGENT else of_backend
        for name in case.lacking_key:
            yield NotTaken(file, name, f"{key_variable(name)} is not set")


def _unknown(text: str | None, sign: str, place: str) -> Iterator[NotTaken]:
    for name in _names(text, sign):
        if name not in registry.BACKENDS:
            yield NotTaken(place, plain_name(name), f"not one of {_all_known()}")


def _known(text: str | None, sign: str) -> tuple[str, ...]:
    return tuple(name for name in _names(text, sign) if name in registry.BACKENDS)


def _names(text: str | None, sign: str) -> list[str]:
    names = [name.strip() for name in (text or "").split(sign)]
    return list(dict.fromkeys(name for name in names if name))


def _all_known() -> str:
    return ", ".join(registry.BACKENDS)
