"""config.json and the precedence of sources; a file with a mistake is left out."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from support.paths import ROOT

from websearch.config import Settings
from websearch.config.sources import file_entries

CANARY = "canary-key-7f3a"
FILE = Path("config.json")

# For each entry: a value in the file, and its meaning.
VALUES: dict[str, tuple[Any, Any]] = {
    "WEB_SEARCH_BACKEND": ("duckduckgo", "ddg_html"),
    "WEB_SEARCH_FALLBACK": (["brave", "stub"], "brave, stub"),
    "WEB_SEARCH_TIMEOUT_MS": (2.5, 2_500),
    "WEB_SEARCH_CACHE_TTL_MINUTES": (5, 5.0),
    "WEB_SEARCH_MAX_RESULTS": (7, 7),
    "SEARXNG_BASE_URL": ("http://f:1", "http://f:1"),
    "SEARXNG_API_KEY": ("file", "file"),
    "SEARXNG_TIMEOUT_MS": (300, 300),
    "BRAVE_API_KEY": ("file", "file"),
    "BOCHA_API_KEY": ("file", "file"),
    "BOCHA_BASE_URL": ("http://f:1", "http://f:1"),
    "BOCHA_TIMEOUT_MS": (300, 300),
    "BOCHA_TOP_K_DEFAULT": (4, 4),
}


def write(**entries: Any) -> None:
    data = {"tools": {"webSearch": entries}}
    FILE.write_text(json.dumps(data), encoding="utf-8")


def write_entry(variable: str, value: Any) -> None:
    (path,) = [p for p, f in file_entries(Settings).items() if f.alias == variable]
    data = value
    for name in reversed(path.split(".")):
        data = {name: data}
    FILE.write_text(json.dumps(data), encoding="utf-8")


def taken(variable: str) -> Any:
    settings = Settings.load()
    fields = {str(field.alias): name for name, field in Settings.model_fields.items()}
    value = getattr(settings, fields[variable])
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return str(value) if "URL" in variable else value


def test_every_entry_is_a_setting() -> None:
    """Each entry of the file is one setting, and the table above knows it."""
    variables = [str(field.alias) for field in file_entries(Settings).values()]

    assert sorted(variables) == sorted(VALUES)


@pytest.mark.spec("I2")
@pytest.mark.parametrize("variable", VALUES)
def test_entry(variable: str) -> None:
    """Each entry means what it says, also where its form is not the variable's."""
    value, meaning = VALUES[variable]
    write_entry(variable, value)

    assert taken(variable) == meaning


@pytest.mark.spec("I2")
@pytest.mark.parametrize(
    "variable", [name for name in VALUES if "URL" in name or "KEY" in name]
)
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
    default = taken(variable)
    if in_file:
        write_entry(variable, "http://file")
    if in_environment:
        monkeypatch.setenv(variable, "http://environment")
    if in_dotenv:
        Path(".env").write_text(f"{variable}=http://dotenv\n", encoding="utf-8")

    variables = ["http://environment"] * in_environment + ["http://dotenv"] * in_dotenv
    file = ["http://file"] * in_file
    is_key = variable.endswith("_KEY")
    order = [*file, *variables] if is_key else [*variables, *file]
    assert taken(variable) == [*order, default][0]


@pytest.mark.spec("I2")
@pytest.mark.parametrize(
    ("entries", "place", "expected"),
    [
        ({"maxResults": 50}, "maxResults", "1-10"),
        ({"maxResults": CANARY}, "maxResults", "1-10"),
        ({"maxResults": True}, "maxResults", "1-10"),
        ({"maxResults": None}, "maxResults", "1-10"),
        ({"timeoutSeconds": 61}, "timeoutSeconds", "0.1-60"),
        ({"timeoutSeconds": True}, "timeoutSeconds", "0.1-60"),
        ({"timeoutSeconds": CANARY}, "timeoutSeconds", "0.1-60"),
        (
            {"defaultProvider": " "},
            "defaultProvider",
            "the name of an engine, such as searxng",
        ),
        ({"fallback": CANARY}, "fallback", '["ddg_html"]'),
        (
            {"fallback": ["brave", [CANARY]]},
            "fallback",
            "the name of an engine, such as searxng",
        ),
        ({"providers": CANARY}, "providers", "{…}"),
        ({"providers": {"brave": CANARY}}, "providers.brave", "{…}"),
        (
            {"providers": {"brave": {"apiKey": [CANARY]}}},
            "providers.brave.apiKey",
            "a key of visible ASCII characters",
        ),
        ({"providers": {"brave": {CANARY: "apiKey"}}}, "providers.brave.…", "apiKey"),
        (
            {"providers": {CANARY: {}}},
            "providers.…",
            "searxng | brave | bocha",
        ),
        (
            {"providers": {"searxng": {"baseUrl": "localhost:8080"}}},
            "providers.searxng.baseUrl",
            (
                "an address that begins with http:// or https://, "
                "as in http://localhost:8080"
            ),
        ),
    ],
)
def test_one_mistake(
    caplog: pytest.LogCaptureFixture,
    entries: dict[str, Any],
    place: str,
    expected: str,
) -> None:
    """The warning names file, path and limits, and never the value; the file is used
    whole or not at all."""
    write(**{"fallback": ["brave"], **entries})

    (rejection,) = Settings.load().rejected

    assert rejection.place == f"config.json: tools.webSearch.{place}"
    assert rejection.expected == expected
    (line,) = caplog.messages
    assert rejection.place in line
    assert expected in line
    assert CANARY not in f"{line}{rejection}"
    assert Settings.load().fallback is None


