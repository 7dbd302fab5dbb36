"""Settings from the environment: each variable, and no value stops the program."""

import logging
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.servers.loopback import Answer, served

from websearch import chosen
from websearch.config import Settings
from websearch.config.settings import USER_AGENT
from websearch.engines import BACKENDS
from websearch.factory import create_service, http_client_of

FIELDS = {str(field.alias): name for name, field in Settings.model_fields.items()}
PAGE_ENGINES = {"ddg_html", "baidu_html", "google"}


def value(settings: Settings, variable: str) -> str:
    return str(getattr(settings, FIELDS[variable]))


# What is made of a value.
VALUES = {
    "SEARXNG_BASE_URL=https://s.example/searx/": "https://s.example/searx",
    "WEB_SEARCH_TIMEOUT_MS=2500": "2500",
    "WEB_SEARCH_LANGUAGE=zh_CN": "zh-CN",
    "WEB_SEARCH_LANGUAGE=AUTO": "auto",
    "WEB_SEARCH_LOG_QUERIES=true": "True",
    "WEB_SEARCH_BACKEND=STUB": "stub",
    "WEB_FETCH_PROXY=http://u:p%40@p.example:3128/": "http://p.example:3128",
    f"WEB_FETCH_USER_AGENT={'x' * 200}": "x" * 200,
}


