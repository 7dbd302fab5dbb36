"""What to tell the user for each problem, in Chinese and in English."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Final

from websearch.config.address import BaseAddress
from websearch.errors import SearchError


class Problem(StrEnum):
    """Everything the doctor finds and a search can fail of; a heading of advice."""

    HEALTHY = "healthy"
    SAMPLES = "samples"
    DEGRADED = "degraded"
    ENGINES_BLOCKED = "engines_blocked"
    ENGINES_FAILED = "engines_failed"
    NO_RESULTS = "no_results"
    JSON_DISABLED = "json_disabled"
    LIMITER = "limiter"
    TOO_MANY_REQUESTS = "too_many_requests"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    WRONG_PATH = "wrong_path"
    WRONG_ADDRESS = "wrong_address"
    REDIRECT = "redirect"
    NOT_SEARXNG = "not_searxng"
    STARTING = "starting"
    SERVER_ERROR = "server_error"
    REFUSED = "refused"
    REFUSED_IN_CONTAINER = "refused_in_container"
    DNS = "dns"
    TLS = "tls"
    NOT_HTTP = "not_http"
    UNREACHABLE = "unreachable"
    DISCONNECTED = "disconnected"
    TIMEOUT = "timeout"
    SLOW = "slow"
    UNREADABLE = "unreadable"
    ENGINE_WORKS = "engine_works"
    ENGINE_FINDS_NOTHING = "engine_finds_nothing"
    CAPTCHA = "captcha"
    ENGINE_REFUSES = "engine_refuses"
    ENGINE_FAILS = "engine_fails"
    PAGE_CHANGED = "page_changed"
    MISSING_KEY = "missing_key"
    BAD_KEY = "bad_key"
    QUOTA_EXHAUSTED = "quota_exhausted"
    OWN_LIMIT = "own_limit"
    PROXY_UNREACHABLE = "proxy_unreachable"
    PROXY_NOT_HTTP = "proxy_not_http"
    PROXY_AUTH = "proxy_auth"
    PROXY_REFUSES = "proxy_refuses"
    PROXY_FAILS = "proxy_fails"
    ADDRESS_INVALID = "address_invalid"
    VALUE_INVALID = "value_invalid"
    FILE_MISTAKE = "file_mistake"
    ENGINE_NOT_TAKEN = "engine_not_taken"
    INVALID_INPUT = "invalid_input"
    QUERY_TOO_LONG = "query_too_long"
    QUERY_REFUSED = "query_refused"
    FAILED = "failed"
    SEARCH_UNSET = "search_unset"
    MODEL_READY = "model_ready"
    MODEL_OLLAMA = "model_ollama"
    MODEL_OLLAMA_OTHER = "model_ollama_other"
    MODEL_BUILT_IN = "model_built_in"
    MODEL_OLLAMA_EMPTY = "model_ollama_empty"
    MODEL_UNKNOWN = "model_unknown"
    MODEL_REFUSED = "model_refused"
    MODEL_UNREACHABLE = "model_unreachable"


@dataclass(frozen=True, slots=True)
class Advice:
    """A problem in the user's language: its cause, its cure, and how to check."""

    title: str
    cause: str
    cure: tuple[str, ...]
    check: tuple[str, ...]
    link: str


def advise(
    problem: Problem,
    facts: Mapping[str, object],
    language: str,
    escape: Callable[[str], str] = str,
) -> Advice:
    """
    The advice for *problem*, filled with the *facts* of the case.

    Facts hold strangers' words: *escape* makes them safe for where they are shown.
    """
    texts, page = _texts(language), _PAGES[_tag(language)]
    entry = texts[problem]
    known = _Facts(facts)
    known |= {name: escape(str(known[name])) for name in _STRANGERS & facts.keys()}
    for name, fact in facts.items():
        if isinstance(fact, Problem):  # told by its title
            known[name] = texts[fact]["title"].format_map(known)
    return Advice(
        title=entry["title"].format_map(known),
        cause=entry["cause"].format_map(known),
        cure=tuple(step.format_map(known) for step in entry["cure"]),
        check=tuple(command.format_map(known) for command in entry["check"]),
        link=f"docs/{page}#{problem}",
    )


def facts_of(address: BaseAddress, seconds: float) -> dict[str, object]:
    """What advice needs to know of a server and of the time limit."""
    return {
        "address": address.url,
        "host": address.host,
        "port": address.port,
        "seconds": f"{seconds:g}",
        "wait": " 60 s",
    }


def facts_of_error(error: SearchError) -> dict[str, str]:
    """What an error knows of its case: the server's answer, engines with reasons."""
    engines = (f"{engine} ({reason})" for engine, reason in error.engines)
    provider = error.provider or "–"
    return {
        "engine": _ENGINES.get(provider, provider),
        **error.facts,
        "engines": ", ".join(engines) or "–",
    }


def engine_title(provider: str, language: str = "en-US") -> str:
    """The name that people know an engine by; `a+b` are asked at once."""
    known = {**_ENGINES, "searxng": "SearXNG", "stub": label("samples", language)}
    return " + ".join(known.get(name, name) for name in provider.split("+"))


def label(name: str, language: str) -> str:
    """A word of the doctor's report, such as the name of a check."""
    return str(_texts(language)["labels"][name])


