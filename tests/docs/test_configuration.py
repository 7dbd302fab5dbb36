"""The documents name every setting; `make docs` writes them anew."""

import os
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT

from agent.models.settings import ModelSettings
from agent.profiles import SCHEMA as AGENTS
from ui.server.settings import PageSettings
from websearch.config.config_file import entries
from websearch.config.json_check import expected, schema_at
from websearch.config.settings import Settings

HEAD = (
    "# Configuration\n\n"
    "Every variable, read from the environment or from a `.env` file in the folder "
    "where the program starts; the environment is stronger.\n"
    "[config.json](#configjson) can hold many of them, and "
    "[agents.json](#agentsjson) several agents; both files are optional.\n"
    "An invalid value gives way to its default, and a warning in the log names "
    "variable, value and default.\n"
    "`make doctor` shows such values too.\n"
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
What is wrong in the file is left out, and told by the log, the first screen and `make doctor` with file, path, value and what is expected; the rest holds.
The schema is `websearch/config/config.schema.json`; editors that know JSON Schema complete and check the file by its `$schema`.

| below `tools.webSearch` | means | |
| --- | --- | --- |
"""
AGENTS_HEAD = """
## agents.json

`agents.json` in the folder where the program starts defines agents; copy `agents.example.json` to begin.
Where there are several, the settings panel offers them in Agent mode, and each has a search of its own.
Without the file there is one agent, which can search.
Where the file can't be read at all, there is one agent, which can't: nobody knows what the file forbade.
Keys have no place here; they stand in `config.json` or in the environment.
The schema is `agent/agents.schema.json`.

| in each of `agents` | expected | |
| --- | --- | --- |
"""


FIELDS = [
    field
    for settings in (Settings, ModelSettings, PageSettings)
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
        f"| `{'.'.join(entry.path[2:])}` | [{entry.variable}](#{entry.variable.lower()})"
        f"{', in seconds' if 'x-times' in entry.schema else ''} "
        f"| {entry.schema.get('description') or first_sentence(entry.variable)} |\n"
        for entry in entries()
    ]
    properties = schema_at(AGENTS)["properties"]["agents"]["items"]["properties"]
    search = properties["webSearch"]["properties"]
    agents = [
        f"| `{name}` | {expected(part)['en-US']} | {part['description']} |\n"
        for name, part in [
            *((n, p) for n, p in properties.items() if n != "webSearch"),
            *((f"webSearch.{n}", p) for n, p in search.items()),
        ]
    ]
    return "".join([CONFIG_HEAD, *config, AGENTS_HEAD, *agents])


def first_sentence(variable: str) -> str:
    (field,) = [field for field in FIELDS if field.alias == variable]
    return str(field.description).split(". ")[0].rstrip(".;") + "."


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
    assert Settings.load() == Settings(_env_file=None)  # type: ignore[call-arg]
    assert not ModelSettings.load().rejected
    assert not PageSettings.load().rejected
    assert not caplog.records
