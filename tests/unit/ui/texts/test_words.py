"""The words of the page are complete in both languages."""

import re
import string
import tomllib
from typing import get_args

import pytest
from support.paths import ROOT

from agent import FollowUpMode
from agent.events import NoticeKind
from agent.research.plan import Origin
from ui.texts import LANGUAGES, page_words, text
from websearch import TimeRange

FILES = {
    language: tomllib.loads((ROOT / f"ui/texts/{language}.toml").read_text("utf-8"))
    for language in LANGUAGES
}
TEXTS = {
    language: {
        f"{part}.{name}": words
        for part in ("page", "setup")
        for name, words in texts.pop(part).items()
    }
    | texts
    for language, texts in FILES.items()
}
CHINESE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def placeholders(line: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(line) if name}


def test_both_languages() -> None:
    """Each text is there in Chinese and in English, with the same placeholders."""
    chinese, english = TEXTS["zh-CN"], TEXTS["en-US"]

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
        "websearch/causes/en-US.toml",
        "agent/causes/en-US.toml",
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
@pytest.mark.parametrize("kind", NoticeKind)
def test_every_notice_has_words(kind: NoticeKind, language: str) -> None:
    """Whatever a reader should know of an answer has its own words."""
    words = text(f"notice_{kind}", language, count=7)

    assert words.startswith("*")
    assert "{" not in words


def test_no_text_is_left_over() -> None:
    """Every text is used somewhere."""
    files = [ROOT / "app.py", *(ROOT / "ui").rglob("*.py")]
    code = "".join(file.read_text("utf-8") for file in files)
    quoted = re.findall(r"[\"']([\w ]+)[\"']", code)
    words = {words.replace(" ", "_") for words in quoted}
    words |= {*get_args(FollowUpMode), *get_args(TimeRange)}
    kinds = ["starter", "evidence", "follow_ups", "set_up"]
    kinds += ["how", "about", "time", "command", "question"]
    words |= {f"{kind}_{word}" for word in words for kind in kinds}
    words |= {f"{word}_one" for word in words}
    words |= {f"notice_{kind}" for kind in NoticeKind}
    words |= {f"report_plan_{origin}" for origin in Origin}

    assert {name for name in TEXTS["zh-CN"] if "." not in name} <= words


def test_words_of_the_set_up_page() -> None:
    """Each of its words is used there."""
    folder = ROOT / "ui" / "setup"
    files = [*folder.glob("*.py"), *folder.glob("*.html")]
    code = "".join(file.read_text("utf-8") for file in files)

    used = set(re.findall(r"[\"'{](\w+)[\"'}]", code))
    assert {n for n in TEXTS["zh-CN"] if n.startswith("setup.")} <= {
        f"setup.{name}" for name in used
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_the_script(language: str) -> None:
    """The page's script is handed each word that it shows, and no other."""
    script = (ROOT / "public" / "page.js").read_text("utf-8")
    used = set(re.findall(r"\bt\('(\w+)'", script))
    named = set(re.findall(r"'(\w+)'", script))

    assert used <= page_words(language).keys() <= named