# Texts, or what else may stand in the file's place, and what is told.
BROKEN: dict[str, tuple[str | Callable[[Path], object], str]] = {
    "empty": ("", "line 1, column 1"),
    "comma": ('{"tools": {\n  "webSearch": {,}}}', "line 2, column 17"),
    "NaN": ('{"tools": NaN}', "JSON of ordinary numbers"),
    "depth": ("[" * 100_000, "JSON of ordinary numbers"),
    "string": (f'"{CANARY}"', "{…}"),
    "size": (" " * 1_000_001, "at most 1000000 bytes"),
    "duplicate": ('{"tools": {"a": 1}, "tools": {}}', "tools is there twice"),
    "canary": (f'{{"{CANARY}": 1, "{CANARY}": 2}}', "… is there twice"),
    "encoding": (lambda file: file.write_bytes(b"\xff"), "a text file in UTF-8"),
    "folder": (lambda file: file.mkdir(), "a file that can be read"),
    "pipe": (os.mkfifo, "a file that can be read"),
    "link": (lambda file: file.symlink_to("gone.json"), "a file that can be read"),
}


@pytest.mark.spec("I2", "M3")
@pytest.mark.parametrize("fault", BROKEN)
def test_broken_file(caplog: pytest.LogCaptureFixture, fault: str) -> None:
    """A file that can't be used is told by its name, and counts as a choice."""
    content, expected = BROKEN[fault]
    if isinstance(content, str):
        FILE.write_text(content, encoding="utf-8")
    else:
        content(FILE)

    settings = Settings.load()

    (rejection,) = settings.rejected
    assert rejection.place == "config.json"
    assert expected in rejection.expected
    assert settings.has_broken_file
    assert settings == Settings(_env_file=None)  # type: ignore[call-arg]
    assert CANARY not in caplog.text


@pytest.mark.spec("I3")
@pytest.mark.parametrize("value", ["请填写密钥", "", None, {"a": 1}])
def test_an_invalid_key_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, value: Any
) -> None:
    """With a key that can't be one the file is left out; the environment's serves."""
    write(providers={"brave": {"apiKey": value}})
    monkeypatch.setenv("BRAVE_API_KEY", "good")

    assert taken("BRAVE_API_KEY") == "good"


@pytest.mark.spec("B8", "I2", "M3")
@pytest.mark.parametrize(
    ("entry", "variable", "results", "is_broken"),
    [(7, "99", 5, False), (99, "3", 3, True)],
)
def test_invalid_in_one_place(
    monkeypatch: pytest.MonkeyPatch,
    *,
    entry: int,
    variable: str,
    results: int,
    is_broken: bool,
) -> None:
    """An invalid variable gives way to the default, not to config.json; an invalid
    entry is told also where a variable is stronger."""
    write(maxResults=entry)
    monkeypatch.setenv("WEB_SEARCH_MAX_RESULTS", variable)

    settings = Settings.load()

    assert (settings.max_results, settings.has_broken_file) == (results, is_broken)


@pytest.mark.parametrize(
    "content",
    [
        (ROOT / "config.example.json").read_bytes(),
        b'{"$schema": "x.json"}',  # as older examples did
        b'\xef\xbb\xbf{"tools": {}}',  # as Windows' editors save it
    ],
    ids=["example", "schema", "byte order mark"],
)
def test_no_mistakes(content: bytes) -> None:
    """The example, the key of an editor and a byte order mark are no mistakes."""
    FILE.write_bytes(content)

    assert not Settings.load().rejected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["tools", "webSearch", "providers", "brave", "apiKey", "fallback", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(data=JSON)
def test_any_json(data: Any) -> None:
    """Settings can be loaded, whatever stands in the file."""
    FILE.write_text(json.dumps({"tools": {"webSearch": data}}), encoding="utf-8")

    assert Settings.load().max_results == 5
