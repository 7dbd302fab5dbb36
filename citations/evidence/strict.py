"""
Compare a rewritten sentence with its quotations, figure by figure.

This is the gate of a report, where doubt speaks against a sentence: every digit and
numeral belongs to a figure, and every figure stands in a quotation, as the same value
in the same unit or letter by letter. What follows from other figures does not stand.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from citations.evidence.dates import MONTHS, Date
from citations.evidence.numerals import (
    ENGLISH,
    HAN_NUMERALS,
    SIZE_WORDS,
    chinese,
    english,
)
from citations.evidence.quantities import Quantity
from citations.evidence.units import COUNT, DOLLAR, PERCENT, TIME, YEAR, unit_behind
from citations.evidence.values import Value, values
from citations.evidence.versions import Version
from text.language import HAN, HAN_RANGE
from text.terms import STOPS, flat, stem

_LONGEST: Final = 1_000  # characters of a sentence
_AROUND: Final = 12  # characters before a value that can turn its sign

_Key: TypeAlias = tuple[object, ...]
_Counted: TypeAlias = tuple[str, frozenset[str]]  # and the words behind a number

_NTH = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
_ORDINALS: Final = {word: place for place, word in enumerate(_NTH.split(), start=1)}
_HAN_NUMBER = rf"\d{{1,4}}|[{HAN_NUMERALS}]{{1,6}}"
_PLACE = rf"\b(?:(?P<digits>\d+)(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS)}))\b"
_DECADE = (
    rf"(?:(?P<century>{_HAN_NUMBER}) ?世纪)? ?"
    rf"(?P<han>\d?\d?\d0|[{HAN_NUMERALS}]{{1,6}})"
    r" ?年代|(?<![\d.,])(?P<digits>(?:1\d|20)?\d0)['’]?s\b"
)
_HOUR = (
    r" ?(?P<han>[一二两三四五六七八九十]{1,3}|\d{1,2}) ?点|"
    rf"\b(?:(?P<digits>\d\d?)|(?P<word>{ENGLISH.pattern}))(?: o.clock)? (?:in|at) "
)
_PLACES: Final = (  # in this order: a century is no ordinal
    ("am", f"(?:上午|凌晨|清晨|早上|早晨){_HOUR}the morning"),
    ("pm", f"(?:下午|傍晚|晚上|晚间|夜里){_HOUR}(?:the (?:afternoon|evening)|night)"),
    ("weekday", "(?:周|星期|礼拜)(?P<han>[一二三四五六])(?![次个])"),
    ("高", "(?<!最)高(?P<han>[一二三])(?![个座次层])"),
    ("初", f"(?<!当)初(?P<han>[{HAN_NUMERALS}]{{1,2}})(?![个座次])"),
    ("decade", _DECADE),
    ("century", rf"(?P<han>{_HAN_NUMBER}) ?世纪|{_PLACE}[ -]centur"),
    ("ordinal", rf"第 ?(?P<han>{_HAN_NUMBER})|{_PLACE}"),
)
# A rate is of a time or a head: `a day`, `daily`, `per head`, 每天, 日均.
_PER = """
second 秒, minute 分钟, hour hourly 小时 时, day daily 天 日, week weekly 周 星期,
month monthly 月, quarter quarterly 季, year yearly annual annually 年,
person head capita 人
"""
_RATES: Final = {
    word: words.split()[0] for words in _PER.split(",") for word in words.split()
}
_RATE = re.compile(
    r"\bper ([a-z]+)|\b(?:each|every|an?(?! (?:second|minute|quarter|person|head)))"
    rf" ({'|'.join(filter(str.isascii, _RATES))})\b"
    r"|\b((?:dai|hour|week|month|quarter|year|annual)ly|annual)\b"
    r"|(?:每[一个]*|/ ?)(小时|分钟|星期|[秒时天日周月季年人])|([时日周月季年人])均",
    re.IGNORECASE,
)
# Amounts without a number, and times without one or counted from another one.
_VAGUE = re.compile(
    rf"[上下前后]?半[{HAN_RANGE}]?|[双翻]倍|(?<=[年月])[初底末]|(?<=\d年)中(?![国华央])"
    r"|[上中下]旬|倒数|[上下]午|凌晨|清晨|早上|晚上|[上本]世纪|(?<![以之此])[今去明前]年|[昨今明]天"
    r"|[上本下]个?[月周]|[周星期]{1,2}[日天]|[春夏秋冬][天季]|正午|午夜"
    r"|\b(?:last|this|next|past) (?:year|month|week|season|decade|century)\b"
    r"|\b(?:early|mid|middle|late)(?=[ -](?:of )?(?:the )?(?:\d|[jfmasond][a-z]{2}))"
    r"|(?-i:(?:\b(?!(?:the|an?|of|in|and) )[A-Za-z]{1,30} )?\b[IVX]{2,}\b"
    r"|\b[A-Za-z]{1,30} [IVX]\b)"
    r"|\b(?:mornings?|afternoons?|evenings?|fortnights?|yesterday|today|tomorrow|decades?|century|centuries|dozens?|[a-z]+fold"
    rf"|(?:quadr|quint)upled?|(?:{'|'.join(SIZE_WORDS)})s?|noon|midnight"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|spring|summer|autumn|winter)\b",
    re.IGNORECASE,
)
# How many these are, without a number.
_GROUPS: Final = {"single": 1, "pair": 2, "both": 2, "duo": 2, "双": 2, "trio": 3}
_GROUP = re.compile(
    # Not the two that are named: both the bridge and the tower, he and she both.
    r"\b(?:single|pair|(?-i:Both)(?![^.;]{1,80} and\b)|both(?= of\b)|duo|trio)\b"
    "|双(?!方)",
    re.IGNORECASE,
)
_MONTH = re.compile(  # alone: `May` and `March` too
    rf"\b(?:{'|'.join(map(str.title, MONTHS))})\b"
    rf"|(?<![{HAN_NUMERALS}])(?P<han>十?[一二]|[三四五六七八九十])月(?![球饼])"
)
_FRACTION = re.compile(r"(?<![\d/.,])(\d{1,9})/(\d{1,9})(?![\d/]|[.,]\d)")
# 一 and `one of` are articles most of the time, but 一级 and 一月 are not, and neither
# are those where a quotation has another number.
_ONE: Final = re.compile("(?<![唯统逐同专单])一(?=[人级等号楼次卷审])")
_ARTICLES = re.compile(
    rf"(?<![唯统逐同专单])一(?P<han>[{HAN_RANGE}].?)"
    r"|\bone of (?:the )?(?P<english>[a-z]+)",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"(?:零下|负|\b(?:minus|negative)|(?:^|(?<!\d)[^\w)])[-\u2212]) ?\Z", re.IGNORECASE
)
_NEGATIVE_BEHIND = re.compile(r" ?B\.?C|[^.,;]{0,20}\bbelow (?:zero|freezing)")
_BEFORE_CHRIST = re.compile(r"(?<![以之此目先从])前 ?\Z")
_POINTS = re.compile("点|p(?:oin|ct )?t|pp|bp")
_NUMERAL = re.compile(
    rf"(?:\d+(?:[.,\u00a0\u202f]\d+)*|[{HAN_NUMERALS}点]+|{ENGLISH.pattern})[余多来]?"
    rf" ?(?:[十百千万亿兆]+|-?(?:{'|'.join(SIZE_WORDS)})\b|(?-i:[kKMBT])\b)?",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"(?:[ -]{{1,3}}[A-Za-z]+){{1,3}}|[A-Za-z]+|[°′″]|[{HAN_RANGE}]")
_HYPHEN = re.compile("(?<=[a-z])-(?=[a-z])")
_ARTICLE = re.compile("\\ba(?= (?:third|fourth|fifth) (?!of\\b))")
_ANY_COUNT: Final = frozenset("个名位人的了和与及至到或是在为")
_SAME_UNIT = re.compile(r" ?(?:and|or|to|和|与|或|、|,|至|到|[-\u2013~]) ?")
_SIGNS: Final = ".,:/^'’+-"
_NO_NUMERALS: Final = frozenset("一陆伍拾")  # alone: 一直, 登陆, 队伍, 收拾
_WORD = re.compile("[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure of a text: all that it can be read as, and the word that it counts."""

    start: int
    end: int
    keys: frozenset[_Key]
    counted: str = ""
    words: frozenset[str] = frozenset()  # those right behind it


