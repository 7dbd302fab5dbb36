"""Language tags, and the language that a query is written in."""

import re
from collections.abc import Sequence

from websearch.models import SearchRequest

_SCRIPT_REGIONS = {"hans": "CN", "hant": "TW"}
# A script, whose language it most likely is, and all the languages it may be.
_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff]"), "ja-JP", ("ja",)),
    (re.compile(r"[\uac00-\ud7af]"), "ko-KR", ("ko",)),
    (re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]"), "zh-CN", ("zh", "ja")),
)
# The languages of a country that SearXNG knows it by, the first of them first.
_SPOKEN = {
    "AR": ("es",),
    "AT": ("de",),
    "AU": ("en",),
    "BE": ("nl", "fr", "de"),
    "BR": ("pt",),
    "CA": ("en", "fr"),
    "CH": ("de", "fr", "it"),
    "CN": ("zh",),
    "DE": ("de",),
    "ES": ("es", "ca"),
    "FR": ("fr",),
    "GB": ("en",),
    "HK": ("zh", "en"),
    "ID": ("id",),
    "IN": ("en", "hi"),
    "IT": ("it",),
    "JP": ("ja",),
    "KR": ("ko",),
    "MX": ("es",),
    "NL": ("nl",),
    "PL": ("pl",),
    "PT": ("pt",),
    "RU": ("ru",),
    "SE": ("sv",),
    "SG": ("en",),
    "TR": ("tr",),
    "TW": ("zh",),
    "UA": ("uk",),
    "US": ("en",),
    "VN": ("vi",),
}


def accept_language(query: str, language: str | None) -> str:
    """What to say of the reader's language: the chosen one, or the query's script."""
    chosen = language if language not in (None, "all") else None
    tag = chosen or _script(query)[0]
    short = tag.partition("-")[0]
    ours = f"{tag},{short};q=0.9" if short != tag else tag
    return ours if short == "en" else f"{ours},en;q=0.5"


def language_of(request: SearchRequest, default: str) -> str:
    """
    The language to ask for: that of the request, else *default* as its country speaks.

    Of `auto`, the script of the query and the country may make a language. One that is
    not spoken there, and an unknown country, change nothing.
    """
    language = request.locale or default
    if request.locale not in (None, "auto") or request.country is None:
        return language
    possible = _script(request.query)[1]
    if language != "auto":
        possible = (language_tag(language).partition("-")[0],)
    for spoken in _SPOKEN.get(request.country, ()):
        if not possible or spoken in possible:
            return f"{spoken}-{request.country}"
    return language


def language_tag(locale: str) -> str:
    """SearXNG knows `zh` and `zh-CN`, and refuses `zh_CN` and `zh-Hans`."""
    language, *rest = locale.replace("_", "-").split("-")
    regions = [part.upper() for part in rest if len(part) == len("CN")]
    scripts = [region for part in rest if (region := _SCRIPT_REGIONS.get(part.lower()))]
    return "-".join([language.lower(), *(regions or scripts)[:1]])


def script_tag(query: str) -> str | None:
    """The language that the script of *query* shows; None for Latin script."""
    tag, possible = _script(query)
    return tag if possible else None


def _script(query: str) -> tuple[str, Sequence[str]]:
    """What the script of *query* says of its language; of Latin script, nothing."""
    for script, tag, possible in _SCRIPTS:
        if script.search(query):
            return tag, possible
    return "en-US", ()
