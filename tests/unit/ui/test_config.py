"""The web server's settings are the hardened ones, and what the page needs is there."""

import json
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.paths import ROOT

CONFIG = tomllib.loads((ROOT / ".chainlit" / "config.toml").read_text("utf-8"))
TRANSLATIONS = ROOT / ".chainlit" / "translations"
LANGUAGES = ("zh-CN", "en-US")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("features.unsafe_allow_html", False),
        ("features.latex", True),
        ("features.spontaneous_file_upload.enabled", False),
        ("features.mcp.enabled", False),
        ("features.audio.enabled", False),
        ("features.edit_message", True),
        ("features.assistant_message_autoscroll", False),
        ("features.user_message_markdown", False),
        ("project.allow_origins", []),
        ("project.transports", ["websocket"]),
        ("UI.chat_settings_location", "sidebar"),
        ("UI.default_chat_settings_open", False),
        ("UI.cot", "tool_call"),
    ],
)
def test_hardened(path: str, expected: object) -> None:
    """Raw HTML, uploads and MCP are off; an answer does not scroll the page; the
    settings can be opened while one runs, and cover no chat at load."""
    value: object = CONFIG
    for key in path.split("."):
        assert isinstance(value, dict)
        value = value[key]

    assert value == expected


def test_files() -> None:
    """Every file that the settings name is ours and is there."""
    named = [v for v in CONFIG["UI"].values() if str(v).startswith(("/", "http"))]

    assert len(named) >= 4
    for address in named:
        assert (ROOT / address.removeprefix("/")).is_file(), address


@pytest.mark.parametrize("name", ["style.css", "page.js", "theme.json"])
def test_own(name: str) -> None:
    """The page loads nothing from other hosts and evaluates no text as code."""
    text = (ROOT / "public" / name).read_text("utf-8")

    assert not re.search(r"https?:|url\(|@import|\beval\b|new Function|innerHTML", text)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme(theme: str) -> None:
    """Both themes set the same variables, and fonts are those of the machine."""
    themes = json.loads((ROOT / "public" / "theme.json").read_text("utf-8"))

    assert themes["custom_fonts"] == []
    assert themes["variables"][theme].keys() == themes["variables"]["light"].keys()


def keys(words: object, place: str = "") -> set[str]:
    if not isinstance(words, dict):
        return {place}
    return {key for n, w in words.items() for key in keys(w, f"{place}.{n}")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations(language: str) -> None:
    """Chainlit's words are complete, and a step is called by its whole sentence."""
    package = find_spec("chainlit").submodule_search_locations[0]
    theirs = Path(package) / "translations" / f"{language}.json"
    ours = json.loads((TRANSLATIONS / f"{language}.json").read_text("utf-8"))

    assert keys(ours) == keys(json.loads(theirs.read_text("utf-8")))
    assert ours["chat"]["messages"]["status"] == {"using": "", "used": ""}
