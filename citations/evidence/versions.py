"""Find versions and model numbers: 3.12.4, v2.1, Python 3.13, RTX 4090, GPT-4o."""

import re
from dataclasses import dataclass
from typing import Final

from citations.evidence.units import unit_behind

_DOTS: Final = r"\d{1,4}(?:\.\d{1,5}){1,3}"
_AND: Final = r"(?: ?[,、/~\u2013-] ?| ?[和与及至到或] ?|,? (?:and|or|to|through) )v?"
_NUMBER = re.compile(_DOTS)
_VERSION = re.compile(
    rf"(?:(?:(?<![\w.])[vV]|\b[Vv]ersions? |版本(?:号为?)? ?)(?P<alone>{_DOTS})"
    r"|(?<![\w.])(?P<dotted>\d{1,4}(?:\.\d{1,5}){2,3}))(?!\w|\.\d)"
    r"|(?<![\w./])(?=[a-z]*[A-Z])(?P<name>[A-Za-z][A-Za-z+#]{0,19}(?:\.js)?)"
    r"(?P<gap>[ -]?)(?:[vV](?=\d))?(?P<number>\d{1,5}(?:\.\d{1,5}){0,3})"
    r"(?P<letters>[A-Za-z]{0,2})(?![\w%‰°/]|[.,:]\d)"
    rf"(?P<more>(?:(?<=\.\d|\d\d){_AND}{_DOTS}(?!\w|\.\d| ?[%‰°]))*)"
)
_SIZED = re.compile(
    r" ?(?:(?:thousand|million|billion|trillion|[mbt]n)\b|[百千万亿萬億])",
    re.IGNORECASE,
)
_NO_NAMES = """
usd us rmb cny eur gbp jpy hkd hk nt inr chf aud cad nzd sgd krw
pmi cpi ppi gdp ph bmi eps ebit ebitda am pm no vol ad ce bc bce q h fy cy g ww
january february march april may june july august september october november december
"""
NO_NAMES: Final = frozenset(_NO_NAMES.split())  # before an amount or a day
_ENDINGS: Final = ("", "s", "st", "nd", "rd", "th")  # no part of a name
_UNTIL = re.compile(
    r" ?(?:[-\u2013\u2014~至到]|to|through|until) ?(?:[A-Za-z]{1,20} )?v?"
    r"(?P<last>\d{1,5}(?:\.\d{1,5}){0,3})(?![\w.]*\d)"
)
_UPWARDS = re.compile(
    r" ?(?:\+|[及或]?(?:以上|更高|更新|之后)|起)"
    r"|,? (?:and|or) (?:later|above|newer|higher|greater|up\b)"
)


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
        return not other.is_model and self.parts[0] == other.parts[0]

    def is_part_of(self, other: "Version") -> bool:
        """Tell whether *other* is this version, or a later part of it."""
        if self.letters and self.letters != other.letters and self.text != other.text:
            return False
        return f"{other.text}.".startswith(f"{self.text}.") or self.whole == other.whole

    @property
    def parts(self) -> tuple[int, ...]:
        """The numbers between the dots."""
        return tuple(map(int, self.text.split(".")))

    @property
    def whole(self) -> str:
        """The digits without noughts at the end: 5 for 5.0."""
        return re.sub(r"(?:\.0+)+\Z", "", self.text)

    def is_within(self, other: "Version", text: str) -> bool:
        """Tell whether *other* begins a range of versions in *text* that holds this."""
        if self.parts < other.parts:
            return False
        if _UPWARDS.match(text, other.end):
            return True
        if (until := _UNTIL.match(text, other.end)) is None:
            return False
        last = tuple(map(int, until["last"].split(".")))
        return self.parts[: len(last)] <= last


def versions(text: str) -> list[Version]:
    """Find the versions and model numbers of flat *text*, in their order."""
    found = []
    for match in _VERSION.finditer(text):
        if match["name"] is None:
            found.append(Version(*match.span(), match["alone"] or match["dotted"]))
            continue
        name, letters = match["name"].lower(), match["letters"].lower()
        number, end = match["number"], match.end("letters")
        is_model = "." not in number
        if name in NO_NAMES:
            continue
        if match["gap"] == " ":
            if is_model and match["name"].istitle() and len(name) > 1:  # Some 250
                continue
            if not letters and _is_amount(text, end):
                continue
        letters = "" if letters in _ENDINGS else letters
        found.append(Version(match.start(), end, number, name, is_model, letters))
        found += (
            Version(*more.span(), more[0], name)
            for more in _NUMBER.finditer(text, end, match.end())
            if not _is_amount(text, more.end())
        )
    return found


def _is_amount(text: str, end: int) -> bool:
    """Tell whether a unit or a size follows: Intel 14 nm."""
    return bool(unit_behind(text, end)[0] or _SIZED.match(text, end))
