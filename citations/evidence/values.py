"""Find the values of a text, and tell which of them a source must have."""

import re
from enum import StrEnum
from typing import Final

from citations.evidence.dates import Date, dates, hidden
from citations.evidence.quantities import CLOCK, Quantity, quantities
from citations.evidence.units import (
    COUNT,
    CURRENCIES,
    PERCENT,
    TIME,
    TIMES,
    right_before,
)
from citations.evidence.versions import NO_NAMES, Version, versions
from text.terms import flat

_DOTTED = re.compile(r"(?<![\w.])[vV]?\d{1,4}(?:\.\d{1,5}){2,3}(?![\w]|\.\d)")
_SMALL: Final = 10
_NUMERAL = re.compile("[百千]分之|.成|[一二两三四五六七八九十]+(?:点.)?倍")
# A small number before one of these counts what the answer itself lists.
_LISTED = re.compile(
    r" ?(?:个|项|点|种|类|条|步|方面|大|部分|阶段"
    r"|things|points|reasons|ways|steps|main|key)"
)
_LABEL = right_before(
    r"\b(?:No|Part|Rule|Chapter|Section|Article|Volume|Vol|Season|Episode|Level|Step"
    r"|Type|Phase|Figure|Table|Item|Sources?)\.?|第"
)
_MOST_LABEL: Final = 31
_CODE = re.compile(
    r"(?:[A-Za-z_][\w.]{0,20}[(=\[]|--?[A-Za-z]\w{0,20}[= ]|[#@/\\_=])\Z"
)
_NAMED = re.compile(r"(?<![\w.])(?=[a-z]{0,9}[A-Z])[A-Za-z]{2,20}-? ?\Z")
_AGO = re.compile(r"(?:以?前|内|\s?ago\b|之?后|以后)")
# Parts of a number that is not read: 2/3, 5∶4, 10^6, 3,5 %.
_PART_BEFORE = re.compile(r"\d ?[/\u2236] ?\Z|\^ ?\Z|(?<![\d,])\d{1,3},\Z")
_PART_BEHIND = re.compile(r" ?[/\u2236] ?\d| ?\^|,\d{1,2}(?!\d)")
# Figures that everybody knows, and those of the answer itself.
_COMMON = re.compile(
    r"100 ?(?:%|percent|per cent)|百分之百|36[56] ?(?:days?|天|日)"
    r"|24 ?(?:hours?|个?小时)|60 ?(?:minutes?|seconds?|分钟?|秒钟?)"
    r"|12 ?(?:months?|个月)|7 ?(?:days?|天)"
    r"|52 ?(?:weeks?|周)|3\.5 ?(?:mm|毫米)",
    re.IGNORECASE,
)
_OF_THE_ANSWER = re.compile(
    r" ?(?:[余多来]?[字页]|words?\b|characters?\b|pages?\b|tips?\b)", re.IGNORECASE
)
_SUM_BEFORE = re.compile(r"[=×÷*] ?\Z")
_SUM_BEHIND = re.compile(r" ?[=×÷*]")
_THINGS = re.compile(r" (?:[a-z]+ )?(?:[a-z]{2,}s\b|people\b)")
_SIZED = re.compile("[百千万亿]|illion|thousand|crore|lakh")
_LEAST_DIGITS: Final = 3


class Kind(StrEnum):
    """The kinds of values."""

    NUMBER = "number"
    PERCENT = "percent"
    MONEY = "money"
    MEASURE = "measure"  # an amount with a unit
    DATE = "date"
    TIME = "time"
    VERSION = "version"
    NAME = "name"  # of a product, with its model number


Value = Quantity | Date | Version


def values(text: str) -> list[Value]:
    """Find the values of flat *text*, in their order."""
    found, rest = dates(text)
    # What looks like a version can be a number all the same: PMI 50.1.
    numbers = quantities(_DOTTED.sub(hidden, rest))
    named = versions(CLOCK.sub(hidden, rest))  # GMT 9 am is no model
    return sorted([*named, *found, *numbers], key=lambda value: value.start)


def kind_of(value: Value) -> Kind:
    """Return the kind of *value*."""
    match value:
        case Date():
            return Kind.DATE
        case Version(is_model=is_model):
            return Kind.NAME if is_model else Kind.VERSION
        case Quantity(unit=unit) if unit.dimension == PERCENT:
            return Kind.PERCENT
        case Quantity(unit=unit) if unit.dimension in CURRENCIES:
            return Kind.MONEY
        case Quantity(unit=unit) if unit == TIME:
            return Kind.TIME
        case _:
            return Kind.MEASURE if value.unit.dimension else Kind.NUMBER


def dimensions(text: str) -> set[str]:
    """Return what the amounts of *text* measure: "length", "money", "" of a number."""
    return {
        Kind.MONEY if kind_of(value) is Kind.MONEY else value.unit.dimension
        for value in values(flat(text))
        if isinstance(value, Quantity)
    }


def is_telling(value: Value, text: str) -> bool:
    """Tell whether *value* of a sentence says something that a source must say too."""
    if _CODE.search(text, max(0, value.start - 24), value.start):
        return False
    if not isinstance(value, Quantity) or value.unit == TIME:
        return True
    if _AGO.match(text, value.end):
        return False
    before = text[max(0, value.start - 24) : value.start]
    if value.digits:
        at = text.find(value.digits, value.start, value.end)
        end = at + len(value.digits) if at >= 0 else value.end
        if _PART_BEFORE.search(before) or _PART_BEHIND.match(text, end):
            return False
        named = _NAMED.search(before) if value.unit == COUNT else None
        name = named[0].rstrip(" -").lower() if named and named.start() else ""
        if name and name not in NO_NAMES:  # iPhone 17, RTX 4090
            return False
    elif value.unit.dimension in (PERCENT, TIMES):
        return bool(_NUMERAL.match(text, value.start))  # no half, and no `doubled`
    elif value.unit.dimension == "duration":
        return value.written > _SMALL
    if value.unit != COUNT:
        return True
    if value.amount <= _MOST_LABEL and _LABEL.search(before):
        return False
    if value.amount > _SMALL:
        return True
    behind = value.start + len(value.digits)
    return bool(value.digits) and not _LISTED.match(text, behind)


def needs_source(value: Value, text: str) -> bool:
    """Tell whether *value* is a figure that nobody knows without a source."""
    if not isinstance(value, Quantity) or value.unit == TIME:
        return False
    written = text[value.start : value.end].strip()
    before = text[max(0, value.start - 4) : value.start]
    if (
        _COMMON.fullmatch(written)
        or _OF_THE_ANSWER.match(text, value.end)
        or _SUM_BEFORE.search(before)
        or _SUM_BEHIND.match(text, value.end)
    ):
        return False
    if kind_of(value) != Kind.NUMBER:
        return True
    # A plain number has to count things, and to be no name: Boeing 737.
    if not value.digits:
        return False
    if _SIZED.search(written):
        return True
    if sum(char.isdigit() for char in written) < _LEAST_DIGITS:
        return False
    name = _NAMED.search(text, max(0, value.start - 24), value.start)
    if name and name[0].rstrip(" -").lower() not in NO_NAMES:
        return False
    return not written.isdigit() or bool(_THINGS.match(text, value.end))
