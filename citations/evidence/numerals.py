"""Read numbers that are written in words, Chinese and English."""

import re
from typing import Final

_HAN_DIGITS: Final = {char: at for at, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_HAN_TENS: Final = {"十": 10, "百": 100, "千": 1_000}
_SIMPLE: Final = str.maketrans("萬億", "万亿")
HAN_NUMERALS: Final = "".join([*_HAN_DIGITS, *_HAN_TENS, "万亿萬億"])

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL: Final = (
    {word: at for at, word in enumerate(_ONES.split())}
    | {
        "a": 1,
        "an": 1,
    }
    | {word: 10 * at for at, word in enumerate(_TENS.split(), start=2)}
)
SIZE_WORDS: Final = {
    "dozen": 12.0,
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "quadrillion": 1e15,
    "quintillion": 1e18,
    "lakh": 1e5,
    "crore": 1e7,
}
_NUMBER_WORD = "|".join(sorted(_SMALL.keys() - {"a", "an"}, key=len, reverse=True))
_SIZE_WORD = "|".join(SIZE_WORDS)
_UNSIZED = rf"(?:{_NUMBER_WORD})(?:[ -](?:{_NUMBER_WORD})){{0,2}}"
_SIZED = rf"(?:{_UNSIZED}|an?)(?: (?:{_SIZE_WORD})){{1,2}}"
_HUNDRED: Final = 100
ENGLISH = re.compile(
    rf"\b(?:{_SIZED}(?:,? (?:and )?(?:{_SIZED}|{_UNSIZED})(?![\w-])){{0,3}}|{_UNSIZED})"
    r"\b(?!-)",
    re.IGNORECASE,
)


def chinese(numeral: str) -> float | None:
    """Read 三千五百, 二〇二四, 两亿五千万 or 三点五; None where it is no number."""
    whole, _, decimals = numeral.translate(_SIMPLE).partition("点")
    if decimals:
        tail = "".join(str(_HAN_DIGITS.get(char, "")) for char in decimals)
        before = chinese(whole)
        return None if before is None or not tail else before + float(f"0.{tail}")
    if all(char in _HAN_DIGITS for char in whole):
        digits = "".join(str(_HAN_DIGITS[char]) for char in whole)
        return float(digits) if digits else None
    for size, factor in (("亿", 1e8), ("万", 1e4)):
        left, has_size, right = whole.rpartition(size)
        if not has_size:
            continue
        high = chinese(left) if left else 1.0
        low = chinese(right) if right else 0.0
        if high is None or low is None:
            return None
        if len(right) == 1:  # 三万五 is 35,000, 三万零五 30,005
            low = low * factor / 10
        return high * factor + low
    amount = digit = 0.0
    for at, char in enumerate(whole):
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _HAN_TENS:
            amount += (digit or (0 if at else 1)) * _HAN_TENS[char]
            digit = 0
        else:
            return None
    if digit and whole[-2:-1] in ("百", "千"):  # 两千三 is 2,300
        digit *= _HAN_TENS[whole[-2]] / 10
    return amount + digit


def english(numeral: str) -> float:
    """Read `twenty-five`, `three hundred thousand`, `one hundred and six`."""
    amount = waiting = 0.0
    for word in re.findall("[a-z]+", numeral.lower()):
        if word not in SIZE_WORDS:
            waiting += _SMALL.get(word, 0)  # 0 for `and`
        elif SIZE_WORDS[word] == _HUNDRED:
            waiting *= _HUNDRED
        else:
            amount, waiting = amount + waiting * SIZE_WORDS[word], 0.0
    return amount + waiting
