"""Languages and countries as the engines name them."""

from collections.abc import Mapping
from typing import Final

from websearch.engines.locales import language_of, language_tag, script_tag
from websearch.models import SearchRequest

ANYWHERE: Final = "wt-wt"  # DuckDuckGo's word for no region

_DUCKDUCKGO: Final = frozenset(
    "ar-es at-de au-en be-fr be-nl bg-bg br-pt ca-en ca-fr ch-de ch-fr ch-it cl-es"  # noqa: SIM905
    " cn-zh co-es cz-cs de-de dk-da ee-et es-ca es-es fi-fi fr-fr gr-el hk-tzh hr-hr"
    " hu-hu id-id ie-en il-he in-en it-it jp-jp kr-kr lt-lt lv-lv mx-es my-en nl-nl"
    " no-no nz-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk th-th"
    " tr-tr tw-tzh ua-uk uk-en us-en vn-vi za-en".split()
)
_BRAVE_LANGUAGES: Final = frozenset(
    "ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr"  # noqa: SIM905
    " ms nb nl pa pl pt-br ro ru sk sl sr sv ta te th tr uk vi zh-hant en-gb".split()
)
_BRAVE_COUNTRIES: Final = frozenset(
    "AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH"  # noqa: SIM905
    " PL PT RU SA SE TR TW US ZA".split()
)
# Where a language is at home whose code is not that of a country.
_HOMES: Final[Mapping[str, str]] = {
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
_BRAVE_NAMES: Final[Mapping[str, str]] = {
    "ja": "jp",
    "no": "nb",
    "pt": "pt-pt",
    "zh": "zh-hans",
}


def tag_of(request: SearchRequest, default: str) -> str | None:
    """The language to search in, as a tag; None where any will do."""
    language = language_of(request, default)
    if language == "all":
        return None
    return script_tag(request.query) if language == "auto" else language_tag(language)


def country_of(request: SearchRequest, tag: str | None) -> str | None:
    """The country of a search: its own, else that of its language's tag."""
    region = (tag or "").partition("-")[2]
    return request.country or (region if region.isalpha() and region else None)


def duckduckgo(request: SearchRequest, default: str) -> str:
    """DuckDuckGo's region for a search; one that it has not is none."""
    tag = tag_of(request, default)
    language = (tag or "").partition("-")[0]
    country = country_of(request, tag) or _HOMES.get(language, language.upper())
    land = {"GB": "uk"}.get(country, country.lower())
    spoken = {"ja": "jp", "ko": "kr", "nb": "no"}.get(language, language)
    if land in {"hk", "tw"}:
        spoken = "tzh"
    if (region := f"{land}-{spoken}") in _DUCKDUCKGO:
        return region
    if request.country is None:
        return ANYWHERE
    others = sorted(region for region in _DUCKDUCKGO if region.startswith(f"{land}-"))
    return (*others, ANYWHERE)[0]


def brave(request: SearchRequest, default: str) -> dict[str, str]:
    """Brave's parameters for language and country; it refuses those it has not."""
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
