"""The words of the page are complete in both languages."""

import re
import string
import tomllib

import pytest
from support.paths import ROOT

from agent.events import ModelProblem, NoticeKind
from ui.texts import LANGUAGES, page_words, text
from websearch import errors
from websearch.doctor import Problem, reason_text

FILES = {
    language: tomllib.loads((ROOT / f"ui/texts/{language}.toml").read_text("utf-8"))
    for language in LANGUAGES
}
TEXTS = {
    language: {f"page.{name}": words for name, words in texts.pop("page").items()}
    | texts
    for language, texts in FILES.items()
}
REASONS, PAGE_ERRORS = (
    {language: Problem.texts(language)[table] for language in LANGUAGES}
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "name",
    [*(f"problem_{p}" for p in ModelProblem), *(f"notice_{k}" for k in NoticeKind)],
)
def test_problems_and_notices(name: str, language: str) -> None:
    """Whatever goes wrong, or should be known, has its own words and a next step."""
    title, _, step = text(name, language, count=7).partition("** ")

    assert title.startswith("**")
    assert step
    assert "{" not in step


def test_no_text_is_left_over() -> None:
    """Every text is used somewhere."""
    files = [ROOT / "app.py", *(ROOT / "ui").rglob("*.py")]
    code = "".join(file.read_text("utf-8") for file in files)
    words = set(re.findall(r"[\"'](\w+)[\"']", code))
    kinds = ("starter", "evidence", "follow_ups")
    words |= {f"{kind}_{word}" for word in words for kind in kinds}
    words |= {f"problem_{problem}" for problem in ModelProblem}
    words |= {f"notice_{kind}" for kind in NoticeKind}

    assert {name for name in TEXTS["zh-CN"] if "." not in name} <= words


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_the_script(language: str) -> None:
    """The page's script is handed each word that it shows, and no other."""
    script = (ROOT / "public" / "page.js").read_text("utf-8")
    used = set(re.findall(r"\bt\('(\w+)'", script))
    named = set(re.findall(r"'(\w+)'", script))

    assert used <= page_words(language).keys() <= named


@pytest.mark.parametrize("language", LANGUAGES)
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
