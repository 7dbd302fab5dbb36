"""Find the quantities of a text: numbers with their size and unit."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from operator import attrgetter
from typing import Final

from citations.evidence.dates import taken
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
    SCORE,
    TIME,
    TIMES,
    YEAR,
    Unit,
    currency_before,
    right_before,
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
    r"(?P<part>[\u00bc-\u00be\u2150-\u215e])?"
    r"[余多来]?(?: ?(?P<han>[万亿]亿|兆(?![瓦赫字帕])|[十百千]?[万亿]|[萬億]"
    r"|[百千](?![分克米瓦焦卡赫字帕伏]))"
    rf"|[ -]?(?P<word>(?i:{'|'.join(SIZE_WORDS)})"
    r"|mn|mln|bn|bln|tn)(?![A-Za-z])|(?<=\d)(?P<letter>[kKMBT])(?![A-Za-z/]))?"
    r"(?:(?<=[万亿兆])(?P<tail>\d{1,4}|\d,\d{3})(?P<of>[千百万亿]))?"
)
_MILLION = re.compile(r"m(?![A-Za-z0-9²³])")
# The higher number stands first: what rises may be a range.
_SCORE = re.compile(
    r"(?<![\w.,:/-])(\d{1,3}) ?(?:[-\u2013:]|比) ?(\d{1,2})"
    r"(?![A-Za-z\d/%°]| ?[比:\u2013-]|[.,]\d)"
)
_SHARE = re.compile(
    rf"(?P<of>[百千])分之(?P<share>[{HAN_NUMERALS}]+(?:点[{HAN_NUMERALS}]+)?"
    r"|\d{1,3}(?:\.\d{1,9})?)"
    r"|(?P<tenths>[一二三四五六七八九两\d])成(?![立为员功果都长分本品交人])"
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
CLOCK = re.compile(
    r"(?P<noon>(?:[上下中]午|凌晨|清晨|早上|晚上|(?<=日)) ?)?(?<![\d:.])"
    r"(?P<h>[01]?\d|2[0-4])"
    r"(?:(?::| : (?=\d\d ?[ap]\.?m)|[时点] ?)(?P<min>[0-5]\d)(?::[0-5]\d)?"
    r"分?(?![\d:]|\.\d)|[时点](?:整|半|(?=[到至开结出抵,。])|(?(noon)|(?!)))"
    r"|(?=[ ]?[ap]\.?m\b))"
    r"(?: ?[ap]\.?m\b)?",
    re.IGNORECASE,
)
_HALF_DAY: Final = 12 * 60
_ONLY_SIZES = re.compile("[百千万亿萬億]+")
_PARTS: Final = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
FRACTION_IS_OFF: Final = 6.0  # percentage points: nobody says 33.3 %
_TO = re.compile(r"[ ]?(?:[-\u2013\u2014~至到]|to)[ ]?")
_AND = re.compile(r"[ ,]{0,2}(?:and |零|又)?")
_AGED = right_before(r"\baged?|年仅|享年|时年")
_MINUTE: Final = 60.0
_SECONDS: Final = Unit("duration")
_MINUTES: Final = Unit("duration", _MINUTE)
_ABOUT = right_before(
    r"约|近|接近|大概|about|around|nearly|almost|approximately|roughly"
    r"|some|approx\.?|~|≈|circa|close to"
)
_OVER = right_before(
    r"(?<![不未没])(?<!没有)超过?了?|逾|多达|至少|高达|突破了?|不[少低]于|at least"
    r"|(?<!\bnot )over|(?<!\bno )(?<!\bnot )more than|\bnot? (?:less|fewer) than"
    r"|exceed(?:s|ed|ing)?|above|topp(?:ed|ing)|surpass(?:ed|ing)?|up to|>|≥"
)
_UNDER = right_before(
    r"不到|不足|(?:[不未没]|没有)超过|(?<!不)[低少]于|未满|under|below|at most|<|≤"
    r"|(?<!\bno )(?<!\bnot )(?:less|fewer) than|\b(?:not? more than|not over)"
)
_ABOUT_BEHIND = re.compile(r" ?(?:左右|上下|or so)")
_OVER_BEHIND = re.compile(r" ?(?:余|多(?!少)|以上|\+|or more|plus)")
_MORE = re.compile("[余多来]")  # 20 余人, 20 多人
_REACH: Final = 24  # characters before a number
_MOST_ABOUT, _MOST_OVER = 0.2, 0.5  # share of the amount
_CUT: Final = 0.999  # of the last place: 2.9 is never cut to 2.8
_CUT_FROM: Final = 100  # 127 may be a cut 127.8, but 12 is no 12.8
_ROUND_FROM, _ROUND = 1_000, 0.005  # 91,600 people are 91,606
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
    low: float = 0.0
    high: float = 0.0

    @property
    def written(self) -> float:
        """The amount in the unit that is written."""
        return self.amount / self.unit.factor


def quantities(text: str) -> list[Quantity]:
    """
    Find the quantities of flat *text*, in which dates are hidden.

    The first number of a range has the unit and the size of the second: 5 of 5-10 % is
    5 %, and 3 of 3-4 million is 3 million.
    """
    found: list[Quantity] = []
    rest = text
    for pattern, read in _READERS:
        rest = taken(pattern, rest, read, found)
    found.sort(key=attrgetter("start"))
    for at in range(len(found) - 1, 0, -1):
        first, second = found[at - 1], found[at]
        is_range = first.unit == COUNT and first.amount <= second.written
        if not is_range or not _TO.fullmatch(text, first.end, second.start):
            continue
        factor = second.unit.factor
        is_plain = bool(first.digits) and float(first.digits) == first.amount
        if is_plain and second.digits and first.amount <= float(second.digits) > 0:
            factor = second.amount / float(second.digits)
        amount, place = first.amount * factor, first.place * factor
        found[at - 1] = replace(first, amount=amount, place=place, unit=second.unit)
    return _joined(found, text)


def tolerant(one: Quantity, text: str) -> Quantity:
    """Give *one*, of flat *text*, the least and the most that it stands for."""
    if one.unit == TIME:
        return replace(one, low=one.amount, high=one.amount)
    factor, reach = one.unit.factor, one.place / 2
    # The value of the last digit that is not 0: 100,000 of 500,000.
    exponent = Decimal(f"{one.written:.15g}").normalize().as_tuple().exponent
    step = 10.0 ** int(exponent) * factor
    if one.place == factor and one.written >= _ROUND_FROM:
        reach = max(reach, min(step / 2, _ROUND * one.amount))
    is_cut = one.place < factor or one.written >= _CUT_FROM
    less, more = reach, max(reach, _CUT * one.place) if is_cut else reach
    before = text[max(0, one.start - _REACH) : one.start]
    about = min(0.6 * step, _MOST_ABOUT * one.amount)
    is_about = _ABOUT.search(before) or _ABOUT_BEHIND.match(text, one.end)
    if is_about or _UNDER.search(before):
        less = max(less, about)
    if is_about:
        more = max(more, about)
    is_least = (
        _OVER.search(before)
        or _OVER_BEHIND.match(text, one.end)
        or (one.digits and _MORE.search(text, one.start, one.end))
    )
    if is_least:
        more = max(more, min(step, _MOST_OVER * one.amount))
    return replace(one, low=one.amount - less, high=one.amount + more)


def _read_clock(match: re.Match[str], _: str) -> Iterator[Quantity]:
    """Read a time of day; noon and midnight are not told apart."""
    minutes = int(match["min"] or (30 if "半" in match[0] else 0))
    yield _quantity(match.span(), (int(match["h"]) * 60 + minutes) % _HALF_DAY, TIME)


def _read_share(match: re.Match[str], _: str) -> Iterator[Quantity]:
    share = match["share"] or match["tenths"]
    amount = float(share) if share[0].isdigit() else chinese(share)
    if amount is None:
        return
    unit = Unit(PERCENT, {"百": 1.0, "千": 0.1}.get(match["of"], 10.0))
    yield _quantity(match.span(), amount, unit, place=_place(share.replace("点", ".")))


def _read_fraction(match: re.Match[str], _: str) -> Iterator[Quantity]:
    if match["half"]:
        part = 0.5
    elif match["part"]:
        count = {"two": 2, "three": 3}.get(match["word"].lower(), 1)
        part = count / _PARTS[match["part"].lower()]
    else:
        part = (chinese(match["count"]) or 1) / (chinese(match["parts"]) or 1)
    yield _quantity(match.span(), 100 * part, Unit(PERCENT), place=FRACTION_IS_OFF)


def _read_multiple(match: re.Match[str], _: str) -> Iterator[Quantity]:
    yield _quantity(match.span(), 2.0 if match["two"] else 3.0, Unit(TIMES))


def _read_number(match: re.Match[str], text: str) -> Iterator[Quantity]:
    digits = re.sub("[, \u00a0\u202f]", "", match["digits"])
    word = match["han"] or (match["word"] or "").lower() or match["letter"] or ""
    size = SIZES.get(word, 1.0)
    part = unicodedata.numeric(match["part"]) if match["part"] else 0.0  # 7½
    amount, place = (float(digits) + part) * size, _place(digits) * size
    if match["tail"]:
        place = SIZES[match["of"]]
        amount += float(match["tail"].replace(",", "")) * place
    currency, start = currency_before(text, match.start())
    unit, end = unit_behind(text, match.end())
    if currency and size == 1 and _MILLION.match(text, match.end()):
        amount, place, end = amount * 1e6, place * 1e6, match.end() + 1  # $113m
    elif unit is None and re.match("[A-Za-z_]", text[end : end + 1]):
        return  # 3D, 5G, 802.11ax
    if unit is None and _AGED.search(text, max(0, start - 8), start):
        unit = YEAR
    if unit and unit.dimension == "duration" and text.startswith("半", end):  # 4 年半
        amount, place, end = amount + 0.5, 0.1, end + 1
    if (amount < _SMALL and place >= 1) or part:
        place = 0.0  # nobody rounds 2.7 to 3
    one = _quantity((start, end), amount, currency or unit or COUNT, place=place)
    yield replace(one, digits=digits)


def _read_han(match: re.Match[str], text: str) -> Iterator[Quantity]:
    if match[0] in _NO_NUMERALS or _ONLY_SIZES.fullmatch(match[0]):
        return
    amount = chinese(match[0])
    unit, end = unit_behind(text, match.end())
    if amount is None:
        return
    if unit and unit.dimension == "duration" and text.startswith("半", end):  # 两年半
        amount, end = amount + 0.5, end + 1
    yield _quantity((match.start(), end), amount, unit or COUNT)


def _read_english(match: re.Match[str], text: str) -> Iterator[Quantity]:
    if match[0].lower() == "a dozen":
        return  # or a few more
    unit, end = unit_behind(text, match.end())
    yield _quantity((match.start(), end), english(match[0]), unit or COUNT)


def _read_score(match: re.Match[str], text: str) -> Iterator[Quantity]:
    one, other = int(match[1]), int(match[2])
    if one > other and unit_behind(text, match.end())[0] is None:
        yield _quantity(match.span(), 1_000 * one + other, SCORE)


# The order matters: what one pattern found is hidden from the next.
_READERS: Final = (
    (CLOCK, _read_clock),
    (_SCORE, _read_score),
    (_SHARE, _read_share),
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


def _joined(values: list[Quantity], text: str) -> list[Quantity]:
    """Join what is written in two units: 6 小时 15 分, 5 feet 11 inches."""
    joined: list[Quantity] = []
    for value in values:
        last = joined[-1] if joined else None
        if last is None or not _AND.fullmatch(text, last.end, value.start):
            joined.append(value)
            continue
        unit, smaller = last.unit, value.unit
        if unit == COUNT and text[last.end - 1] == "分" and smaller == _SECONDS:
            unit, last = (
                _MINUTES,
                replace(last, amount=last.amount * _MINUTE, unit=_MINUTES),
            )
        if unit.dimension == "duration" and text[value.end - 1] == "分":
            continues = unit.factor > _MINUTE  # 分 behind hours is minutes
        else:
            same = unit.dimension == smaller.dimension != COUNT.dimension
            continues = same and unit.factor > smaller.factor
        if not continues:
            joined.append(value)
            continue
        factor = 1.0 if smaller.dimension else _MINUTE
        amount, place = last.amount + value.amount * factor, value.place * factor
        joined[-1] = replace(last, end=value.end, amount=amount, place=place)
    return joined
