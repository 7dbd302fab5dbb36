"""Tell how much an amount may be off, by its digits and the words around it."""

import math
import re
from dataclasses import replace
from typing import Final

from citations.evidence.quantities import Quantity

_ABOUT = re.compile(
    r"(?:约|近|接近|大概|about|around|nearly|almost|approximately|roughly"
    r"|some|approx\.?|~|≈|circa|close to) ?\Z",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"(?:超过?|逾|多达|至少|高达|突破|不少于|over|more than|at least"
    r"|exceed(?:s|ed|ing)?|above|topp(?:ed|ing)|surpass(?:ed|ing)?|up to|>|≥) ?了?\Z",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?:不到|不足|低于|少于|未满|less than|under|below|fewer than|<|≤) ?\Z",
    re.IGNORECASE,
)
_ABOUT_BEHIND = re.compile(r" ?(?:左右|上下|or so)")
_OVER_BEHIND = re.compile(r" ?(?:余|多(?!少)|以上|\+|or more|plus)")
_REACH: Final = 24  # characters before a number
_MOST_ABOUT, _MOST_OVER = 0.2, 0.5  # share of the amount
_CUT: Final = 0.999  # of the last place: 2.9 is never cut to 2.8
_ROUND_FROM, _ROUND = 1_000, 0.005  # 91,600 people are 91,606
_CUT_FROM: Final = 100  # 127 may be a cut 127.8, but 12 is no 12.8


def tolerant(one: Quantity, text: str) -> Quantity:
    """Give *one*, of flat *text*, the least and the most that it stands for."""
    low, high = one.amount - one.place / 2, one.amount + one.place / 2
    factor = one.unit.factor
    if one.place < factor or one.written >= _CUT_FROM:
        high = one.amount + _CUT * one.place
    if one.place == factor and one.written >= _ROUND_FROM:
        reach = min(_roundness(one.written) / 2, _ROUND * one.written) * factor
        low, high = min(low, one.amount - reach), max(high, one.amount + reach)
    before = text[max(0, one.start - _REACH) : one.start]
    round_to = _roundness(one.written) * factor
    about, over = min(0.6 * round_to, _MOST_ABOUT * one.amount), 0.0
    is_about = _ABOUT.search(before) or _ABOUT_BEHIND.match(text, one.end)
    if one.is_more or _OVER.search(before) or _OVER_BEHIND.match(text, one.end):
        over = min(round_to, _MOST_OVER * one.amount)
    if is_about:
        over = max(over, about)
    if is_about or _UNDER.search(before):
        low = min(low, one.amount - about)
    return replace(one, low=low, high=max(high, one.amount + over))


def _roundness(written: float) -> float:
    """Return the value of the last digit that is not 0: 100,000 of 500,000."""
    digits = f"{abs(written):.15g}"
    if "e" in digits:
        return 10.0 ** math.floor(math.log10(abs(written)))
    whole, _, decimals = digits.partition(".")
    if decimals:
        return 10.0 ** -len(decimals)
    return 10.0 ** (len(whole) - len(whole.rstrip("0")))
