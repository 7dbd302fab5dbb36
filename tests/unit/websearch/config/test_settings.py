"""Settings from the environment: each variable, and no value stops the program."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from websearch import chosen
from websearch.config import Settings

DEFAULTS = {
    "SEARXNG_BASE_URL": "http://localhost:8080",
    "SEARXNG_METHOD": "GET",
    "WEB_SEARCH_TIMEOUT_MS": 5000,
    "WEB_SEARCH_MAX_RESULTS": 5,
    "WEB_SEARCH_SNIPPET_LENGTH": 200,
    "WEB_SEARCH_CACHE_QUERIES": 20,
    "WEB_SEARCH_CACHE_TTL_MINUTES": 0.0,
    "WEB_SEARCH_LANGUAGE": "auto",
    "WEB_SEARCH_LOG_QUERIES": False,
    "UI_LANGUAGE": "zh-CN",
}
NAMES = {str(field.alias): name for name, field in Settings.model_fields.items()}


def value(settings: Settings, variable: str) -> object:
    found = getattr(settings, NAMES[variable])
    return str(found) if variable == "SEARXNG_BASE_URL" else found


@pytest.mark.spec("B1", "B8")
@pytest.mark.parametrize(("variable", "default"), DEFAULTS.items())
def test_defaults(variable: str, default: object) -> None:
    """Nothing set gives the documented default."""
    assert value(Settings.load(), variable) == default


@pytest.mark.spec("B1", "B8")
@pytest.mark.parametrize(
    ("variable", "text", "parsed"),
    [
        ("SEARXNG_BASE_URL", "https://s.example/searx/", "https://s.example/searx"),
        ("SEARXNG_METHOD", "POST", "POST"),
        ("WEB_SEARCH_TIMEOUT_MS", "2500", 2500),
        ("WEB_SEARCH_MAX_RESULTS", "10", 10),
        ("WEB_SEARCH_SNIPPET_LENGTH", "400", 400),
        ("WEB_SEARCH_CACHE_QUERIES", "1000", 1000),
        ("WEB_SEARCH_LANGUAGE", "zh_CN", "zh-CN"),
        ("WEB_SEARCH_LANGUAGE", "AUTO", "auto"),
        ("WEB_SEARCH_LOG_QUERIES", "true", True),
        ("UI_LANGUAGE", "en-US", "en-US"),
    ],
)
def test_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, parsed: object
) -> None:
    """The environment sets each value."""
    monkeypatch.setenv(variable, text)

    assert value(Settings.load(), variable) == parsed


# For each variable: what its warning says, and values that are none.
INVALID = {
    "SEARXNG_METHOD": ("GET | POST", ["canary"]),
    "WEB_SEARCH_TIMEOUT_MS": (
        "100-60000",
        ["abc", "-1", "1e99", "0", "60001", "１２３", "٥٠٠٠", "nan"],
    ),
    "WEB_SEARCH_MAX_RESULTS": ("1-10", ["11", "0"]),
    "WEB_SEARCH_SNIPPET_LENGTH": ("20-2000", ["-3"]),
    "WEB_SEARCH_CACHE_QUERIES": ("1-1000", ["1001"]),
    "WEB_SEARCH_CACHE_TTL_MINUTES": ("0-1440", ["nan", "inf"]),
    "WEB_SEARCH_LANGUAGE": ("a language tag such as zh-CN, or auto", ["not a tag"]),
    "WEB_SEARCH_LOG_QUERIES": ("true | false", ["perhaps"]),
    "UI_LANGUAGE": ("zh-CN | en-US | auto", ["fr"]),
    "SEARXNG_BASE_URL": ("an address that ", ["nowhere:8080", "ftp://h"]),
}


@pytest.mark.spec("B1", "B8")
@pytest.mark.parametrize(
    ("variable", "text", "limits"),
    [
        (variable, text, limits)
        for variable, (limits, texts) in INVALID.items()
        for text in texts
    ],
)
def test_invalid(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    variable: str,
    text: str,
    limits: str,
) -> None:
    """An invalid value gives way to its default; the warning names variable, limits
    and default, and never the value."""
    monkeypatch.setenv(variable, text)

    settings = Settings.load()

    assert value(settings, variable) == DEFAULTS[variable]
    (record,) = [r for r in caplog.records if r.levelno == logging.WARNING]
    message = record.getMessage()
    assert all(word in message for word in (variable, limits, str(DEFAULTS[variable])))
    assert text not in message.removeprefix(variable).replace(limits, "").replace(
        str(DEFAULTS[variable]), ""
    )
    assert [r.place for r in settings.rejected] == [variable]


@pytest.mark.spec("B8")
def test_empty_is_unset(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An empty variable, as a compose file leaves it, means the default, silently."""
    monkeypatch.setenv("SEARXNG_BASE_URL", "")

    assert str(Settings.load().searxng_base_url) == "http://localhost:8080"
    assert not caplog.records


