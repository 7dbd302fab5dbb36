"""Language and country of a search, as each engine names them."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from websearch.models import SearchRequest

_SCRIPT_REGIONS = {"hans": "CN", "hant": "TW"}
# A script, its most likely language, and all languages that are written in it.
_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff]"), "ja-JP", ("ja",)),
    (re.compile(r"[\uac00-\ud7af]"), "ko-KR", ("ko",)),
    (re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]"), "zh-CN", ("zh", "ja")),
)
# The languages of a country that SearXNG knows, the most spoken first.
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

_ANYWHERE: Final = "wt-wt"  # DuckDuckGo's code for no region

_DUCKDUCKGO: Final = frozenset(
    "ar-es at-de au-en be-fr be-nl bg-bg br-pt ca-en ca-fr ch-de ch-fr ch-it cl-es"  # noqa: SIM905  a list would take a line for each
    " cn-zh co-es cz-cs de-de dk-da ee-et es-ca es-es fi-fi fr-fr gr-el hk-tzh hr-hr"
    " hu-hu id-id ie-en il-he in-en it-it jp-jp kr-kr lt-lt lv-lv mx-es my-en nl-nl"
    " no-no nz-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk th-th"
    " tr-tr tw-tzh ua-uk uk-en us-en vn-vi za-en".split()
)
_BRAVE_LANGUAGES: Final = frozenset(
    "ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr"  # noqa: SIM905  a list would take a line for each
    " ms nb nl pa pl pt-br ro ru sk sl sr sv ta te th tr uk vi zh-hant en-gb".split()
)
_BRAVE_COUNTRIES: Final = frozenset(
    "AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH"  # noqa: SIM905  a list would take a line for each
    " PL PT RU SA SE TR TW US ZA".split()
)
# Countries of languages whose code is not that of their country.
_COUNTRIES: Final[Mapping[str, str]] = {
    "cs": "CZ",
    "da": "DK",
    "el": "GR",
    "en": "US",
    "et": "EE",
    "he": "IL",
    "ja": "JP",
    "ko": "KR",
    "nb": "NO",
    "sv": "SE",
    "uk": "UA",
    "vi": "VN",
    "zh": "CN",
}
_GOOGLE_LANGUAGES: Final[Mapping[str, str]] = {
    "he": "iw",
    "nb": "no",
    "nn": "no",
    "zh": "zh-CN",
    "zh-HK": "zh-TW",
    "zh-MO": "zh-TW",
    "zh-SG": "zh-CN",
}
_BRAVE_NAMES: Final[Mapping[str, str]] = {
    "ja": "jp",
    "no": "nb",
    "pt": "pt-pt",
    "zh": "zh-hans",
}


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
    for spoken in _SPOKEN.get(request.country, ()):
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
    country = country_of(request, tag) or _COUNTRIES.get(language, language.upper())
    land = {"GB": "uk"}.get(country, country.lower())
    spoken = {"ja": "jp", "ko": "kr", "nb": "no"}.get(language, language)
    if land in {"hk", "tw"}:
        spoken = "tzh"
    if (region := f"{land}-{spoken}") in _DUCKDUCKGO:
        return region
    if request.country is None:
        return _ANYWHERE
    others = sorted(region for region in _DUCKDUCKGO if region.startswith(f"{land}-"))
    return (*others, _ANYWHERE)[0]


def brave_language(request: SearchRequest, default: str) -> dict[str, str]:
    """Brave's parameters for language and country; it refuses unknown ones."""
    tag = tag_of(request, default)
    country = country_of(request, tag)
    language = (tag or "").lower()
    if language in {"zh-tw", "zh-hk", "zh-mo"}:
        language = "zh-hant"
    if language not in _BRAVE_LANGUAGES:
        short = language.partition("-")[0]
        language = _BRAVE_NAMES.get(short, short)
    form = {"country": country if country in _BRAVE_COUNTRIES else "ALL"}
    if language in _BRAVE_LANGUAGES or language in _BRAVE_NAMES.values():
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
    return _GOOGLE_LANGUAGES.get(known, known)


def _script(query: str) -> tuple[str, Sequence[str]]:
    """The most likely language of the script of *query*, and all possible ones."""
    for script, tag, possible in _SCRIPTS:
        if script.search(query):
            return tag, possible
    return "en-US", ()
