"""The documents name every setting; `make docs` writes them anew."""

import os
from pathlib import Path
from typing import Any

import pytest

from agent.settings import ModelSettings
from ui.settings import PageSettings
from websearch.settings import Settings

ROOT = Path(__file__).parents[2]
HEAD = (
    "# Configuration\n\n"
    "Every variable, read from the environment or from a `.env` file in the folder "
    "where the program starts; the environment is stronger.\n"
    "An invalid value gives way to its default, and a warning in the log names "
    "variable, value and default.\n"
    "`make doctor` shows such values too.\n"
)
ENV_HEAD = (
    "# Copy this file to .env and uncomment what you want to change.\n"
    "# Every variable is described in docs/configuration.md.\n"
)


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
    return "".join(parts)


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