def unquoted(sentence: str, quotations: Sequence[str]) -> list[str]:
    """Return the figures of *sentence* that stand in none of *quotations*."""
    if len(sentence) > _LONGEST:
        return [sentence]
    plain = [flat(quotation) for quotation in quotations]
    known: dict[_Key, set[_Counted]] = defaultdict(set)
    for text in plain:
        for figure in _figures(text, is_source=True):
            for key in figure.keys:
                known[key].add((figure.counted, figure.words))
    all_counted = {counted for some in known.values() for counted, _ in some}
    words = {
        stem(form)
        for word in map(_folded, _WORD.findall(" ".join(plain)))
        for form in (word, word.removesuffix("s"))
    }
    is_chinese = any(map(HAN.search, plain))
    is_english = not all(map(HAN.search, plain))

    def stands(figure: _Figure) -> bool:
        same = {one for key in figure.keys for one in known.get(key, ())}
        counted = figure.counted
        if not same or not counted or any(one == counted for one, _ in same):
            return bool(same)
        if HAN.match(counted):
            # Some words count anything, but 人 is no 人次; other languages have others.
            is_part = any(one.startswith(counted) for one, _ in same)
            return not is_chinese or (counted in _ANY_COUNT and not is_part)
        if not is_english:
            return counted.islower() or counted in words  # MPa is no mPa
        if counted not in words:
            return False
        if any(near & figure.words for _, near in same):
            return True
        return counted not in all_counted and any(not one for one, _ in same)

    figures = _figures(flat(sentence))
    return [
        *(sentence[one.start : one.end] for one in figures if not stands(one)),
        *_other_ones(flat(sentence), " ".join(plain)),
    ]


