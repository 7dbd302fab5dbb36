"""Find the quantities of a text: numbers with their size and unit."""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from citations.evidence.numerals import (
    ENGLISH,
    HAN_NUMERALS,
    SIZE_WORDS,
    chinese,
    english,
)
from citations.evidence.units import (
    COUNT,
    PERCENT,
    TIMES,
    YEAR,
    Unit,
    currency_before,
    unit_behind,
)

SIZES: Final = SIZE_WORDS | {
    word: float(size)
    for size, words in {
        "1e2": "百",
        "1e3": "千 k K",
        "1e4": "万 萬",
        "1e5": "十万",
        "1e6": "百万 M mn mln",
        "1e7": "千万",
        "1e8": "亿 億",
        "1e9": "十亿 B bn bln",
        "1e10": "百亿",
        "1e11": "千亿",
        "1e12": "万亿 兆 T tn",
        "1e16": "亿亿",
    }.items()
    for word in words.split()
}
_DIGITS = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d{1,9})?|\d{1,3}(?:[\u00a0\u202f]\d{3})+"
    r"|\d{1,3}(?: \d{3}){2,}(?!\d)|\d{1,15}(?:\.\d{1,9})?"
)
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_.\0])(?<![A-Za-z][-\u2013])(?P<digits>{_DIGITS})(?!\d)"
    r"(?P<more>[余多来])?(?: ?(?P<han>[万亿]亿|兆(?![瓦赫字帕])|[十百千]?[万亿]|[萬億]"
    r"|[百千](?![分克米瓦焦卡赫字帕伏]))"
    rf"|[ -]?(?P<word>(?i:{'|'.join(SIZE_WORDS)})"
    r"|mn|mln|bn|bln|tn)(?![A-Za-z])|(?<=\d)(?P<letter>[kKMBT])(?![A-Za-z/]))?"
    r"(?:(?<=[万亿兆])(?P<tail>\d{1,4}|\d,\d{3})(?P<of>[千百万亿]))?"
)
_SHARE = re.compile(
    rf"(?P<of>[百千])分之(?P<share>[{HAN_NUMERALS}]+(?:点[{HAN_NUMERALS}]+)?"
    r"|\d{1,3}(?:\.\d{1,9})?)"
)
_TENTHS = re.compile(
    r"(?P<tenths>[一二三四五六七八九两\d])成(?![立为员功果都长分本品交人])"
)
_FRACTION = re.compile(
    r"(?P<parts>[二三四五六七八九十])分之(?P<count>[一二两三四五六七八九])"
    r"|(?P<half>一半|半数|过半|\bhalf\b)"
    r"|\b(?P<word>a|one|two|three)[ -](?P<part>third|quarter|fourth|fifth)s?\b",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(
    r"(?P<two>翻了?一?番|加倍|\bdoubl(?:e|ed|ing)\b|\btwice\b|\btwofold\b)"
    r"|\b(?:tripl(?:e|ed|ing)|threefold)\b",
    re.IGNORECASE,
)
# One numeral alone is a number only where a thing is counted.
_HAN = re.compile(
    rf"(?<![第星周初{HAN_NUMERALS}])(?:[{HAN_NUMERALS}]{{2,24}}"
    rf"(?:点[{HAN_NUMERALS}]{{1,9}})?|[一二两三四五六七八九十]"
    "(?=分钟|[个名人次家年天岁位所座项条倍元届票场小卷册章篇首支队轮期间层只艘架部颗枚]))"
    rf"(?![{HAN_NUMERALS}])"
)
# Words and festivals that are written like numbers.
_NO_NUMERALS: Final = frozenset(
    ("五一", "六一", "三八", "双十", "万一", "一一", "十分", "一二", "三四", "七八")
)
_ONLY_SIZES = re.compile("[百千万亿萬億]+")
_PARTS: Final = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
_FRACTION_IS_OFF: Final = 6.0  # percentage points: nobody says 33.3 %
_TO = re.compile(r"[ ]?(?:[-\u2013\u2014~至到]|to)[ ]?")
_AND = re.compile(r"[ ,]{0,2}(?:and |零|又)?")
_AGED = re.compile(r"(?:\b[Aa]ged?|年仅|享年|时年) ?\Z")
_MINUTE: Final = 60.0
_SMALL: Final = 10


@dataclass(frozen=True, slots=True)
class Quantity:
    """
    An amount in base units.

    *place* is the value of the last place that is written: 0.01 for 5.20, 0 where the
    number is exact. *low* and *high* are the least and the most that it stands for.
    """

    start: int
    end: int
    amount: float
    unit: Unit
    place: float = 0.0
    digits: str = ""  # as written, without commas; '' for words
    is_more: bool = False  # 20 余, 20 多
    low: float = 0.0
    high: float = 0.0

    @property
    def written(self) -> float:
        """The amount in the unit that is written."""
        return self.amount / self.unit.factor


def quantities(text: str) -> list[Quantity]:
    """Find the quantities of flat *text*, in which dates are hidden."""
    found: list[Quantity] = []
    rest = text
    for pattern, read in _READERS:
        rest = pattern.sub(_taker(read, rest, found), rest)
    found.sort(key=attrgetter("start"))
    return _joined(_ranges(found, text), text)


def between(found: tuple[Quantity, ...], start: int, end: int) -> tuple[Quantity, ...]:
    """Return those of *found*, in their order, that begin between two places."""
    first = bisect_left(found, start, key=attrgetter("start"))
    return found[first : bisect_left(found, end, key=attrgetter("start"))]


_Reader = Callable[[re.Match[str], str], Quantity | None]


def _taker(
    read: _Reader, text: str, into: list[Quantity]
) -> Callable[[re.Match[str]], str]:
    """Return a function that reads a match, and hides it from the next pattern."""

    def take(match: re.Match[str]) -> str:
        one = read(match, text)
        if one is None:
            return match[0]
        into.append(one)
        return "\0" * len(match[0])

    return take


def _read_share(match: re.Match[str], _: str) -> Quantity | None:
    share = match["share"]
    amount = float(share) if share[0].isdigit() else chinese(share)
    if amount is None:
        return None
    unit = Unit(PERCENT, 1.0 if match["of"] == "百" else 0.1)
    place = _place(share.replace("点", "."))
    return _quantity(match.span(), amount, unit, place=place)


def _read_tenths(match: re.Match[str], _: str) -> Quantity | None:
    tenths = match["tenths"]
    amount = float(tenths) if tenths.isdigit() else chinese(tenths)
    return _quantity(match.span(), 10 * (amount or 0), Unit(PERCENT), place=10.0)


def _read_fraction(match: re.Match[str], _: str) -> Quantity | None:
    if match["half"]:
        part = 0.5
    elif match["part"]:
        count = {"two": 2, "three": 3}.get(match["word"].lower(), 1)
        part = count / _PARTS[match["part"].lower()]
    else:
        part = (chinese(match["count"]) or 1) / (chinese(match["parts"]) or 1)
    return _quantity(match.span(), 100 * part, Unit(PERCENT), place=_FRACTION_IS_OFF)


def _read_multiple(match: re.Match[str], _: str) -> Quantity | None:
    return _quantity(match.span(), 2.0 if match["two"] else 3.0, Unit(TIMES))


def _read_number(match: re.Match[str], text: str) -> Quantity | None:
    digits = re.sub("[, \u00a0\u202f]", "", match["digits"])
    word = match["han"] or (match["word"] or "").lower() or match["letter"] or ""
    size = SIZES.get(word, 1.0)
    amount, place = float(digits) * size, _place(digits) * size
    if match["tail"]:
        place = SIZES[match["of"]]
        amount += float(match["tail"].replace(",", "")) * place
    currency, start = currency_before(text, match.start())
    unit, end = unit_behind(text, match.end())
    if unit is None and re.match("[A-Za-z_]", text[end : end + 1]):
        return None  # 3D, 5G, 802.11ax
    if unit is None and _AGED.search(text, max(0, start - 8), start):
        unit = YEAR
    if amount < _SMALL and place >= 1:
        place = 0.0  # nobody rounds 2.7 to 3
    one = _quantity((start, end), amount, currency or unit or COUNT, place=place)
    return replace(one, digits=digits, is_more=bool(match["more"]))


def _and_a_half(one: Quantity, text: str) -> Quantity:
    """Add the half of 两年半."""
    if one.unit.dimension != "duration" or not text.startswith("半", one.end):
        return one
    amount = (one.written + 0.5) * one.unit.factor
    return replace(one, end=one.end + 1, amount=amount)


def _read_han(match: re.Match[str], text: str) -> Quantity | None:
    if match[0] in _NO_NUMERALS or _ONLY_SIZES.fullmatch(match[0]):
        return None
    amount = chinese(match[0])
    unit, end = unit_behind(text, match.end())
    if amount is None:
        return None
    return _and_a_half(_quantity((match.start(), end), amount, unit or COUNT), text)


def _read_english(match: re.Match[str], text: str) -> Quantity | None:
    unit, end = unit_behind(text, match.end())
    return _quantity((match.start(), end), english(match[0]), unit or COUNT)


# The order matters: what one pattern found is hidden from the next.
_READERS: Final[tuple[tuple[re.Pattern[str], _Reader], ...]] = (
    (_SHARE, _read_share),
    (_TENTHS, _read_tenths),
    (_FRACTION, _read_fraction),
    (_MULTIPLE, _read_multiple),
    (_NUMBER, _read_number),
    (_HAN, _read_han),
    (ENGLISH, _read_english),
)


def _place(digits: str) -> float:
    return 10.0 ** -len(digits.partition(".")[2])


def _quantity(
    span: tuple[int, int], written: float, unit: Unit, *, place: float = 0.0
) -> Quantity:
    return Quantity(*span, written * unit.factor, unit, place * unit.factor)


def _ranges(found: list[Quantity], text: str) -> list[Quantity]:
    """Give the first number of a range the unit and the size of the second."""
    for at in range(len(found) - 1, 0, -1):
        one, other = found[at - 1], found[at]
        is_range = one.unit == COUNT and one.amount <= other.written
        if is_range and _TO.fullmatch(text, one.end, other.start):
            found[at - 1] = _scaled(one, other)
    return found


def _scaled(one: Quantity, other: Quantity) -> Quantity:
    """Read 5 of 5-10 % as 5 %, and 3 of 3-4 million as 3 million."""
    factor = other.unit.factor
    is_plain = bool(one.digits) and float(one.digits) == one.amount
    if is_plain and other.digits and one.amount <= float(other.digits) > 0:
        factor = other.amount / float(other.digits)
    return replace(
        one, amount=one.amount * factor, place=one.place * factor, unit=other.unit
    )


def _joined(found: list[Quantity], text: str) -> list[Quantity]:
    """Join what is said in two units: 6 小时 15 分, 5 feet 11 inches."""
    joined: list[Quantity] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is None or not _continues(last, one, text):
            joined.append(one)
            continue
        factor = 1.0 if one.unit.dimension else _MINUTE
        amount, place = last.amount + one.amount * factor, one.place * factor
        joined[-1] = replace(last, end=one.end, amount=amount, place=place)
    return joined


def _continues(one: Quantity, other: Quantity, text: str) -> bool:
    """Tell whether *other* follows in a smaller unit; 分 behind hours is minutes."""
    if not _AND.fullmatch(text, one.end, other.start):
        return False
    if one.unit.dimension == "duration" and text[other.end - 1] == "分":
        return one.unit.factor > _MINUTE
    same = one.unit.dimension == other.unit.dimension != COUNT.dimension
    return same and one.unit.factor > other.unit.factor
