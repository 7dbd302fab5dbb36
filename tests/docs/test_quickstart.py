"""docs/quickstart.md names what there is, and says the same in both languages."""

import re

import pytest
from support.documents import code_of, text_of
from support.paths import ROOT

from agent.models.settings import DEFAULT_BASE_URL, DEFAULT_MODEL, OLLAMA, ModelSettings
from agent.research.budget import ResearchSettings
from agent.settings import AgentSettings
from ui.conversation import parse
from ui.server.settings import PageSettings

NAMES = ("quickstart.md", "quickstart.zh-CN.md")
WAYS = ["nothing", "search", "docker", "key", "ollama"]
# What Ollama reads itself.
FOREIGN = {"OLLAMA_CONTEXT_LENGTH"}

both = pytest.mark.parametrize("name", NAMES)


@both
def test_ways(name: str) -> None:
    """Four ways and real search; each way tells what one sees, and what follows."""
    parts = re.split(r'<a id="(\w+)"></a>\n', text_of(name))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))

    assert list(sections) == WAYS
    for way in ("nothing", "docker", "key", "ollama"):
        assert re.search(r"What you see|您会看到", sections[way]), way
        assert re.search(r"Next step|下一步", sections[way]), way


def test_same_in_both_languages() -> None:
    """Both languages hold the same commands and names in the same order."""
    english, chinese = (code_of(name) for name in NAMES)

    assert sorted(english) == sorted(chinese)


@both
def test_names_exist(name: str) -> None:
    """Each variable, target of make, command of the chat and folder is there."""
    code = code_of(name)
    whole = "\n".join(code)
    known = {
        str(field.alias)
        for settings in (AgentSettings, ModelSettings, ResearchSettings, PageSettings)
        for field in settings.model_fields.values()
    }
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"\bmake ([a-z]+)", whole))

    assert set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", whole)) - known == FOREIGN
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
    assert all(parse(part) for part in code if re.fullmatch(r"/[a-z ]+", part))
    assert [
        p for p in re.findall(r"deploy/\w+", whole) if not (ROOT / p).is_dir()
    ] == []


@both
def test_defaults_are_right(name: str) -> None:
    """Documented defaults are those of the settings."""
    (row,) = re.findall(r"^\| OpenAI \|.*$", text_of(name), re.MULTILINE)

    assert f"`{DEFAULT_BASE_URL}`" in row
    assert f"`{DEFAULT_MODEL}`" in row
    assert f"`{OLLAMA}`" in text_of(name)


@both
def test_addresses_are_taken(name: str) -> None:
    """Each address of the table is one that the settings take as it is written."""
    rows = re.findall(r"^\| [^|]+ \| `(http[^`]+)`", text_of(name), re.MULTILINE)

    assert len(rows) == 6
    for address in rows:
        settings = ModelSettings(OPENAI_BASE_URL=address)  # type: ignore[arg-type]
        assert settings.base_url.url == address
