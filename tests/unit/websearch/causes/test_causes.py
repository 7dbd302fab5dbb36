"""Every failure has one cause, and every cause its words in both languages."""

import ast
import re
import string
from collections.abc import Iterator
from typing import Any

import pytest
from support.paths import ROOT

from agent.causes import FileProblem, ModelProblem, ModelState
from websearch import errors
from websearch.advice import facts_of
from websearch.causes import AnyCause, Cause, advise, cause_of, short
from websearch.config.address import BaseAddress
from websearch.errors import EngineFailure, SearchError, WebBlocked

LANGUAGES = ("zh-CN", "en-US")
FACTS = facts_of(BaseAddress.parse("http://u:canary@s.example:8080/x"), 5.0)
HAN = re.compile("[\u4e00-\u9fff]")
EVERY = [*Cause, *ModelState, *ModelProblem]
# The others have the advice of their code.
ADVISED = [cause for cause in EVERY if "title" in cause.words("en-US").get(cause, {})]
every_cause = pytest.mark.parametrize("cause", EVERY, ids=repr)


def words(cause: AnyCause, language: str) -> dict[str, Any]:
    return dict(cause.words(language).get(cause, {}))


def facts_in(entry: dict[str, Any]) -> set[str]:
    lines = [*entry.get("cure", ()), *(v for v in entry.values() if isinstance(v, str))]
    parsed = (string.Formatter().parse(line) for line in lines)
    return {name for parts in parsed for _, name, _, _ in parts if name}


@every_cause
def test_languages_agree(cause: AnyCause) -> None:
    """Both languages have the same parts and as many steps, and name the same facts."""
    chinese, english = (words(cause, language) for language in LANGUAGES)

    assert chinese.keys() == english.keys()
    assert len(chinese.get("cure", ())) == len(english.get("cure", ()))
    assert facts_in(chinese) <= facts_in(english)
    for part in chinese.keys() & {"short", "title", "cause"}:
        assert HAN.search(chinese[part])
        assert not HAN.search(english[part])


@pytest.mark.spec("G3", "G4", "G5", "N3")
@pytest.mark.parametrize("cause", ADVISED, ids=repr)
@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_is_complete(cause: AnyCause, language: str) -> None:
    """Where something is wrong, there is a next step; no advice shows credentials."""
    advice = advise(cause, FACTS, language)

    whole = "".join([advice.title, advice.cause, *advice.cure, advice.command])
    assert advice.cure or cause.is_harmless
    assert "canary" not in whole
    assert not re.search(r"(?<!%)\{[a-z_]+\}", whole)
    assert advice.link.endswith(f"#{cause}")


def test_nothing_is_left_over() -> None:
    """Every entry belongs to a cause."""
    for package in ({*Cause}, {*ModelState, *ModelProblem, *FileProblem}):
        known = {str(cause) for cause in package}
        assert next(iter(package)).words("zh-CN").keys() - known == {"labels"}


def stated() -> Iterator[str]:
    """Every detail code that is written out in the code."""
    for package in ("websearch", "agent"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                match node:
                    case ast.keyword("detail_code", ast.Constant(str(code))):
                        yield code


@pytest.mark.spec("H8")
def test_every_detail_code_is_a_cause() -> None:
    """A detail code is a cause, or `http_` with a status."""
    table = re.findall(r"`([a-z_]+)`", errors.__doc__ or "")
    codes = {*stated(), *table}

    assert len(codes) > 50
    assert codes - {str(cause) for cause in Cause} == set()


ADVICE = {
    # SearXNG is the user's own: its advice names the address, the port, the file.
    ("searxng", "NetworkError", "refused"): "refused",
    ("searxng", "NetworkError", "cut_off"): "disconnected",
    ("searxng", "AuthError", "http_403"): "forbidden",
    ("searxng", "AuthError", "json_disabled"): "json_disabled",
    ("searxng", "BadGateway", "http_503"): "starting",
    ("searxng", "BadGateway", "http_500"): "server_error",
    ("searxng", "WebParseError", "not_json"): "not_searxng",
    ("searxng", "WebParseError", "too_deep"): "unreadable",
    ("searxng", "WebBlocked", "http_429"): "too_many_requests",
    ("searxng", "InvalidInput", "http_400"): "query_refused",
    ("searxng", "Timeout", None): "timeout",
    # Any other engine is a stranger's: what a user can do is the same for many codes.
    ("brave", "NetworkError", "refused"): "engine_fails",
    ("brave", "BadGateway", "http_503"): "engine_fails",
    ("brave", "Timeout", None): "engine_fails",
    ("brave", "WebBlocked", "http_429"): "engine_refuses",
    ("brave", "WebParseError", "not_json"): "unexpected_page",
    ("brave", "WebProviderError", "redirect"): "unexpected_page",
    ("brave", "AuthError", "http_401"): "bad_key",
    ("brave+bocha", "NetworkError", "dns"): "engine_fails",
    # These mean the same for every engine.
    ("brave", "AuthError", "missing_key"): "missing_key",
    ("google", "WebBlocked", "captcha_required"): "captcha_required",
    ("google", "WebProviderError", "browser_missing"): "browser_missing",
    ("ddg_html", "WebBlocked", "rate_limited"): "rate_limited",
    ("searxng", "NetworkError", "proxy_auth"): "proxy_auth",
    ("ddg_html", "NetworkError", "proxy_auth"): "proxy_auth",
    ("ddg_html", "Timeout", "proxy_silent"): "proxy_unreachable",
    ("ddg_html", "WebProviderError", "worker_failed"): "worker_failed",
    ("brave", "InvalidInput", "http_414"): "query_too_long",
    ("brave", "InvalidInput", None): "invalid_input",
    ("searxng", "WebProviderError", "http_418"): "failed",
}


@pytest.mark.spec("B5", "H8")
@pytest.mark.parametrize(("error", "cause"), ADVICE.items(), ids=str)
def test_advice(error: tuple[str, str, str | None], cause: str) -> None:
    """Each error leads to the advice that fits the engine it comes from."""
    provider, code, detail = error

    assert (
        cause_of(getattr(errors, code)("x", detail_code=detail, provider=provider))
        == cause
    )


@pytest.mark.spec("B5")
def test_blocked_engines() -> None:
    """A block by engines behind SearXNG is told apart from a limiter's."""
    engines = [EngineFailure("brave", "too many requests")]

    assert cause_of(WebBlocked("x", engines=engines)) is Cause.ENGINES_BLOCKED
    assert cause_of(WebBlocked("x")) is Cause.TOO_MANY_REQUESTS


@pytest.mark.parametrize(
    ("code", "detail", "expected"),
    [
        ("Timeout", None, "took too long"),
        ("WebBlocked", "captcha_required", "asks for a CAPTCHA"),
        ("WebBlocked", None, "refused the request"),
        ("NetworkError", "not_http", "can't be reached"),
        ("InvalidInput", "http_414", "does not accept such a long query"),
        ("WebProviderError", "http_418", "failed"),
        ("WebBlocked", "paywall", "paid content"),
    ],
)
def test_short(code: str, detail: str | None, expected: str) -> None:
    """The exact reason where there are words for it, else those of the code."""
    assert short(getattr(errors, code)("x", detail_code=detail), "en-US") == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_short_words(language: str) -> None:
    """Whatever fails, its step says why in a few words."""
    for kind in SearchError.__subclasses__():
        if kind.__module__ == errors.__name__:
            assert 1 < len(short(kind("x"), language)) < 40
