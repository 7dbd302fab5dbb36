"""Advice for each problem, in Chinese and in English."""

import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Final

from websearch.config import BaseAddress, Settings
from websearch.engines import BACKENDS
from websearch.errors import SearchError
from websearch.routing.limits import OWN


class Documented(StrEnum):
    """An enum with its texts in `advice.*.toml`, in the package of its module."""

    @classmethod
    def texts(cls, language: str) -> dict[str, dict[str, Any]]:
        """The labels, and the advice for each problem."""
        return _texts(cls.__module__.rpartition(".")[0], tag_of(language))


class AnyProblem(Documented):
    """A problem with advice; a package with problems of its own makes a subclass."""

    @property
    def is_harmless(self) -> bool:
        """True if searches and answers still work."""
        return False

    @classmethod
    def foreign_facts(cls) -> frozenset[str]:
        """The facts with foreign text."""
        return frozenset({"engines", "kind", "location", "server", "title"})


class Problem(AnyProblem):
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
    CONSENT_REQUIRED = "consent_required"
    JS_REQUIRED = "js_required"
    ENGINE_REFUSES = "engine_refuses"
    USER_AGENT_REFUSED = "user_agent_refused"
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
    BROWSER_READY = "browser_ready"
    BROWSER_MISSING = "browser_missing"
    BROWSER_DRIVER_MISSING = "browser_driver_missing"
    BROWSER_PATH = "browser_path"
    BROWSER_FAILED = "browser_failed"
    BROWSER_SLOW = "browser_slow"
    BROWSER_CRASHED = "browser_crashed"
    BROWSER_NO_SANDBOX = "browser_no_sandbox"
    ADDRESS_INVALID = "address_invalid"
    VALUE_INVALID = "value_invalid"
    FILE_MISTAKE = "file_mistake"
    ENGINE_NOT_TAKEN = "engine_not_taken"
    INVALID_INPUT = "invalid_input"
    QUERY_TOO_LONG = "query_too_long"
    QUERY_REFUSED = "query_refused"
    FAILED = "failed"
    SEARCH_UNSET = "search_unset"
    READING_WORKS = "reading_works"
    READING_PROXIED = "reading_proxied"
    READING_OFF = "reading_off"
    READING_NO_PROCESS = "reading_no_process"
    READING_BROKEN = "reading_broken"
    READING_NO_PDF = "reading_no_pdf"
    READING_SLOW = "reading_slow"
    READING_NO_PROXY = "reading_no_proxy"
    FAKE_IP = "fake_ip"
    PRIVATE_NAMES = "private_names"

    @property
    def is_harmless(self) -> bool:
        """True if searches and answers still work."""
        return self in _HARMLESS


_HARMLESS: Final = frozenset(
    {
        Problem.HEALTHY,
        Problem.SAMPLES,
        Problem.ENGINE_WORKS,
        Problem.DEGRADED,
        Problem.BROWSER_READY,
        Problem.BROWSER_NO_SANDBOX,
        Problem.ADDRESS_INVALID,
        Problem.VALUE_INVALID,
        Problem.FILE_MISTAKE,
        Problem.ENGINE_NOT_TAKEN,
        Problem.READING_WORKS,
        Problem.READING_PROXIED,
        Problem.READING_OFF,
    }
)


@dataclass(frozen=True, slots=True)
class Advice:
    """A problem in the user's language: its cause, its cure, and how to check."""

    title: str
    cause: str
    cure: tuple[str, ...]
    check: tuple[str, ...]
    link: str


def advise(
    problem: AnyProblem,
    facts: Mapping[str, object],
    language: str,
    escape: Callable[[str], str] = str,
) -> Advice:
    """
    The advice for *problem*, filled with the *facts* of the case.

    Some facts are foreign text; *escape* makes them safe for the output.
    """
    entry, page = problem.texts(language)[problem], _PAGES[tag_of(language)]
    known = defaultdict(lambda: "…", facts)  # a missing fact is an ellipsis
    foreign = problem.foreign_facts() & facts.keys()
    known |= {name: escape(str(known[name])) for name in foreign}
    for name, fact in facts.items():
        if isinstance(fact, AnyProblem):  # shown with its title
            known[name] = fact.texts(language)[fact]["title"].format_map(known)
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
    """The facts of an error: the server's answer, the failed engines and reasons."""
    engines = (f"{engine} ({reason})" for engine, reason in error.engines)
    return {
        "engine": engine_title(error.provider) if error.provider else "–",
        **error.facts,
        "engines": ", ".join(engines) or "–",
    }


