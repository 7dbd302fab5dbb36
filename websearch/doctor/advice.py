"""Advice for each problem, in Chinese and in English."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Final

from websearch.config.address import BaseAddress
from websearch.engines import BACKENDS
from websearch.errors import SearchError
from websearch.routing.limits import OWN


class Problem(StrEnum):
    """A result of a diagnosis or cause of a failed search; a key of the advice."""

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

    Some facts are strangers' words; *escape* makes them safe for where they are shown.
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
    """The facts about a server and the time limit."""
    return {
        "address": address.url,
        "host": address.host,
        "port": address.port,
        "seconds": f"{seconds:g}",
        "wait": " 60 s",
    }


def facts_of_error(error: SearchError) -> dict[str, str]:
    """The facts of an error: what the server answered, and engines with reasons."""
    engines = (f"{engine} ({reason})" for engine, reason in error.engines)
    return {
        "engine": engine_title(error.provider) if error.provider else "–",
        **error.facts,
        "engines": ", ".join(engines) or "–",
    }


def engine_title(provider: str, language: str = "en-US") -> str:
    """The name of an engine for people; `a+b` are two that are asked at once."""
    titles = {name: engine.title for name, engine in BACKENDS.items()}
    titles["stub"] = label("samples", language)
    return " + ".join(titles.get(name, name) for name in provider.split("+"))


def label(name: str, language: str) -> str:
    """A label of the doctor's report, such as the name of a check."""
    return str(_texts(language)["labels"][name])


def problem_of(error: SearchError) -> Problem:
    """The problem that an error shows; the doctor may know it better."""
    if error.code == "WebBlocked" and error.engines:
        return Problem.ENGINES_BLOCKED
    detail = error.detail_code or ""
    is_direct = error.provider in BACKENDS and error.provider not in OWN
    if is_direct and error.code in _OF_ENGINES and detail not in _OF_ANY_ENGINE:
        return _OF_ENGINES[error.code]
    if detail in _NAMES:
        return Problem(detail)
    return _PROBLEMS.get(detail) or _PROBLEMS.get(error.code, Problem.FAILED)


# A detail code that is the name of a problem stands for it.
_NAMES: Final = frozenset(str(problem) for problem in Problem)
# The problems of other detail codes, and of the codes of errors without one.
_PROBLEMS: Final[Mapping[str, Problem]] = {
    "captcha_required": Problem.CAPTCHA,
    "cut_off": Problem.DISCONNECTED,
    "http_400": Problem.QUERY_REFUSED,
    "http_403": Problem.FORBIDDEN,
    "http_404": Problem.WRONG_PATH,
    "http_414": Problem.QUERY_TOO_LONG,
    "http_502": Problem.STARTING,
    "http_503": Problem.STARTING,
    "http_504": Problem.STARTING,
    "not_json": Problem.NOT_SEARXNG,
    "proxy_silent": Problem.PROXY_UNREACHABLE,
    "rate_limited": Problem.OWN_LIMIT,
    "unexpected_page": Problem.PAGE_CHANGED,
    "AuthError": Problem.UNAUTHORIZED,
    "BadGateway": Problem.SERVER_ERROR,
    "InvalidInput": Problem.INVALID_INPUT,
    "NetworkError": Problem.UNREACHABLE,
    "Timeout": Problem.TIMEOUT,
    "WebBlocked": Problem.TOO_MANY_REQUESTS,
    "WebParseError": Problem.UNREADABLE,
}
# The advice above is for SearXNG; an engine that is asked directly has its own, but for
# the detail codes that mean the same with any engine.
_OF_ENGINES: Final[Mapping[str, Problem]] = {
    "BadGateway": Problem.ENGINE_FAILS,
    "NetworkError": Problem.ENGINE_FAILS,
    "Timeout": Problem.ENGINE_FAILS,
    "WebBlocked": Problem.ENGINE_REFUSES,
    "WebParseError": Problem.PAGE_CHANGED,
    "WebProviderError": Problem.PAGE_CHANGED,
}
_OF_ANY_ENGINE: Final = frozenset(
    {
        "captcha_required",
        "proxy_auth",
        "proxy_fails",
        "proxy_not_http",
        "proxy_refuses",
        "proxy_silent",
        "proxy_unreachable",
        "quota_exhausted",
        "rate_limited",
    }
)


_PAGES: Final[Mapping[str, str]] = {
    "zh-CN": "troubleshooting.zh-CN.md",
    "en-US": "troubleshooting.md",
}


def _tag(language: str) -> str:
    return "en-US" if language.lower().startswith("en") else "zh-CN"


# Facts in a server's own words.
_STRANGERS: Final = frozenset(
    {"engines", "kind", "location", "model", "server", "title", "wanted"}
)


class _Facts(dict[str, object]):
    """The facts of a case; a missing one is shown as an ellipsis."""

    def __missing__(self, key: str) -> str:
        return "…"


@cache
def _texts(language: str) -> dict[str, dict[str, Any]]:
    file = resources.files("websearch.doctor").joinpath(f"advice.{_tag(language)}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