def _other_ones(sentence: str, source: str) -> Iterator[str]:
    """Yield each 一 or `one of` in whose place *source* has another number."""
    for match in _ARTICLES.finditer(sentence):
        what = re.escape(match["han"] or match["english"])
        numeral = (
            rf"[{HAN_NUMERALS}\d] ?"
            if match["han"]
            else r"\b(?:[a-z]+|\d+) of (?:the )?"
        )
        found = re.findall(rf"({numeral}){what}", source, re.IGNORECASE)
        numbers = {one.split(" ")[0].lower() for one in found}
        if not numbers & {"一", "1", "one"} and any(
            not number.isalpha() or HAN.match(number) or english(number)
            for number in numbers
        ):
            yield match[0]


def _figures(text: str, *, is_source: bool = False) -> Iterator[_Figure]:
    """Yield the figures of flat *text*; of a source also the parts of its dates."""
    read = [False] * len(text)

    def take(start: int, end: int) -> bool:
        """Mark a place as read; False where a part of it was before."""
        is_new = not any(read[start:end])
        read[start:end] = [True] * (end - start)
        return is_new

    # With nothing that keeps a numeral from being read: a third edition, six-storey.
    text = _HYPHEN.sub(" ", _ARTICLE.sub(" ", text))
    found = values(text)
    for match in _FRACTION.finditer(text):
        unit, end = unit_behind(text, match.end())
        if take(match.start(), end):
            key = ("fraction", *match.groups(), unit)
            yield _Figure(match.start(), end, frozenset([key]))
    for value in found:
        is_count = isinstance(value, Quantity) and value.unit == COUNT
        # A range of dates has its place twice; a name holds a number that is no other.
        if not is_count and (take(value.start, value.end) or isinstance(value, Date)):
            yield _of_value(value, text, is_source=is_source)
    for place in _places(text, is_source=is_source):
        if take(place.start, place.end):
            yield place
    for before, value, behind in zip(
        (None, *found), found, (*found[1:], None), strict=False
    ):
        if isinstance(value, Quantity) and take(value.start, value.end):
            figure = _of_count(value, before, behind, text, is_source=is_source)
            is_han = HAN.match(text, value.start)
            is_article = not value.digits and (is_han or not figure.counted)
            if not (is_article and value.written == 1) or _ONE.match(text, value.start):
                yield figure
    yield from _worded(text, found, read)
    yield from _unread(text, read)