@pytest.mark.spec("B1", "B8")
@pytest.mark.parametrize("line", VALUES)
def test_environment(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """The environment sets each value."""
    variable, _, text = line.partition("=")
    monkeypatch.setenv(variable, text)

    assert value(Settings.load(), variable) == VALUES[line]


# For each variable: what its warning says, and values that are none.
INVALID = {
    "WEB_SEARCH_TIMEOUT_MS": (
        "100-60000",
        ["abc", "-1", "1e99", "99", "60001", "１２３", "٥٠٠٠", "nan"],
    ),
    "WEB_SEARCH_MAX_RESULTS": ("1-10", ["11"]),
    "WEB_SEARCH_CACHE_TTL_MINUTES": ("0-1440", ["nan", "inf"]),
    "WEB_SEARCH_LANGUAGE": ("a language tag such as zh-CN, or auto", ["not a tag"]),
    "WEB_SEARCH_LOG_QUERIES": ("true | false", ["perhaps"]),
    "SEARXNG_BASE_URL": ("an address that ", ["nowhere:8080", "ftp://h"]),
    "WEB_FETCH_ALLOWED_HOSTS": ("hosts, host:port", ["*.canary", "10.0.0.1/8, canary"]),
    "WEB_FETCH_PROXY": (
        "",
        [
            "proxy.example:3128:canary:canary",
            "socks5://canary:canary@127.0.0.1:7891",
            "http://canary:canary@h:port",
            "http://canary:can/ary@h:80",
            "http://proxy.example:3128/canary",
        ],
    ),
    "WEB_FETCH_USER_AGENT": ("1 to 200", ["x" * 201, "名字", "two\nlines", "  "]),
}


@pytest.mark.spec("B1", "B8")
@pytest.mark.parametrize(
    ("variable", "text"),
    [(name, text) for name in INVALID for text in INVALID[name][1]],
)
def test_invalid(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    variable: str,
    text: str,
) -> None:
    """An invalid value gives way to its default; the warning names variable, limits
    and default, and never the value."""
    monkeypatch.setenv(variable, text)

    settings = Settings.load()

    default = Settings.model_fields[FIELDS[variable]].default
    assert value(settings, variable) == str(default)
    (record,) = [r for r in caplog.records if r.levelno == logging.WARNING]
    limits, message = INVALID[variable][0], record.getMessage()
    shown = "unset" if default is None else str(default)
    assert all(word in message for word in (variable, limits, shown))
    assert text not in re.sub("|".join(map(re.escape, (variable, shown))), "", message)
    told = f"{settings!r}{settings.summary()}{settings.rejected}{message}"
    assert not re.search("canary|can/ary", told)
    assert [r.place for r in settings.rejected] == [variable]


@pytest.mark.spec("B8")
def test_empty_is_unset(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An empty variable, as a compose file leaves it, means the default, silently."""
    monkeypatch.setenv("SEARXNG_BASE_URL", "")

    assert str(Settings.load().searxng_base_url) == "http://localhost:8080"
    assert not caplog.records


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
    (tmp_path / ".env").write_bytes(f"{content}\nWEB_SEARCH_LANGUAGE=de\n".encode())

    settings = Settings.load()

    (rejection,) = settings.rejected
    assert rejection.place == str(tmp_path / ".env")
    assert rejection.expected == f"NAME=value in each line; see line {line}"
    assert chosen(settings).names == ("searxng",)
    assert settings.language == "de"
    assert "canary" not in caplog.text


@pytest.mark.spec("M3", "B8")
@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda file: file.mkdir(), "a file that can be read"),
        (lambda file: file.symlink_to("gone"), "a file that can be read"),
        (lambda file: file.symlink_to(file), "a file that can be read"),
        (os.mkfifo, "a file that can be read"),
        (lambda file: file.write_bytes("A=例子".encode("gbk")), "a text file in UTF-8"),
    ],
    ids=["folder", "link to nothing", "link to itself", "pipe", "encoding"],
)
def test_unreadable_dotenv(
    tmp_path: Path, make: Callable[[Path], object], expected: str
) -> None:
    """A .env that can't be read stops nothing, and never widens who hears a query."""
    make(tmp_path / ".env")

    settings = Settings.load()

    (rejection,) = settings.rejected
    assert rejection.expected.startswith(expected)
    assert settings.max_results == 5
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
    """The settings are told once, when a service is made; neither there nor in a
    warning or repr stands a key, a password or a broken key."""
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://u:canary-1@h.example")
    monkeypatch.setenv("SEARXNG_API_KEY", "canary-2")
    good = Settings.load()
    create_service(good)
    monkeypatch.setenv("SEARXNG_BASE_URL", "http://u:canary-3@h:port")
    monkeypatch.setenv("SEARXNG_API_KEY", "canary-4\nX")
    bad = Settings.load()

    assert good.searxng_api_key is not None
    assert good.searxng_api_key.get_secret_value() == "canary-2"
    assert bad.searxng_api_key is None
    told = f"{good!r}{good.summary()}{bad!r}{bad.summary()}{bad.rejected}{caplog.text}"
    assert "canary" not in told
    assert caplog.text.count("SEARXNG_BASE_URL=http://h.example") == 1


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


# Variables in ms, an engine, and the seconds that a search through it may take.
TIMEOUTS = [
    ({}, "searxng", 5),
    ({"SEARCH": "2000"}, "searxng", 2),
    ({"SEARXNG": "1000"}, "searxng", 1),
    ({"SEARXNG": "1000", "SEARCH": "2000"}, "searxng", 1),
    ({"BOCHA": "700"}, "bocha", 0.7),
    ({"BOCHA": "700"}, "brave", 5),
    *(({"SEARCH": "2000", "FETCH": wrong}, "google", 2) for wrong in ("0", "60001")),
    *(
        ({"SEARCH": "2000", "FETCH": "700"}, name, 0.7 if name in PAGE_ENGINES else 2)
        for name in BACKENDS
    ),
]


@pytest.mark.spec("B8", "H6")
@pytest.mark.parametrize(("limits", "name", "seconds"), TIMEOUTS)
def test_timeouts(
    monkeypatch: pytest.MonkeyPatch,
    limits: dict[str, str],
    name: str,
    seconds: float,
) -> None:
    """An engine's own limit comes first, then that of pages for those whose page is
    read, then the common one, then 5 s."""
    for own, text in limits.items():
        place = f"WEB_{own}" if own in {"SEARCH", "FETCH"} else own
        monkeypatch.setenv(f"{place}_TIMEOUT_MS", text)

    assert Settings.load().timeout_of(name) == seconds


@pytest.mark.parametrize("name", BACKENDS)
async def test_doors(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Proxy and User-Agent are those of pages only; all others keep their own way."""
    with (
        served(lambda _: Answer("{}")) as page,
        served(lambda _: Answer("{}")) as other,
    ):
        monkeypatch.setenv("WEB_FETCH_PROXY", other.url)
        monkeypatch.setenv("WEB_FETCH_USER_AGENT", "Reader/1.0")
        door = http_client_of(name, Settings.load())
        await door.request("GET", page.url)
        await door.aclose()

    asked, unasked = (other, page) if name in PAGE_ENGINES else (page, other)
    name_told = "Reader/1.0" if name in PAGE_ENGINES else USER_AGENT
    assert [r.headers["user-agent"] for r in asked.requests] == [name_told]
    assert unasked.requests == []
