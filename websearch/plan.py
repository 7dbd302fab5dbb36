"""Which engines the settings name: at once, and one after the other."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from websearch.text import short


class Unknown(NamedTuple):
    """A name that is no engine, the variable it stands in, and what is done instead."""

    variable: str
    name: str
    default: str


@dataclass(frozen=True, slots=True)
class Plan:
    """*engines* are asked at once; where they fail, those of *fallback* in turn."""

    engines: tuple[str, ...]
    fallback: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()

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
    backend: str | None, fallback: str | None, *, known: Collection[str], default: str
) -> Plan:
    """Read `a+b` and `c, d`; unknown names are left out, and *default* is for none."""
    named = _names(backend, "+")
    engines = [name for name in named if name in known]
    following = _names(fallback, ",")
    instead = default if not engines else "+".join(engines)
    kept = engines or [default]
    chain = [name for name in following if name in known]
    unknown = [
        *(Unknown("WEB_SEARCH_BACKEND", n, instead) for n in named if n not in known),
        *(
            Unknown("WEB_SEARCH_FALLBACK", n, ", ".join(chain) or "none")
            for n in following
            if n not in known
        ),
    ]
    return Plan(
        tuple(kept),
        tuple(name for name in chain if name not in kept),
        tuple(entry._replace(name=short(entry.name)) for entry in unknown),
    )


def _names(text: str | None, sign: str) -> list[str]:
    return list(dict.fromkeys(_stripped((text or "").split(sign))))


def _stripped(names: Iterable[str]) -> list[str]:
    return [name.strip() for name in names if name.strip()]
