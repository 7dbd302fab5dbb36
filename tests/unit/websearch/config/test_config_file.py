"""config.json: keys from there first, then the environment; the rest comes last."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from support.paths import ROOT

from websearch.config.config_file import entries
from websearch.config.settings import Settings

EXAMPLE = ROOT / "config.example.json"

# Of each entry: a value in the file, what it means, and another in the environment.
VALUES: dict[str, tuple[Any, Any, str, Any]] = {
    "WEB_SEARCH_BACKEND": ("duckduckgo", "ddg_html", "stub", "stub"),
    "WEB_SEARCH_FALLBACK": (["brave", "stub"], "brave, stub", "bocha", "bocha"),
    "WEB_SEARCH_TIMEOUT_MS": (2.5, 2_500, "700", 700),
    "WEB_SEARCH_CACHE_TTL_MINUTES": (5, 5.0, "0.5", 0.5),
    "WEB_SEARCH_MAX_RESULTS": (7, 7, "3", 3),
    "SEARXNG_BASE_URL": ("http://f:1", "http://f:1", "http://e:2", "http://e:2"),
    "SEARXNG_API_KEY": ("file", "file", "env", "env"),
    "SEARXNG_TIMEOUT_MS": (300, 300, "200", 200),
    "BRAVE_API_KEY": ("file", "file", "env", "env"),
    "BOCHA_API_KEY": ("file", "file", "env", "env"),
    "BOCHA_BASE_URL": ("http://f:1", "http://f:1", "http://e:2", "http://e:2"),
    "BOCHA_TIMEOUT_MS": (300, 300, "200", 200),
    "BOCHA_TOP_K_DEFAULT": (4, 4, "9", 9),
}


def write(variable: str, value: Any) -> None:
    (entry,) = [entry for entry in entries() if entry.variable == variable]
    data = value
    for name in reversed(entry.path):
        data = {name: data}
    Path("config.json").write_text(json.dumps(data), encoding="utf-8")


def taken(variable: str) -> Any:
    settings = Settings.load()
    fields = {str(field.alias): name for name, field in Settings.model_fields.items()}
    value = getattr(settings, fields[variable])
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return str(value) if "URL" in variable else value


def test_every_entry_is_a_setting() -> None:
    """Each entry of the schema means one variable, and the table below knows it."""
    variables = [entry.variable for entry in entries()]

    assert sorted(variables) == sorted(VALUES)
    assert set(variables) <= {str(f.alias) for f in Settings.model_fields.values()}


@pytest.mark.spec("I2")
@pytest.mark.parametrize("variable", VALUES)
@pytest.mark.parametrize("in_dotenv", [False, True])
@pytest.mark.parametrize("in_environment", [False, True])
@pytest.mark.parametrize("in_file", [False, True])
def test_precedence(
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    *,
    in_file: bool,
    in_environment: bool,
    in_dotenv: bool,
) -> None:
    """Keys: config.json, environment, .env; all else: environment, .env,
    config.json, default."""
    value, meant, text, said = VALUES[variable]
    default = taken(variable)
    if in_file:
        write(variable, value)
    if in_environment:
        monkeypatch.setenv(variable, text)
    if in_dotenv:
        Path(".env").write_text(f"{variable}={text}\n", encoding="utf-8")

    is_key = variable.endswith("_KEY")
    is_said = in_environment or in_dotenv
    if in_file and (is_key or not is_said):
        expected = meant
    else:
        expected = said if is_said else default
    assert taken(variable) == expected


@pytest.mark.spec("I2")
def test_no_file(caplog: pytest.LogCaptureFixture) -> None:
    """Without a file nothing is missing, and nothing is said."""
    settings = Settings.load()

    assert not settings.mistakes
    assert not settings.names_engines
    assert not caplog.records


@pytest.mark.spec("I2")
def test_broken_file(caplog: pytest.LogCaptureFixture) -> None:
    """A file that is no JSON is told, and the environment serves."""
    Path("config.json").write_text("{oops", encoding="utf-8")

    settings = Settings.load()

    assert [mistake.place for mistake in settings.mistakes] == ["config.json"]
    assert "config.json is no JSON from line 1, column 2 on" in caplog.text
    assert settings.timeout_ms == 5_000


@pytest.mark.spec("M3")
def test_broken_file_opens_nothing() -> None:
    """Who wrote a file meant to choose: a broken one never widens who is asked."""
    Path("config.json").write_text("{oops", encoding="utf-8")

    assert Settings.load().names_engines


def test_names_that_people_know() -> None:
    """Several names joined by `+` may be those that people know."""
    write("WEB_SEARCH_BACKEND", "DuckDuckGo + searxng")

    assert Settings.load().backend == "ddg_html+searxng"


def test_a_blank_key_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that can't be one is left out, and the environment's serves."""
    write("BRAVE_API_KEY", "请填写密钥")
    monkeypatch.setenv("BRAVE_API_KEY", "good")

    assert taken("BRAVE_API_KEY") == "good"


def test_wrong_address_names_its_place() -> None:
    """A value that only our own check refuses is told with its place in the file."""
    write("SEARXNG_BASE_URL", "localhost:8080")

    (rejection,) = Settings.load().rejected

    assert rejection.variable == (
        "config.json: tools.webSearch.providers.searxng.baseUrl"
    )


def test_example() -> None:
    """The example is without mistakes, and names each provider that has settings."""
    Path("config.json").write_text(EXAMPLE.read_text(encoding="utf-8"))

    settings = Settings.load()

    assert not settings.mistakes
    assert not settings.rejected
