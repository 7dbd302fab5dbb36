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
# Parts of a number that is not read: 2/3, 10^6, 3,5 %.
_PART_BEFORE = re.compile(r"\d ?/ ?\Z|\^ ?\Z|(?<![\d,])\d{1,3},\Z")
_PART_BEHIND = re.compile(r" ?/ ?\d| ?\^|,\d{1,2}(?!\d)")
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


def is_telling(value: Value, text: str) -> bool:
    """Tell whether *value* of a sentence says something that a source must say too."""
    if _CODE.search(text, max(0, value.start - 24), value.start):
        return False
    if not isinstance(value, Quantity) or value.unit == TIME:
        return True
    before = text[max(0, value.start - 24) : value.start]
    return not (
        _AGO.match(text, value.end)
        or _is_part(value, text, before)
        or _is_name(value, before)
        or _is_small(value, text, before)
    )


def needs_source(value: Value, text: str) -> bool:
    """Tell whether *value* is a figure that nobody knows without a source."""
    if not isinstance(value, Quantity) or value.unit == TIME:
        return False
    before = text[max(0, value.start - 4) : value.start]
    if (
        _COMMON.fullmatch(text[value.start : value.end].strip())
        or _OF_THE_ANSWER.match(text, value.end)
        or _SUM_BEFORE.search(before)
        or _SUM_BEHIND.match(text, value.end)
    ):
        return False
    return kind_of(value) != Kind.NUMBER or _is_count(value, text)


def _is_count(value: Quantity, text: str) -> bool:
    """Tell whether a plain number counts things, and is no name: Boeing 737."""
    written = text[value.start : value.end].strip()
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


def _is_part(value: Quantity, text: str, before: str) -> bool:
    """Tell whether *value* is a part of what is not read: a fraction, a power."""
    if not value.digits:
        return False
    at = text.find(value.digits, value.start, value.end)
    end = at + len(value.digits) if at >= 0 else value.end
    return bool(_PART_BEFORE.search(before) or _PART_BEHIND.match(text, end))


def _is_name(value: Quantity, before: str) -> bool:
    """Tell whether a plain number ends a name: iPhone 17, RTX 4090."""
    match = _NAMED.search(before)
    if match is None or value.unit != COUNT or not value.digits:
        return False
    name = match[0].rstrip(" -")
    return match.start() > 0 and name.lower() not in NO_NAMES


def _is_small(value: Quantity, text: str, before: str) -> bool:
    """Tell whether *value* is said in passing: doubled, two weeks, three, figure 7."""
    if not value.digits and value.unit.dimension in (PERCENT, TIMES):
        return not _NUMERAL.match(text, value.start)  # a half, doubled
    if not value.digits and value.unit.dimension == "duration":
        return value.written <= _SMALL
    if value.unit != COUNT:
        return False
    if value.amount <= _MOST_LABEL and _LABEL.search(before):
        return True
    if value.amount > _SMALL:
        return False
    behind = value.start + len(value.digits)
    return not value.digits or bool(_LISTED.match(text, behind))
