"""The settings for reading web pages: time limit, proxy, User-Agent."""

import logging

import pytest
from support.loopback import Answer, served

from websearch.config.settings import Settings
from websearch.engines import BACKENDS
from websearch.factory import http_client_of

PAGE_ENGINES = {"ddg_html", "baidu_html", "google"}
DEFAULT = "websearch-chat/0.1"


@pytest.mark.parametrize(
    ("typed", "parsed"),
    [
        ("http://127.0.0.1:7890", "http://127.0.0.1:7890"),
        (" https://proxy.example/ ", "https://proxy.example"),
        ("http://u:p%40@proxy.example:3128", "http://proxy.example:3128"),
        ("http://[::1]:8118", "http://[::1]:8118"),
    ],
)
def test_proxy(monkeypatch: pytest.MonkeyPatch, typed: str, parsed: str) -> None:
    """A proxy is an http or https address, with credentials or without."""
    monkeypatch.setenv("WEB_FETCH_PROXY", typed)

    assert str(Settings.load().fetch_proxy) == parsed


@pytest.mark.parametrize(
    "typed",
    [
        "127.0.0.1:7890",
        "socks5://canary:canary@127.0.0.1:7891",
        "http://canary:canary@h:port",
        "http://canary:can/ary@h:80",
        "http://proxy.example:3128/path",
        "proxy.example:3128:canary:canary",
        "canary",
    ],
)
def test_bad_proxy(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, typed: str
) -> None:
    """Anything else means a direct connection, and a warning that repeats nothing."""
    monkeypatch.setenv("WEB_FETCH_PROXY", typed)

    settings = Settings.load()

    assert settings.fetch_proxy is None
    (warning,) = [r for r in caplog.records if r.levelno == logging.WARNING]
    assert "WEB_FETCH_PROXY is not usable" in warning.getMessage()
    told = f"{settings!r}{settings.summary()}{settings.rejected}{caplog.text}"
    assert "canary" not in told
    assert "can/ary" not in told


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("Reader/1.0 (me@example.org)", True),
        ("x" * 200, True),
        ("x" * 201, False),
        ("名字", False),
        ("two\nlines", False),
        (" ", False),
    ],
    ids=["plain", "longest", "too long", "not ASCII", "lines", "blank"],
)
def test_user_agent(monkeypatch: pytest.MonkeyPatch, typed: str, taken: bool) -> None:
    """A User-Agent is one line of printable ASCII; else our own name stands."""
    monkeypatch.setenv("WEB_FETCH_USER_AGENT", typed)

    settings = Settings.load()

    assert settings.fetch_user_agent == (typed if taken else DEFAULT)
    assert len(settings.rejected) == (0 if taken else 1)


@pytest.mark.parametrize(
    ("own", "seconds"), [(None, 2.0), ("700", 0.7), ("0", 2.0), ("60001", 2.0)]
)
@pytest.mark.parametrize("name", BACKENDS)
def test_timeout(
    monkeypatch: pytest.MonkeyPatch, name: str, own: str | None, seconds: float
) -> None:
    """WEB_FETCH_TIMEOUT_MS limits the engines whose page is read, and no other."""
    monkeypatch.setenv("WEB_SEARCH_TIMEOUT_MS", "2000")
    if own:
        monkeypatch.setenv("WEB_FETCH_TIMEOUT_MS", own)

    expected = seconds if name in PAGE_ENGINES else 2.0
    assert Settings.load().timeout_of(name) == expected


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
        await door.get(page.url)
        await door.aclose()

    asked, unasked = (other, page) if name in PAGE_ENGINES else (page, other)
    name_told = "Reader/1.0" if name in PAGE_ENGINES else DEFAULT
    assert [r.headers["user-agent"] for r in asked.requests] == [name_told]
    assert unasked.requests == []


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("WEB_FETCH_ENABLED", "canary"),
        ("WEB_FETCH_ALLOWED_HOSTS", "*.canary"),
        ("WEB_FETCH_ALLOWED_HOSTS", "wiki.corp, http://canary/"),
        ("WEB_FETCH_ALLOWED_HOSTS", "10.0.0.1/8, canary"),
        ("WEB_READ_SECONDS", "canary"),
        ("WEB_READ_SECONDS", "0"),
        ("WEB_READ_SECONDS", "nan"),
        ("WEB_READ_SECONDS", "inf"),
        ("WEB_READ_SECONDS", "-3"),
        ("WEB_READ_CHARS", "canary"),
        ("WEB_READ_CHARS", "999"),
        ("WEB_READ_CHARS", "200001"),
        ("WEB_READ_CHARS", "12k"),
        ("WEB_FETCH_TIMEOUT_MS", "canary"),
        ("WEB_FETCH_TIMEOUT_MS", "99"),
    ],
)
def test_nonsense(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    name: str,
    typed: str,
) -> None:
    """A value that makes no sense gives way to the default, with a warning."""
    default = Settings.load()
    monkeypatch.setenv(name, typed)

    settings = Settings.load()

    assert settings.model_dump() == default.model_dump()
    (warning,) = [r for r in caplog.records if r.levelno == logging.WARNING]
    assert f"{name} is not usable" in warning.getMessage()
    assert "canary" not in caplog.text
