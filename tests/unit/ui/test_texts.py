"""The words of the page are complete in both languages."""

import re
import string
from typing import get_args

import pytest
from support.paths import ROOT

from agent import FollowUpMode
from agent.events import ModelProblem, NoticeKind
from ui.texts import TEXTS, text
from websearch import errors
from websearch.doctor import Problem, reason_text

REASONS, PAGE_ERRORS = (
    {language: Problem.texts(language)[table] for language in ("zh-CN", "en-US")}
    for table in ("reasons", "page_errors")
)
CHINESE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def placeholders(line: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(line) if name}


@pytest.mark.parametrize("texts", [TEXTS, REASONS], ids=["texts", "reasons"])
def test_both_languages(texts: dict[str, dict[str, str]]) -> None:
    """Each text is there in Chinese and in English, with the same placeholders."""
    chinese, english = texts["zh-CN"], texts["en-US"]

    assert chinese.keys() == english.keys()
    for name in chinese:
        assert placeholders(chinese[name]) == placeholders(english[name])
    assert all(CHINESE.search(line) for line in chinese.values())
    assert not any(CHINESE.search(line) for line in english.values())


@pytest.mark.parametrize(
    "name",
    [
        ".chainlit/translations/en-US.json",
        "chainlit_en-US.md",
        "websearch/doctor/advice.en-US.toml",
    ],
)
def test_english_files(name: str) -> None:
    """The other texts of the English page are English."""
    assert not CHINESE.search((ROOT / name).read_text("utf-8"))


def test_chinese_words_of_chainlit() -> None:
    """Chainlit's own words are Chinese but for an address and a key."""
    file = ROOT / ".chainlit" / "translations" / "zh-CN.json"
    words = re.findall(r': "(.+)"', file.read_text("utf-8"))

    assert {w for w in words if not CHINESE.search(w)} == {"me@example.com", "S"}


def test_every_problem_has_words() -> None:
    """Whatever goes wrong with the model has its own words and a next step."""
    for problem in ModelProblem:
        for language in ("zh-CN", "en-US"):
            words = text(f"problem_{problem}", language)
            title, _, step = words.partition("** ")
            assert title.startswith("**")
            assert step


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
@pytest.mark.parametrize("kind", NoticeKind)
def test_every_notice_has_words(kind: NoticeKind, language: str) -> None:
    """Whatever a reader should know of an answer has its own words."""
    words = text(f"notice_{kind}", language, count=7)

    assert words.startswith("**")
    assert "{" not in words


def test_no_text_is_left_over() -> None:
    """Every text is used somewhere."""
    files = [ROOT / "app.py", *(ROOT / "ui").rglob("*.py")]
    code = "".join(f.read_text("utf-8") for f in files if f.name != "texts.py")
    words = set(re.findall(r"[\"'](\w+)[\"']", code))
    words |= set(get_args(FollowUpMode))
    kinds = ("starter", "evidence", "follow_ups")
    words |= {f"{kind}_{word}" for word in words for kind in kinds}
    words |= {f"problem_{problem}" for problem in ModelProblem}
    words |= {f"notice_{kind}" for kind in NoticeKind}

    assert TEXTS["zh-CN"].keys() <= words


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
@pytest.mark.parametrize("texts", [REASONS, PAGE_ERRORS], ids=["search", "page"])
def test_failures_of_the_browser(
    texts: dict[str, dict[str, str]], language: str
) -> None:
    """Whatever goes wrong with the browser has its words, for searches and pages."""
    codes = set(re.findall(r"`(browser_\w+)`", errors.__doc__ or ""))

    assert len(codes) == 6
    assert codes <= texts[language].keys()


@pytest.mark.parametrize(
    ("code", "detail", "words"),
    [
        ("Timeout", None, "took too long"),
        ("WebBlocked", "captcha_required", "asked for a CAPTCHA"),
        ("WebBlocked", "http_429", "refused the search"),
        ("WebProviderError", None, "failed"),
    ],
)
def test_reasons(code: str, detail: str | None, words: str) -> None:
    """The exact reason is told where there are words for it, else the kind of error."""
    assert reason_text(code, detail, "en-US") == words