def _of_value(value: Value, text: str, *, is_source: bool) -> _Figure:
    """Read a value that has a unit, a date or a version."""
    start, end = value.start, value.end
    sign, written = _is_negative(text, start, end), text[start:end]
    # C$ is no $, though this is what is read of it.
    letter = text[start - 1 : start] if text[start - 1 : start].isalpha() else ""
    letter = "" if HAN.match(letter) else letter
    keys = {_letters(written.lower(), letter, is_negative=sign)}
    match value:
        case Quantity(unit=unit, amount=amount) if unit != TIME:
            # 5 Mb is no 5 MB.
            keys = {_letters(written, letter, is_negative=sign)}
            name = DOLLAR if unit.dimension == "USD" else unit.dimension
            points = unit.dimension == PERCENT and bool(_POINTS.search(written))
            keys.add((name, points, letter, sign, _rounded(amount)))
            if is_source and unit == YEAR:  # a 15-year-old is a girl of 15
                keys.add(("bare", sign, _rounded(value.written)))
        case Date(is_unsure=False, year=year, month=month, day=day):
            keys.add((Date, sign, year, month, day))
            if is_source:
                parts = ((year, month, None), (year, None, None), (None, month, day))
                keys |= {(Date, sign, *some) for some in parts}
                keys |= {(Date, sign, None, month, None), (Date, sign, None, None, day)}
        case Version(name=name, text=number, letters=letters):
            keys.add((Version, name, number, letters))
            if is_source:
                keys.add((Version, "", number, letters))
    return _Figure(start, end, frozenset(keys))


def _of_count(
    count: Quantity,
    before: Value | None,
    behind: Value | None,
    text: str,
    *,
    is_source: bool,
) -> _Figure:
    """Read a number with the word that it counts, or the unit of its neighbour."""
    start, end = count.start, count.end
    sign = _is_negative(text, start, end)
    numeral = _NUMERAL.match(text, start)
    at = numeral.end() if numeral else end
    unit, last = unit_behind(text, at)
    match = _COUNTED.match(text, at)
    behind_it = match[0].strip(" -") if match else ""
    words = [_folded(word) for word in re.split("[ -]+", behind_it)]
    counted = text[at:last].strip() or words[0]
    if counted.isascii():
        counted = "" if counted.lower() in STOPS else stem(_folded(counted))
    shared = [unit] if unit else []
    if isinstance(behind, Quantity) and _SAME_UNIT.fullmatch(text, end, behind.start):
        shared.append(behind.unit)
    elif isinstance(before, Quantity) and not counted:
        is_joined = _SAME_UNIT.fullmatch(text, before.end, start)
        shared += [before.unit] if is_joined else []
    keys: set[_Key] = {
        (one.dimension, False, "", sign, _rounded(count.amount * one.factor))
        for one in shared
        if one.dimension
    }
    counted = "" if keys else counted
    if is_source or not keys:
        keys.add(("", sign, _rounded(count.amount)))
    if not counted:
        keys.add(("bare", sign, _rounded(count.amount)))
    keys.add(_letters(f"{text[start:at].lower()}{counted}", is_negative=sign))
    near = frozenset(stem(word) for word in words if word not in STOPS)
    return _Figure(start, end, frozenset(keys), counted, near)


