"""Find versions and model numbers: 3.12.4, v2.1, Python 3.13, RTX 4090, GPT-4o."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from citations.evidence.units import unit_behind

_DOTS: Final = r"\d{1,4}(?:\.\d{1,5}){1,3}"

_LONE = re.compile(
    rf"(?:(?:(?<![\w.])[vV]|\b[Vv]ersions? |版本(?:号为?)? ?)(?P<number>{_DOTS})"
    r"|(?<![\w.])(?P<dotted>\d{1,4}(?:\.\d{1,5}){2,3}))(?!\w|\.\d)"
)
_NAMED = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z][A-Za-z+#]{0,19}(?:\.js)?)(?P<gap>[ -]?)"
    r"(?:[vV](?=\d))?(?P<number>\d{1,5}(?:\.\d{1,5}){0,3})(?P<letters>[A-Za-z]{0,2})"
    r"(?![\w%‰°/]|[.,:]\d)"
)
# Words before a number that is no model: currencies, times, labels.
_LABELS = """
usd us rmb cny eur gbp jpy hkd hk nt inr fy cy ww bc ad ce bce am pm no vol part chapter
step rule article section figure fig table item level phase season episode sources
source version versions v
"""
# Capitalised at the beginning of a sentence, these are no names.
_WORDS = """
about over around under nearly almost only some in on at by to from of for with and or
the a an up is was were had has than between roughly approximately exactly just nor not
no more less below above another all both
january february march april may june july august september october november december
"""
_MEASURES = """
chf aud cad nzd sgd krw twd sek nok dkk thb myr idr php vnd brl mxn zar rub aed sar pln
czk huf ils eps pmi cpi ppi gdp gnp gpa ph bmi roe roa roi ebit ebitda cagr arpu iq
"""
WORDS: Final = frozenset(_WORDS.split())
MEASURES: Final = frozenset(_MEASURES.split())  # before an amount
_NO_NAME: Final = WORDS | MEASURES | frozenset(_LABELS.split())
# Quarters, halves of a year, groups of countries: Q3, H1, G20.
_PERIOD = re.compile(r"Q[1-4]|H[12]|G\d{1,2}", re.IGNORECASE)
_SIZED = re.compile(
    r" ?(?:(?:thousand|million|billion|trillion|[mbt]n)\b|[百千万亿萬億])",
    re.IGNORECASE,
)
# Versions of the same name that follow: Python 3.9 and 3.10.
_MORE = re.compile(
    r"(?: ?[,、/~\u2013-] ?| ?[和与及至到或] ?|,? (?:and|or|to|through) )"
    rf"v?(?P<number>{_DOTS})(?!\w|\.\d| ?[%‰°])"
)
_UNTIL = re.compile(
    r" ?(?:[-\u2013\u2014~至到]|to|through|until) ?(?:[A-Za-z]{1,20} )?v?"
    r"(?P<last>\d{1,5}(?:\.\d{1,5}){0,3})(?![\w.]*\d)"
)
_UPWARDS = re.compile(
    r" ?(?:\+|[及或]?(?:以上|更高|更新|之后)|起)"
    r"|,? (?:and|or) (?:later|above|newer|higher|greater|up\b)"
)
_LETTERS: Final = ("", "s", "st", "nd", "rd", "th")  # an ending, and no part of a name


@dataclass(frozen=True, slots=True)
class Version:
    """A version, or a model number, with the name before it; '' where none is."""

    start: int
    end: int
    text: str
    name: str = ""
    is_model: bool = False  # without a dot
    letters: str = ""  # behind the digits: o of GPT-4o

    def is_rival(self, other: "Version") -> bool:
        """Tell whether *other* is a version of the same thing."""
        if self.name and other.name:
            return self.name == other.name
        # Only versions with dots stand alone, and these need the same first part.
        return not other.is_model and _stem(self.text) == _stem(other.text)

    def is_part_of(self, other: "Version") -> bool:
        """Tell whether *other* is this version, or a later part of it."""
        if self.letters and self.letters != other.letters and self.text != other.text:
            return False
        if f"{other.text}.".startswith(f"{self.text}."):
            return True
        return self.whole == other.whole

    @property
    def whole(self) -> str:
        """The digits without noughts at the end: 5 for 5.0."""
        return re.sub(r"(?:\.0+)+\Z", "", self.text)

    def is_within(self, other: "Version", text: str) -> bool:
        """Tell whether *other* begins a range of versions in *text* that holds this."""
        if _UPWARDS.match(text, other.end):
            return _parts(other.text) <= _parts(self.text)
        until = _UNTIL.match(text, other.end)
        if until is None:
            return False
        last = _parts(until["last"])
        return _parts(other.text) <= _parts(self.text) and (
            _parts(self.text)[: len(last)] <= last
        )


def versions(text: str) -> list[Version]:
    """Find the versions and model numbers of flat *text*, in their order."""
    alone = (
        Version(*m.span(), m["number"] or m["dotted"]) for m in _LONE.finditer(text)
    )
    found = sorted([*_named(text), *alone], key=lambda one: (one.start, -one.end))
    taken = -1
    apart = []
    for one in found:
        if one.start >= taken:
            apart.append(one)
            taken = one.end
    return apart


def _named(text: str) -> Iterator[Version]:
    for match in _NAMED.finditer(text):
        name, number = match["name"], match["number"]
        is_model = "." not in number
        is_apart = match["gap"] == " "
        if not _is_name(name, is_model=is_model and is_apart):
            continue
        if is_apart and not match["letters"] and unit_behind(text, match.end())[0]:
            continue  # Intel 14 nm
        if _PERIOD.fullmatch(f"{name}{number}") or _SIZED.match(text, match.end()):
            continue
        if len(name) == 1 and text[match.start() - 1 : match.start()] == "/":
            continue  # P/E 15.3
        letters = match["letters"].lower()
        letters = "" if letters in _LETTERS else letters
        first = Version(*match.span(), number, name.lower(), is_model, letters)
        yield first
        if not is_model:
            yield from _others(text, first)


def _others(text: str, version: Version) -> Iterator[Version]:
    """Yield the versions of the same name that follow."""
    end = version.end
    while match := _MORE.match(text, end):
        end = match.end()
        if unit_behind(text, end)[0] or _SIZED.match(text, end):
            return
        yield Version(match.start("number"), end, match["number"], version.name)


def _is_name(name: str, *, is_model: bool) -> bool:
    """Tell whether *name* is one of a product; `Some 250` has capitals like Galaxy."""
    if name.lower() in _NO_NAME or name.islower():
        return False
    return not (is_model and name.istitle() and len(name) > 1)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _stem(version: str) -> str:
    return version.partition(".")[0]
