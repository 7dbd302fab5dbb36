"""What a language model meant by its arguments; None where that can't be told."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from untrusted.text import clean_query
from websearch.models import TimeRange

_LONGEST: Final = 100  # of an argument that is not the query

_NAMES: Final[Mapping[str, str]] = {
    "AR": "ARG, Argentina",
    "AT": "AUT, Austria",
    "AU": "AUS, Australia, \u6fb3\u5927\u5229\u4e9a",
    "BE": "BEL, Belgium",
    "BR": "BRA, Brazil, \u5df4\u897f",
    "CA": "CAN, Canada, \u52a0\u62ff\u5927",
    "CH": "CHE, Switzerland, \u745e\u58eb",
    "CN": "CHN, China, PRC, Mainland China, \u4e2d\u56fd, \u4e2d\u570b",
    "DE": "DEU, Germany, \u5fb7\u56fd",
    "ES": "ESP, Spain, \u897f\u73ed\u7259",
    "FR": "FRA, France, \u6cd5\u56fd",
    "GB": "GBR, UK, Great Britain, Britain, United Kingdom, England, \u82f1\u56fd",
    "HK": "HKG, Hong Kong, \u9999\u6e2f",
    "ID": "IDN, Indonesia",
    "IN": "IND, India, \u5370\u5ea6",
    "IT": "ITA, Italy, \u610f\u5927\u5229",
    "JP": "JPN, Japan, \u65e5\u672c",
    "KR": "KOR, South Korea, Korea, \u97e9\u56fd",
    "MX": "MEX, Mexico",
    "NL": "NLD, Netherlands, The Netherlands, Holland, \u8377\u5170",
    "PL": "POL, Poland",
    "PT": "PRT, Portugal",
    "RU": "RUS, Russia, \u4fc4\u7f57\u65af",
    "SE": "SWE, Sweden",
    "SG": "SGP, Singapore, \u65b0\u52a0\u5761",
    "TR": "TUR, Turkey",
    "TW": "TWN, Taiwan, \u53f0\u6e7e, \u53f0\u7063",
    "UA": "UKR, Ukraine",
    "US": "USA, United States, United States of America, America, \u7f8e\u56fd",
    "VN": "VNM, Vietnam, \u8d8a\u5357",
}
_CODES: Final = {
    name.casefold(): code
    for code, names in _NAMES.items()
    for name in names.split(", ")
}
_CODE = re.compile("(?:[a-z]{2,3}[-_](?:[a-z]{4}[-_])?)?([a-z]{2})")  # CN, zh-CN

_HOURS: Final[Mapping[str, int]] = {
    **dict.fromkeys("h\u65f6", 1),
    **dict.fromkeys("d\u5929\u65e5", 24),
    **dict.fromkeys("w\u5468\u661f", 7 * 24),
    **dict.fromkeys("m\u6708", 30 * 24),
    **dict.fromkeys("y\u5e74", 366 * 24),
}
_SPAN = re.compile(
    "(?:(?P<number>[0-9]{1,6})"
    "|(?P<several>[\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u51e0\u6570])"
    "|)[ _+-]?\u4e2a?\u5c0f?"
    "(?P<unit>hour|day|dai|week|month|year"
    # 24h, 3mo, and Brave's pd, pw, pm, py.
    "|(?<![a-z])(?:p?[hdwmy]|hr|wk|mo|yr)(?=s?(?![a-z]))"
    "|[\u65f6\u5929\u65e5\u5468\u661f\u6708\u5e74])"
    "(?P<plural>s)?"
)
_SEVERAL: Final = 3  # days are within a week, weeks within a month, months in a year
_RANGES: Final[tuple[tuple[TimeRange, int], ...]] = (
    ("day", 1),
    ("week", 7),
    ("month", 31),
    ("year", 366),
)


def meant_query(said: Any) -> str:
    """Text; '' where there is none."""
    words = said if isinstance(said, list | tuple) else [said]
    texts = [str(word) for word in words if isinstance(word, str | int | float)]
    return clean_query(" ".join(texts))


def meant_count(said: Any, most: int) -> int | None:
    """A whole number from 1 to *most*."""
    if isinstance(said, bool) or not isinstance(said, str | int | float):
        return None
    if not isinstance(said, int):
        try:
            said = min(float(said), most)
        except ValueError:
            return None
    return None if said != said else int(max(1, min(said, most)))  # noqa: PLR0124  NaN


def meant_country(said: Any) -> str | None:
    """Code of two letters, for such a code, a language tag or a name."""
    text = _plain(said).replace(".", "")
    if code := _CODES.get(text):
        return code
    # Of one sign such as \u00df, folding makes two letters that nobody said.
    match = _CODE.fullmatch(text) if str(said).isascii() else None
    return match[1].upper() if match else None


def meant_freshness(said: Any) -> TimeRange | None:
    """The shortest of our ranges that holds the span."""
    match = _SPAN.search(_plain(said))
    if match is None:
        return None
    number = _SEVERAL if match["several"] or match["plural"] else 1
    hours = int(match["number"] or number) * _HOURS[match["unit"].removeprefix("p")[0]]
    return next((name for name, days in _RANGES if hours <= days * 24), None)


def _plain(said: Any) -> str:
    text = said[:_LONGEST] if isinstance(said, str) else ""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