def advice_for(error: SearchError, settings: Settings, language: str) -> Advice:
    """The advice for an error of a search through the engines of *settings*."""
    facts = facts_of(settings.searxng_base_url, settings.timeout)
    return advise(problem_of(error), facts | facts_of_error(error), language)


def engine_title(provider: str, language: str = "en-US") -> str:
    """The display name of an engine; `a+b` are two engines in parallel."""
    titles = {name: engine.title for name, engine in BACKENDS.items()}
    titles["stub"] = label("samples", language)
    return " + ".join(titles.get(name, name) for name in provider.split("+"))


def reason_text(code: str, detail_code: str | None, language: str) -> str:
    """The reason why an engine gave no results, in a few words after its name."""
    return _reason("reasons", code, detail_code, language)


def page_error_text(code: str, detail_code: str | None, language: str) -> str:
    """The reason why a page was not read, in a few words."""
    return _reason("page_errors", code, detail_code, language)


def label(name: str, language: str) -> str:
    """A label of the doctor's report, such as the name of a check."""
    owner = type(name) if isinstance(name, Documented) else Problem
    return str(owner.texts(language)["labels"][name])


def language_of_terminal(chosen: str) -> str:
    """The language of the settings; for `auto`, that of the environment."""
    if chosen != "auto":
        return chosen
    variables = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    tag = next(filter(None, variables), "en")
    return "zh-CN" if tag.lower().startswith("zh") else "en-US"


def problem_of(error: SearchError) -> Problem:
    """The problem of an error; the doctor's checks may find a more precise one."""
    if error.code == "WebBlocked" and error.engines:
        return Problem.ENGINES_BLOCKED
    detail = error.detail_code or ""
    is_direct = error.provider in BACKENDS and error.provider not in OWN
    if is_direct and error.code in _OF_ENGINES and not _OF_ANY_ENGINE.fullmatch(detail):
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
    "too_many_redirects": Problem.PAGE_CHANGED,
    "unexpected_page": Problem.PAGE_CHANGED,
    "worker_failed": Problem.READING_NO_PROCESS,
    "AuthError": Problem.UNAUTHORIZED,
    "BadGateway": Problem.SERVER_ERROR,
    "InvalidInput": Problem.INVALID_INPUT,
    "NetworkError": Problem.UNREACHABLE,
    "Timeout": Problem.TIMEOUT,
    "WebBlocked": Problem.TOO_MANY_REQUESTS,
    "WebParseError": Problem.UNREADABLE,
}
# The advice above is for SearXNG; other engines have their own advice, except for
# detail codes with the same meaning for every engine.
_OF_ENGINES: Final[Mapping[str, Problem]] = {
    "BadGateway": Problem.ENGINE_FAILS,
    "NetworkError": Problem.ENGINE_FAILS,
    "Timeout": Problem.ENGINE_FAILS,
    "WebBlocked": Problem.ENGINE_REFUSES,
    "WebParseError": Problem.PAGE_CHANGED,
    "WebProviderError": Problem.PAGE_CHANGED,
}
_OF_ANY_ENGINE: Final = re.compile(
    "(browser|proxy)_.*|(captcha|consent|js)_required|quota_exhausted|rate_limited|"
    "user_agent_refused|worker_failed"
)


_PAGES: Final[Mapping[str, str]] = {
    "zh-CN": "troubleshooting.zh-CN.md",
    "en-US": "troubleshooting.md",
}


def tag_of(language: str) -> str:
    """The language of the texts: English for any English, else Chinese."""
    return "en-US" if language.lower().startswith("en") else "zh-CN"


def _reason(table: str, code: str, detail_code: str | None, language: str) -> str:
    reasons = Problem.texts(language)[table]
    words = reasons.get(detail_code or "") or reasons.get(code) or reasons["other"]
    return str(words)


@cache
def _texts(package: str, tag: str) -> dict[str, dict[str, Any]]:
    file = resources.files(package).joinpath(f"advice.{tag}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
