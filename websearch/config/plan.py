"""Which engines the settings name: at once, and one after the other."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from untrusted.text import short

DEFAULT_BACKEND: Final = "searxng"


class NotTaken(NamedTuple):
    """A name that asks no engine: where it stands, what is done instead, and why."""

    place: str
    name: str
    default: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """*engines* are asked at once; where they fail, those of *fallback* in turn."""

    engines: tuple[str, ...]
    fallback: tuple[str, ...] = ()
    not_taken: tuple[NotTaken, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All that may receive a query."""
        return (*self.engines, *self.fallback)

    @property
    def title(self) -> str:
        """As the settings write it: `a+b, c`."""
        return ", ".join(["+".join(self.engines), *self.fallback])

    @property
    def is_lone(self) -> bool:
        """Whether one engine only is ever asked."""
        return len(self.names) == 1


def planned(
    backend: str | None,
    fallback: str | None,
    *,
    known: Collection[str],
    default: str,
    places: tuple[str, str] = ("WEB_SEARCH_BACKEND", "WEB_SEARCH_FALLBACK"),
) -> Plan:
    """Read `a+b` and `c, d`; unknown names are left out, and *default* is for none."""
    named, following = _names(backend, "+"), _names(fallback, ",")
    engines = [name for name in named if name in known] or [default]
    chain = [name for name in following if name in known]
    instead = ("+".join(engines), ", ".join(chain) or "none")
    reason = f"known are {', '.join(known)}"
    not_taken = [
        NotTaken(place, short(name), used, reason)
        for place, used, names in zip(places, instead, (named, following), strict=True)
        for name in names
        if name not in known
    ]
    return Plan(
        tuple(engines),
        tuple(name for name in chain if name not in engines),
        tuple(not_taken),
    )


def _names(text: str | None, sign: str) -> list[str]:
    return list(dict.fromkeys(_stripped((text or "").split(sign))))


def _stripped(names: Iterable[str]) -> list[str]:
    return [name.strip() for name in names if name.strip()]
