"""Find versions and model numbers: 3.12.4, v2.1, Python 3.13, RTX 4090, GPT-4o."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from citations.evidence.units import unit_behind

_LONE = re.compile(
    r"(?<![\w.])(?:[vV](?P<v>\d{1,4}(?:\.\d{1,5}){1,3})"
    r"|(?P<dotted>\d{1,4}(?:\.\d{1,5}){2,3}))(?!\w|\.\d)"
)
_WORDED = re.compile(
    r"(?:\b[Vv]ersions? |版本(?:号为?)? ?)"
    r"(?P<number>\d{1,4}(?:\.\d{1,5}){1,3})(?!\w|\.\d)"
)
_NAMED = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z][A-Za-z+#]{0,19}(?:\.js)?)(?P<gap>[ -]?)"
    r"(?:[vV](?=\d))?(?P<number>\d{1,5}(?:\.\d{1,5}){0,3})(?P<letters>[A-Za-z]{0,2})"
    r"(?![\w%‰°/]|[.,:]\d)"
)
# Capitals before a number that is no model: currencies, times, labels.
_NO_NAMES = """
usd us rmb cny eur gbp jpy hkd hk nt inr bc ad ce bce am pm no vol part chapter step
rule article section figure fig table item level phase season episode sources source
about over around under nearly almost only some in on at by to from of for with and or
the than between version versions v
"""
_NO_NAME: Final = frozenset(_NO_NAMES.split())


@dataclass(frozen=True, slots=True)
class Version:
    """A version, or a model number, with the name before it; '' where none is."""

    start: int
    end: int
    text: str
    name: str = ""
    is_model: bool = False  # without a dot

    def is_rival(self, other: "Version") -> bool:
        """Tell whether *other* is a version of the same thing."""
        if self.name and other.name:
            return self.name == other.name
        # Only versions with dots stand alone, and these need the same first part.
        return not other.is_model and _stem(self.text) == _stem(other.text)

    def is_part_of(self, other: "Version") -> bool:
        """Tell whether *other* is this version, or a later part of it."""
        return f"{other.text}.".startswith(f"{self.text}.")


def versions(text: str) -> list[Version]:
    """Find the versions and model numbers of flat *text*, in their order."""
    found = [
        *_named(text),
        *(Version(*one.span(), one["number"]) for one in _WORDED.finditer(text)),
        *(Version(*m.span(), m["v"] or m["dotted"]) for m in _LONE.finditer(text)),
    ]
    taken = -1
    apart = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.start >= taken:
            apart.append(one)
            taken = one.end
    return apart


def covered(versions: Sequence[Version], start: int, end: int) -> bool:
    """Tell whether one of *versions* holds the characters between two places."""
    return any(one.start <= start and end <= one.end for one in versions)


def _named(text: str) -> Iterator[Version]:
    for match in _NAMED.finditer(text):
        name, number = match["name"], match["number"]
        is_model = "." not in number
        is_apart = match["gap"] == " "
        if not _is_name(name, is_model=is_model and is_apart):
            continue
        if is_apart and not match["letters"] and unit_behind(text, match.end())[0]:
            continue  # Intel 14 nm
        yield Version(*match.span(), number, name.lower(), is_model)


def _is_name(name: str, *, is_model: bool) -> bool:
    """Tell whether *name* is one of a product; `Some 250` has capitals like Galaxy."""
    if name.lower() in _NO_NAME or name.islower():
        return False
    return not (is_model and name.istitle() and len(name) > 1)


def _stem(version: str) -> str:
    return version.partition(".")[0]
