"""Tell which characters of a Chinese question say what it is about."""

import re
from collections.abc import Iterable
from typing import Final

from agent.follow_up.chinese_words import GENERAL, GROUPS, MOMENTS, RELATIONAL

# Where a name begins that looks like a pronoun or like 那.
NAMED: Final = "不勒斯|曲市|英|拉提|霸|空间"


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of *words*, the longest first."""
    return "|".join(map(re.escape, sorted(set(words), key=len, reverse=True)))


MOMENT: Final = (
    rf"{any_of(MOMENTS)}|(?:19|20)?\d\d年(?:\d{{1,2}}月)?|\d{{1,2}}月(?:\d{{1,2}}[日号])?"
    "|周[一二三四五六日末]|星期[一二三四五六日天]"
)
# What counts, adjectives and verbs of one character, and people for whom something is
# allowed: each only where it can't be a part of a name.
_COUNTED: Final = (
    r"[几多一两每哪这那\d](?:个|种|些|次|位|款|家|座|本|部|项|条|只|件|名|岁|年|月|日|天"
    "|杯|级|倍|层|集|回|章|页|人|遍|份|张|块|元)+"
)
_ADJECTIVE: Final = (
    "(?:很|太|更|最|不|比较|挺|有多|还|这么|那么)?"
    "[大小高低长短多少快慢新旧老早晚好坏贵难近远冷热冰甜咸酸辣](?=[吗嘛呢么了，？?]|$)"
)
_VERB: Final = (
    "(?<=[能会要该以么样何谁久想不没])[\u4e00-\u9fff](?=[吗呢了的到完，？?]|$)"
    "|(?<=[能会要该以想不没都还])[\u4e00-\u9fff](?=多少|几|什么|哪)"
)
_GROUP: Final = f"(?:{any_of(GROUPS)})(?=[^吗]{{0,8}}吗)"
_EMPTY = re.compile(
    f"{MOMENT}|{_COUNTED}|{_ADJECTIVE}|{_VERB}|{_GROUP}"
    rf"|{any_of((*GENERAL, *RELATIONAL))}|[\W\d_]"
)


def left_of(text: str) -> str:
    """Return what is left of *text* without the words that fit any subject."""
    return _EMPTY.sub("", text)


def says_nothing(text: str) -> bool:
    """Tell if *text* holds only words that fit any subject."""
    return not left_of(text)


# A question that begins with its predicate: 会传染吗, 有多少种, 对哪些细菌有效.
PREDICATE = re.compile(
    "(?:还|也|都|就)?(?:能(?![源量力级])|会(?![议计员])|要(?![素点塞])|对(?![联虾牛称数象比])|由(?!来)"
    "|占(?![星卜])|离(?![婚职子心别])|可以|可不可以|需要|应该|属于|附近|里面|周边|距离"
    "|最[多少快早晚低高长](?=[能可要])|为什么(?=[被会不没要能叫])|什么人|有(?=几|多少|什么(?:区别|意义|关系))|有(?!没有)(?=[^，]{1,6}吗)"
    "|(?![我你谁])[\u4e00-\u9fff]{1,2}过(?=哪|什么|几|多少)|[葬住生死建设]在(?=哪)"
    "|多久|多少|多[大高远]|几(?![何内乎率])|哪[个种款家座]更|是(?=谁|哪|什么|不是|否|怎|几))"
)
LINKING = re.compile(
    "(?:那么|那(?=[它他她这那要能会可需有是为什怎如多哪谁几]|$)"
    "|还有|另外|然后|所以|但是|可是|不过|请问|请|嗯|哦|好的)[，,\\s]*"
)
