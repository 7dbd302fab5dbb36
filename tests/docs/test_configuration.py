"""The documents name every setting; `make docs` writes them anew."""

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic.fields import FieldInfo
from support.paths import ROOT

from agent.models.settings import ModelSettings
from agent.profiles import File
from agent.research.budget import ResearchSettings
from agent.settings import AgentSettings
from ui.server.settings import PageSettings
from websearch.config.files import entries
from websearch.config.sources import file_entries

HEAD = (
    "# Configuration\n\n"
    "Every variable, read from the environment or from a `.env` file in the folder "
    "where the program starts, which is the project's for `websearch-chat`; the "
    "environment is stronger.\n"
    "The app's page `/setup` [changes](quickstart.md#key) those of model and engine "
    "in `.env`, and they work at once; after a change by hand start the app again.\n"
    "[config.json](#configjson) can hold many of them, and "
    "[agents.json](#agentsjson) several agents; both files are optional.\n"
    "An invalid value gives way to its default, and a warning in the log names "
    "variable, limits and default, but not the value: it may be a secret.\n"
    "The first screen and `make doctor` name such variables too.\n"
    "A line of `.env` that is not `NAME=value` is ignored and reported by its number, "
    "and the others hold, as one of them may switch something off; "
    "as long as there is one, or `.env` is no file that can be read, the chain of a "
    "first run is off, as with a mistake in `config.json`.\n"
)
ENV_HEAD = (
    "# Copy this file to .env and uncomment what you want to change.\n"
    "# Every variable is described in docs/configuration.md.\n"
)


CONFIG_HEAD = """
## config.json

`config.json` in the folder where the program starts can hold these settings; copy `config.example.json` to begin.
Its keys are stronger than the environment, because a key belongs in one place; for all other settings the environment and `.env` are stronger.
An engine that is named here and lacks its key gives way to DuckDuckGo, with a line in the log; where `WEB_SEARCH_BACKEND` or the address of SearXNG is set, to those instead, and where a fallback is named, to its first engine.
One that is named by `WEB_SEARCH_BACKEND`, or asked through the tool contract, never gives way: its searches say that the key is missing.
The file is used whole or not at all: where an entry is invalid or unknown, or a line is no JSON, the log, the first screen and `make doctor` tell file, path or line, and what is expected, but not the value.
As long as the file can't be used, the chain of a first run is off: only engines that a setting names are asked, or SearXNG.

| below `tools.webSearch` | means | |
| --- | --- | --- |
"""
AGENTS_HEAD = """
## agents.json

`agents.json` in the folder where the program starts defines agents; copy `agents.example.json` to begin.
Where there are several, the settings panel offers them in Agent mode, and each has a search of its own.
Without the file there is one agent, which can search.
This file, too, is used whole or not at all, and a mistake in it is told in the same way: then there is one agent, which can't search, as the file may have forbidden it.
Keys have no place here; they stand in `config.json` or in the environment.

| in each of `agents` | expected | |
| --- | --- | --- |
"""


# Entries that the file writes in another form than the variable.
SAID_OTHERWISE = {
    "defaultProvider": "Engine that searches; several joined by `+` are asked at once.",
    "fallback": "List of engines asked one after the other where the one before fails.",
    "timeoutSeconds": "Time limit of a whole search in seconds, 0.1 to 60.",
}

FIELDS = [
    field
    for settings in (AgentSettings, ModelSettings, ResearchSettings, PageSettings)
    for field in settings.model_fields.values()
]


def default(field: Any) -> str:
    return "" if field.default is None else str(field.default)


def configuration() -> str:
    parts = [HEAD]
    for field in FIELDS:
        shown = f"`{default(field)}`" if default(field) else "unset"
        text = str(field.description).replace(". ", ".\n")
        parts.append(f"\n## {field.alias}\n\n{text}\n\nDefault: {shown}.\n")
    return "".join(parts) + files()


def files() -> str:
    config = [
        f"| `{path.removeprefix('tools.webSearch.')}` | [{field.alias}](#{str(field.alias).lower()})"
        f" | {SAID_OTHERWISE.get(path.rpartition('.')[2]) or first_sentence(field)} |\n"
        for path, field in file_entries(AgentSettings).items()
    ]
    agents = [
        f"| `{path.removeprefix('agents.')}` | {str(field.title).replace('|', 'or')} | {field.description} |\n"
        for path, field in entries(File).items()
        if field.description
    ]
    return "".join([CONFIG_HEAD, *config, AGENTS_HEAD, *agents])


def first_sentence(field: FieldInfo) -> str:
    """First sentence and limits of a setting, as the documents print them."""
    first, *others = str(field.description).split(". ")
    between = others[-1] if others and others[-1].startswith("From ") else ""
    return f"{first.rstrip('.;')}. {between}".strip()


def example() -> str:
    return ENV_HEAD + "".join(
        f"\n# {str(field.description).replace('. ', '.' + chr(10) + '# ')}\n"
        f"#{field.alias}={default(field)}\n"
        for field in FIELDS
    )


@pytest.mark.spec("B8")
@pytest.mark.parametrize(
    ("name", "text"),
    [("docs/configuration.md", configuration()), (".env.example", example())],
)
def test_up_to_date(name: str, text: str) -> None:
    """Every setting stands there with what it does and its default."""
    file = ROOT / name
    if os.environ.get("UPDATE_DOCS"):
        file.write_text(text, encoding="utf-8")

    assert file.read_text(encoding="utf-8") == text, "run `make docs`"


@pytest.mark.spec("B8")
def test_example_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The example, uncommented as it is, gives the defaults without a warning."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    lines = [line[1:] for line in text.splitlines() if line[:2] not in {"# ", "#"}]
    settings_lines = [line for line in lines if "=" in line]
    (tmp_path / ".env").write_text("\n".join(settings_lines), encoding="utf-8")

    assert len(settings_lines) == len(FIELDS)
    assert AgentSettings.load() == AgentSettings(_env_file=None)  # type: ignore[call-arg]
    assert not ModelSettings.load().rejected
    assert not PageSettings.load().rejected
    assert not caplog.records
