"""Language and country of a search, as each engine names them."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from websearch.models import SearchRequest

_SCRIPT_REGIONS = {"hans": "CN", "hant": "TW"}
# A script, its most likely language, and all languages that are written in it.
_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff]"), "ja-JP", ("ja",)),
    (re.compile(r"[\uac00-\ud7af]"), "ko-KR", ("ko",)),
    (re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]"), "zh-CN", ("zh", "ja")),
)
_ANYWHERE: Final = "wt-wt"  # DuckDuckGo's code for no region

# How engines name languages and countries.
_NAMES: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(
    Path(__file__).with_name("locales.toml").read_text(encoding="utf-8")
)
_LISTS: Final = {name: words.split() for name, words in _NAMES["lists"].items()}


def accept_language(query: str, language: str | None) -> str:
    """The Accept-Language header: *language*, else that of the query's script."""
    chosen = language if language not in (None, "all") else None
    tag = chosen or _script(query)[0]
    short = tag.partition("-")[0]
    ours = f"{tag},{short};q=0.9" if short != tag else tag
    return ours if short == "en" else f"{ours},en;q=0.5"


def language_of(request: SearchRequest, default: str) -> str:
    """
    The language of a search: the request's, else *default* in the request's country.

    `auto` becomes a language that the query's script allows and the country speaks.
    A country that is unknown, or does not speak *default*, changes nothing.
    """
    language = request.locale or default
    if request.locale not in (None, "auto") or request.country is None:
        return language
    possible = _script(request.query)[1]
    if language != "auto":
        possible = (language_tag(language).partition("-")[0],)
    for spoken in _NAMES["spoken"].get(request.country, "").split():
        if not possible or spoken in possible:
            return f"{spoken}-{request.country}"
    return language


def language_tag(locale: str) -> str:
    """A locale as SearXNG knows it: `zh-CN`, never `zh_CN` or `zh-Hans`."""
    language, *rest = locale.replace("_", "-").split("-")
    regions = [part.upper() for part in rest if len(part) == len("CN")]
    scripts = [region for part in rest if (region := _SCRIPT_REGIONS.get(part.lower()))]
    return "-".join([language.lower(), *(regions or scripts)[:1]])


def script_tag(query: str) -> str | None:
    """The language that the script of *query* shows; None for Latin script."""
    tag, possible = _script(query)
    return tag if possible else None


def tag_of(request: SearchRequest, default: str) -> str | None:
    """The tag of the language to search in; None for any."""
    language = language_of(request, default)
    if language == "all":
        return None
    return script_tag(request.query) if language == "auto" else language_tag(language)


def country_of(request: SearchRequest, tag: str | None) -> str | None:
    """The country of a search: the request's, else that of the language tag."""
    region = (tag or "").partition("-")[2]
    return request.country or (region if region.isalpha() and region else None)


def duckduckgo_region(request: SearchRequest, default: str) -> str:
    """DuckDuckGo's code for the region of a search, which may be none."""
    tag = tag_of(request, default)
    language = (tag or "").partition("-")[0]
    country = country_of(request, tag) or _NAMES["countries"].get(
        language, language.upper()
    )
    land = {"GB": "uk"}.get(country, country.lower())
    spoken = {"ja": "jp", "ko": "kr", "nb": "no"}.get(language, language)
    if land in {"hk", "tw"}:
        spoken = "tzh"
    if (region := f"{land}-{spoken}") in _LISTS["duckduckgo_regions"]:
        return region
    if request.country is None:
        return _ANYWHERE
    others = (r for r in _LISTS["duckduckgo_regions"] if r.startswith(f"{land}-"))
    return next(others, _ANYWHERE)


def brave_language(request: SearchRequest, default: str) -> dict[str, str]:
    """Brave's parameters for language and country; it refuses unknown ones."""
    tag = tag_of(request, default)
    country = country_of(request, tag)
    language = (tag or "").lower()
    if language in {"zh-tw", "zh-hk", "zh-mo"}:
        language = "zh-hant"
    languages, names = _LISTS["brave_languages"], _NAMES["brave_names"]
    if language not in languages:
        short = language.partition("-")[0]
        language = names.get(short, short)
    countries = _LISTS["brave_countries"]
    form = {"country": country if country and country in countries else "ALL"}
    if language in (*languages, *names.values()):
        form["search_lang"] = language
    return form


def google_form(request: SearchRequest, default: str) -> dict[str, str]:
    """Google's parameters for the language of its page, of results, and country."""
    tag = tag_of(request, default)
    country = country_of(request, tag)
    form = {"hl": _google_language(tag or _script(request.query)[0])}
    if tag:
        form["lr"] = f"lang_{_google_language(tag)}"
    return form | ({"gl": country.lower()} if country else {})


def _google_language(tag: str) -> str:
    """The code of a language; only Chinese is divided by countries."""
    language = tag.partition("-")[0]
    known = tag if language == "zh" else language
    return _NAMES["google"].get(known, known)


def _script(query: str) -> tuple[str, Sequence[str]]:
    """The most likely language of the script of *query*, and all possible ones."""
    for script, tag, possible in _SCRIPTS:
        if script.search(query):
            return tag, possible
    return "en-US", ()