def problem_of(error: SearchError) -> Problem:
    """The problem that a failed search shows; the doctor may know it better."""
    if error.code == "WebBlocked" and error.engines:
        return Problem.ENGINES_BLOCKED
    precise = _BY_DETAIL.get(f"{error.code} {error.detail_code}")
    if error.provider in _ENGINES and error.code in _OF_ENGINES:
        known = precise if precise in _OWN_TO_ENGINES else None
        return known or _OF_ENGINES[error.code]
    return precise or _BY_CODE.get(error.code, Problem.FAILED)


_BY_DETAIL: Final[Mapping[str, Problem]] = {
    "AuthError bad_key": Problem.BAD_KEY,
    "AuthError missing_key": Problem.MISSING_KEY,
    "AuthError quota_exhausted": Problem.QUOTA_EXHAUSTED,
    "WebBlocked captcha_required": Problem.CAPTCHA,
    "WebBlocked quota_exhausted": Problem.QUOTA_EXHAUSTED,
    "WebBlocked rate_limited": Problem.OWN_LIMIT,
    "WebParseError cut_off": Problem.PAGE_CHANGED,
    "WebParseError unexpected_page": Problem.PAGE_CHANGED,
    "AuthError json_disabled": Problem.JSON_DISABLED,
    "AuthError http_403": Problem.FORBIDDEN,
    "BadGateway engines_failed": Problem.ENGINES_FAILED,
    "BadGateway http_502": Problem.STARTING,
    "BadGateway http_503": Problem.STARTING,
    "BadGateway http_504": Problem.STARTING,
    "InvalidInput query_too_long": Problem.QUERY_TOO_LONG,
    "InvalidInput http_414": Problem.QUERY_TOO_LONG,
    "InvalidInput http_400": Problem.QUERY_REFUSED,
    "NetworkError refused": Problem.REFUSED,
    "NetworkError dns": Problem.DNS,
    "NetworkError tls": Problem.TLS,
    "NetworkError not_http": Problem.NOT_HTTP,
    "NetworkError disconnected": Problem.DISCONNECTED,
    "NetworkError cut_off": Problem.DISCONNECTED,
    "NetworkError proxy_auth": Problem.PROXY_AUTH,
    "NetworkError proxy_fails": Problem.PROXY_FAILS,
    "NetworkError proxy_not_http": Problem.PROXY_NOT_HTTP,
    "NetworkError proxy_refuses": Problem.PROXY_REFUSES,
    "NetworkError proxy_unreachable": Problem.PROXY_UNREACHABLE,
    "Timeout proxy_silent": Problem.PROXY_UNREACHABLE,
    "WebParseError not_searxng": Problem.NOT_SEARXNG,
    "WebParseError not_json": Problem.NOT_SEARXNG,
    "WebParseError http_404": Problem.WRONG_PATH,
    "WebParseError redirect": Problem.REDIRECT,
}
_BY_CODE: Final[Mapping[str, Problem]] = {
    "AuthError": Problem.UNAUTHORIZED,
    "BadGateway": Problem.SERVER_ERROR,
    "InvalidInput": Problem.INVALID_INPUT,
    "NetworkError": Problem.UNREACHABLE,
    "Timeout": Problem.TIMEOUT,
    "WebBlocked": Problem.TOO_MANY_REQUESTS,
    "WebParseError": Problem.UNREADABLE,
}


# Engines that we ask ourselves, and what the problems of SearXNG are with them.
_ENGINES: Final[Mapping[str, str]] = {
    "baidu_html": "Baidu",
    "bocha": "Bocha",
    "brave": "Brave",
    "ddg_html": "DuckDuckGo",
}
_OF_ENGINES: Final[Mapping[str, Problem]] = {
    "BadGateway": Problem.ENGINE_FAILS,
    "NetworkError": Problem.ENGINE_FAILS,
    "Timeout": Problem.ENGINE_FAILS,
    "WebBlocked": Problem.ENGINE_REFUSES,
    "WebParseError": Problem.PAGE_CHANGED,
    "WebProviderError": Problem.PAGE_CHANGED,
}
_OWN_TO_ENGINES: Final = frozenset(
    {
        Problem.CAPTCHA,
        Problem.OWN_LIMIT,
        Problem.PROXY_AUTH,
        Problem.PROXY_FAILS,
        Problem.PROXY_NOT_HTTP,
        Problem.PROXY_REFUSES,
        Problem.PROXY_UNREACHABLE,
        Problem.QUOTA_EXHAUSTED,
    }
)


_PAGES: Final[Mapping[str, str]] = {
    "zh-CN": "troubleshooting.zh-CN.md",
    "en-US": "troubleshooting.md",
}


def _tag(language: str) -> str:
    return "en-US" if language.lower().startswith("en") else "zh-CN"


# Facts in a server's own words; the others are ours.
_STRANGERS: Final = frozenset(
    {"engines", "kind", "location", "model", "server", "title", "wanted"}
)


class _Facts(dict[str, object]):
    """Facts of a case; one that is not known shows as an ellipsis."""

    def __missing__(self, key: str) -> str:
        return "…"


@cache
def _texts(language: str) -> dict[str, dict[str, Any]]:
    file = resources.files("websearch.doctor").joinpath(f"advice.{_tag(language)}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