@pytest.mark.spec("B8")
@pytest.mark.parametrize(
    "content", ["SEARXNG_BASE_URL=http://例子\n".encode("gbk"), b"\xff\xfe\x00"]
)
def test_unreadable_dotenv(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    """A .env in another encoding is left out with a word, not with a crash, and never
    widens who hears a query."""
    (tmp_path / ".env").write_bytes(content)

    settings = Settings.load()

    assert settings.max_results == 5
    assert "a text file in UTF-8" in caplog.text
    assert settings.has_broken_file


@pytest.mark.spec("M3")
@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('SEARXNG_BASE_URL="http://canary.example\n', 1),
        ("A=1\n\n# note\nSEARXNG_BASE_URL: http://canary.example\n", 4),
        ("A=1\n\nSEARXNG_BASE_URL:http://canary.example/?a=b\n", 3),
        ("SEARXNG_BASE_URL http://canary.example", 1),
        ("A=1\r\n\r\nSEARXNG_BASE_URL\r\n", 3),
    ],
    ids=["unclosed quote", "colon", "colon, later =", "space", "name alone"],
)
def test_broken_line_of_dotenv(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: str, line: int
) -> None:
    """A line of .env that sets nothing is told by its number, and no engine that was
    not named hears a query."""
    (tmp_path / ".env").write_bytes(f"{content}\nUI_LANGUAGE=en-US\n".encode())

    settings = Settings.load()

    (rejection,) = settings.rejected
    assert rejection.place == str(tmp_path / ".env")
    assert rejection.expected == f"NAME=value in each line; see line {line}"
    assert chosen(settings).names == ("searxng",)
    assert settings.ui_language == "en-US"
    assert "canary" not in caplog.text


@pytest.mark.spec("M3")
@pytest.mark.parametrize(
    "make",
    [lambda file: file.mkdir(), lambda file: file.symlink_to("gone")],
    ids=["folder", "link to nothing"],
)
def test_dotenv_that_is_no_file(tmp_path: Path, make: Callable[[Path], object]) -> None:
    """A .env that can't be read counts as a broken file."""
    make(tmp_path / ".env")

    settings = Settings.load()

    (rejection,) = settings.rejected
    assert rejection.expected.startswith("a file that can be read")
    assert chosen(settings).names == ("searxng",)


def test_dotenv_without_mistakes(tmp_path: Path) -> None:
    """Comments, empty values, quotes over lines and `export` are no mistakes."""
    text = "\ufeff# a note\n\nexport A=1 # b\nB=\n'C' = \"1\n2\"\n  \n# end"
    (tmp_path / ".env").write_text(text, encoding="utf-8")

    assert not Settings.load().rejected


@pytest.mark.spec("N3", "B8")
def test_secrets(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither summary, repr nor warning shows a key, a password or a broken key."""
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://u:canary-1@h.example")
    monkeypatch.setenv("SEARXNG_API_KEY", "canary-2")
    good = Settings.load()
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://u:canary-3@h:port")
    monkeypatch.setenv("SEARXNG_API_KEY", "canary-4\nX")
    bad = Settings.load()

    assert good.searxng_api_key is not None
    assert good.searxng_api_key.get_secret_value() == "canary-2"
    assert bad.searxng_api_key is None
    told = f"{good!r}{good.summary()}{bad!r}{bad.summary()}{bad.rejected}{caplog.text}"
    assert "canary" not in told


@pytest.mark.spec("B8", "N3")
@pytest.mark.parametrize(
    ("variable", "text"),
    [("LANGUAGE", "de_DE:de"), ("BACKEND", "stub"), ("TOOLS", "/opt/tools")],
)
def test_other_programs_variables(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str
) -> None:
    """A variable that is not ours changes nothing, whatever a field is called here."""
    monkeypatch.setenv(variable, text)

    assert Settings.load() == Settings(_env_file=None)  # type: ignore[call-arg]
    settings = Settings.load()
    assert (settings.backend, settings.log_queries) == (None, False)
    assert settings.language == "auto"
    assert not settings.rejected


@pytest.mark.spec("B8")
@pytest.mark.parametrize("typed", ["Stub", "STUB"])
def test_backend_case(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    """A backend is known in any case."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", typed)

    assert Settings.load().backend == "stub"


@pytest.mark.spec("B8", "H6")
@pytest.mark.parametrize(
    ("own", "common", "seconds"),
    [(None, None, 5.0), (None, "2000", 2.0), ("1000", "2000", 1.0), ("1000", None, 1)],
)
def test_timeouts(
    monkeypatch: pytest.MonkeyPatch, own: str | None, common: str | None, seconds: float
) -> None:
    """SEARXNG_TIMEOUT_MS comes first, else WEB_SEARCH_TIMEOUT_MS, else 5 s."""
    for name, text in (("SEARXNG_TIMEOUT_MS", own), ("WEB_SEARCH_TIMEOUT_MS", common)):
        if text:
            monkeypatch.setenv(name, text)

    assert Settings.load().timeout == seconds