def _worded(
    text: str, found: Sequence[Value], read: Sequence[bool]
) -> Iterator[_Figure]:
    """Yield rates, and what is told of an amount or a time without a number."""
    for match in _VAGUE.finditer(text):
        if not any(read[slice(*match.span())]):
            word = match[0].lower().replace("middle", "mid")
            yield _Figure(*match.span(), frozenset([_letters(word)]))
    for match in _GROUP.finditer(text):
        if not any(read[slice(*match.span())]):
            count = ("", False, _rounded(_GROUPS[match[0].lower()]))
            yield _Figure(*match.span(), frozenset([count]))
    is_speed = any(
        isinstance(v, Quantity) and v.unit.dimension == "speed" for v in found
    )
    for match in _RATE.finditer(text):
        name = next(filter(None, match.groups())).lower()
        name = _RATES.get(name, name)
        if not (is_speed and name == "hour"):  # 每小时26公里 is 26 km/h
            yield _Figure(*match.span(), frozenset([("rate", name)]))


def _unread(text: str, read: Sequence[bool]) -> Iterator[_Figure]:
    """Yield numerals that are none of all these: 5G, 2/3, 10^6, 三大, 数百."""
    last = 0
    for at, char in enumerate(text):
        if at < last or read[at] or not _is_numeral(char):
            continue
        start = last = at
        while start and _is_joined(text[start - 1], char):
            start -= 1
        while last < len(text) and _is_joined(text[last], char):
            last += 1
        written = text[start:last].strip(_SIGNS)
        if written in _NO_NUMERALS and not _ONE.match(text, start):
            continue
        # What a numeral counts, or the word that it is a part of.
        behind = "" if re.search("[a-zA-Z]", written) else text[last : last + 1]
        behind = "" if behind in _ANY_COUNT else behind
        keys: set[_Key] = {
            _letters(_WORD.sub(lambda m: _folded(m[0]), written + behind))
        }
        if (amount := chinese(written)) is not None:
            keys.add(("", False, _rounded(amount)))
        yield _Figure(start, last, frozenset(keys), behind)


def _places(text: str, *, is_source: bool) -> Iterator[_Figure]:
    """Yield months, hours, weekdays, decades, centuries and ordinals."""
    for match in _MONTH.finditer(text):
        month = MONTHS.get(match[0].lower()) or _number(match["han"])
        yield _Figure(*match.span(), frozenset([(Date, False, None, month, None)]))
    for kind, pattern in _PLACES:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            part = {name: _number(said) for name, said in match.groupdict().items()}
            place = next((part[n] for n in ("han", "digits", "word") if part.get(n)), 0)
            sign = _is_negative(text, *match.span())
            keys: set[_Key] = {(kind, sign, place)}
            if century := part.get("century"):
                parts = {*keys, ("century", sign, century)} if is_source else set()
                keys = {(kind, sign, 100 * (century - 1) + place), *parts}
            yield _Figure(*match.span(), frozenset(keys))


def _number(numeral: str | None) -> int:
    if not numeral:
        return 0
    if numeral.isdigit():
        return int(numeral)
    return _ORDINALS.get(numeral.lower()) or int(chinese(numeral) or english(numeral))


def _is_negative(text: str, start: int, end: int) -> bool:
    """Tell whether a figure lies below zero, or before Christ."""
    before = text[max(0, start - _AROUND) : start]
    is_year = text[end - 1] in "年纪代" and _BEFORE_CHRIST.search(before)
    return bool(
        is_year or _NEGATIVE.search(before) or _NEGATIVE_BEHIND.match(text, end)
    )


def _is_joined(char: str, other: str) -> bool:
    """Tell whether *char* can be a part of one figure with *other*, a numeral."""
    if _is_numeral(char) or HAN.match(other):
        return _is_numeral(char)
    return char in _SIGNS or (char.isascii() and char.isalpha())


def _is_numeral(char: str) -> bool:
    return char.isnumeric() or char in "两兩"


def _letters(written: str, before: str = "", *, is_negative: bool = False) -> _Key:
    return "letters", re.sub(r"\s|\.(?!\d)", "", written), before, is_negative


def _folded(word: str) -> str:
    """Return *word* in lower case, unless its case is that of a unit: mW, MPa."""
    is_unit = not (word.islower() or word.isupper() or word.istitle())
    return word if is_unit else word.lower()


def _rounded(amount: float) -> str:
    return f"{amount:.9g}"
