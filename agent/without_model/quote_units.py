"""Which unit the number has that a question asks for."""

import re
from collections.abc import Mapping
from typing import Final

_NUMERAL: Final = (
    r"(?:\d[\d,.]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|half|hundred|thousand|million|dozen)\b|[一二三四五六七八九十百千两]+)"
)
# Between number and unit: `4.2 万`, `6300 余`, `five and a half`, `2.5 million`.
_BETWEEN: Final = r"[\s-]?[百千万亿]*[余多来]?\s?(?:(?:and a half|million|billion) )?"

_LENGTH = (
    r"公里|千米|米|厘米|里|km\b|kilomet|m\b|met(?:re|er)|miles?\b|feet\b|ft\b|cm\b"
)
_TIME = (
    r"年|个?月|天|小时|分钟?|周|秒|years?|months?|weeks?|days?|hours?|minutes?|seconds?"
)
_WEIGHT = r"吨|公斤|千克|克|斤|kg\b|kilo|g\b|grams?|tons?|tonnes?|pounds?|lbs?\b"
_SIZE = r"平方|公顷|亩|英?寸|岁|[GMT]B|square|hectares?|acres?|inch"
_SPEED = rf"km/h|mph|m/s|kph|knots|kilomet|miles?|马赫|{_LENGTH}"
_PEOPLE = r"人|名|位|people|inhabitants|residents|persons|souls|passengers"

# Words of a question, and the units that answer it.
_ASKED: Final[Mapping[str, str]] = {
    r"多长|how long|\blength\b": f"{_LENGTH}|{_TIME}",
    r"多[远高深宽厚]|距离|[高长深宽]度|how (?:far|tall|high|deep|wide)": _LENGTH,
    r"\b(?:height|depth|distance)\b": _LENGTH,
    r"多久|how (?:long|old|often)|\bage\b": f"{_TIME}|日",
    r"[几少][天日]": "天|日",
    r"多重|重量|how heavy|\bweigh": _WEIGHT,
    r"多大|面积|how (?:big|large)|\b(?:area|size)\b": _SIZE,
    r"多快|速度|时速|how fast|\bspeed\b": _SPEED,
    r"人口|多少人|几个人|\bpopulation\b": _PEOPLE,
    r"几?度|[体气]温|[沸熔]点|\b(?:temperature|(?:boil|melt|freez)ing)\b": (
        r"[°℃℉]|度|degrees"
    ),
    r"\bmemory\b|\bstorage\b|内存|容量": r"[KMGT]i?B\b|兆|litres?|升",
}
# What a measure is called that a question asks for with an adjective.
_CALLED: Final[Mapping[str, str]] = {
    r"多长|how long": r"长度|总长|\blength\b",
    r"多远|how far": r"距离|相距|\bdistance\b|\baway\b",
    r"多高|how (?:tall|high)": r"高度|海拔|\bheight\b|\belevation\b",
    r"多深|how deep": r"深度|\bdepth\b",
    r"多宽|how wide": r"宽度|\bwidth\b",
    r"多大|how (?:big|large)": r"面积|大小|\barea\b|\bsize\b",
    r"多重|how (?:heavy|much does .* weigh)": r"重量|体重|\bweigh",
    r"多快|how fast": r"速度|时速|\bspeed\b",
}
_UNIT = re.compile("(?:多少|几)个?([\u4e00-\u9fff]{1,2})")
_THINGS = re.compile(r"how (?:many|much) ((?:[\w-]+ ?){1,3})", re.IGNORECASE)
_MISTAKEN: Final = frozenset("是的了呢吗啊有在才要能个钱以")  # behind `how many`
_SHORTEST: Final = 4


def measured(question: str) -> re.Pattern[str] | None:
    """A number with the unit that *question* asks for; None where it names none."""
    units = [
        units
        for asked, units in _ASKED.items()
        if re.search(asked, question, re.IGNORECASE)
    ]
    if match := _UNIT.search(question):
        units += [re.escape(unit) for unit in _chinese(match[1])]
    if match := _THINGS.search(question):
        units += [rf"(?:\w+ )?{re.escape(stem)}" for stem in _english(match[1])]
    if not units:
        return None
    behind = f"{_NUMERAL}{_BETWEEN}(?:{'|'.join(units)})"
    return re.compile(f"{behind}{_listed(question)}", re.IGNORECASE)


def called(question: str) -> re.Pattern[str] | None:
    """The measure that *question* asks for, by name; None where it asks for none."""
    for asked, names in _CALLED.items():
        if re.search(asked, question, re.IGNORECASE):
            return re.compile(names, re.IGNORECASE)
    return None


def _listed(question: str) -> str:
    """`caves: 735`, where the thing that is counted stands before its number."""
    match = _UNIT.search(question)
    if match is None or len(match[1]) == 1:
        return ""
    return rf"|{re.escape(match[1])}[^\d\u3002\uff0c]{{0,4}}\d"


def _chinese(text: str) -> list[str]:
    """`公里` as it is; of `颗卫` the first may be the unit alone."""
    found = [text] if len(text) > 1 else []
    return [*found, text[0]] if text[0] not in _MISTAKEN else []


def _english(text: str) -> list[str]:
    """The first words behind `how many`, less the ending of the plural."""
    words = [word for word in text.lower().split() if len(word) >= _SHORTEST]
    return [word.removesuffix("s") for word in words[:2]]
