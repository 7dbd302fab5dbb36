"""Advice: every problem has a cause, a cure and a check, in both languages."""

import re
import string
from typing import Any

import pytest

from agent.models.catalog import ModelState
from websearch import errors
from websearch.config.address import BaseAddress
from websearch.doctor.advice import AnyProblem, Problem, advise, facts_of, problem_of
from websearch.errors import EngineFailure, SearchError, WebBlocked

LANGUAGES = ("zh-CN", "en-US")
FACTS = facts_of(BaseAddress.parse("http://u:canary@s.example:8080/x"), 5.0)


FAMILIES = (Problem, ModelState)
every_problem = pytest.mark.parametrize(
    "problem", [problem for family in FAMILIES for problem in family]
)


def placeholders(entry: Any) -> set[str]:
    lines = [entry["title"], entry["cause"], *entry["cure"], *entry["check"]]
    found = (string.Formatter().parse(line) for line in lines)
    return {name for parts in found for _, name, _, _ in parts if name}


@every_problem
def test_languages_agree(problem: AnyProblem) -> None:
    """Both languages name as many steps and commands, and no unknown facts."""
    chinese, english = (problem.texts(language)[problem] for language in LANGUAGES)

    assert len(chinese["cure"]) == len(english["cure"])
    assert len(chinese["check"]) == len(english["check"])
    assert placeholders(chinese) <= placeholders(english)
    assert re.search("[\u4e00-\u9fff]", chinese["title"])
    assert english["title"].isascii()


@pytest.mark.spec("G3", "G4", "G5", "N3")
@every_problem
@pytest.mark.parametrize("language", LANGUAGES)
def test_filled(problem: AnyProblem, language: str) -> None:
    """Advice can be filled for every problem, and shows no credentials."""
    advice = advise(problem, FACTS, language)

    whole = "".join([advice.title, advice.cause, *advice.cure, *advice.check])
    assert advice.cause
    assert "canary" not in whole
    assert not re.search(r"(?<!%)\{[a-z_]+\}", whole)
    assert advice.link.endswith(f"#{problem}")


@pytest.mark.spec("B5", "H8")
def test_every_code_has_advice() -> None:
    """Each error of a search leads to a problem of its own kind."""
    kinds = SearchError.__subclasses__()
    named = {kind.code: problem_of(kind("x")) for kind in kinds}

    generic = {code for code, problem in named.items() if problem is Problem.FAILED}
    assert generic == {"WebProviderError", "ToolNotFound"}


@pytest.mark.spec("B5")
def test_details_have_advice() -> None:
    """Each detail code of the table in errors.py leads somewhere more precise."""
    vague = {
        ("WebProviderError", "http_4xx"),
        ("NetworkError", "unreachable"),
        ("AuthError", "http_401"),
        ("BadGateway", "http_5xx"),
        ("WebParseError", "too_large"),
        ("WebParseError", "too_deep"),
        ("WebParseError", "bad_encoding"),
        ("WebParseError", "page_too_slow"),
        ("WebParseError", "page_too_heavy"),
        ("WebParseError", "page_unreadable"),
        ("WebBlocked", "http_429"),
        ("InvalidInput", "http_422"),
        ("WebParseError", "http_422"),
        ("WebParseError", "http_2xx"),
        ("WebParseError", "http_3xx"),
    }
    table = errors.__doc__ or ""
    rows = re.findall(r"^\| `(\w+)` .*\| ([^|]*) \|$", table, re.MULTILINE)
    pairs = [(code, d) for code, ds in rows for d in re.findall(r"`(\w+)`", ds)]
    assert len(pairs) > 20

    for code, detail in pairs:
        kind = getattr(errors, code)
        precise = problem_of(kind("x", detail_code=detail))
        assert (precise != problem_of(kind("x"))) is ((code, detail) not in vague)


@pytest.mark.spec("B5")
def test_blocked_engines() -> None:
    """A block by engines behind SearXNG is told apart from a limiter's."""
    engines = [EngineFailure("brave", "too many requests")]

    assert problem_of(WebBlocked("x", engines=engines)) is Problem.ENGINES_BLOCKED
    assert problem_of(WebBlocked("x")) is Problem.TOO_MANY_REQUESTS
