"""No key and no credentials come out, whatever holds them and whatever fails."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field
from support.canaries import (
    CANARIES,
    PAIR,
    echo,
    every_log,
    found_in,
    plant,
    secrets_of,
    sent_secrets,
    shown,
)
from support.servers.loopback import served

from agent.models.settings import ModelSettings
from ui.server.settings import PageSettings
from websearch.__main__ import main
from websearch.config import Key, Settings
from websearch.engines import Baidu, Brave, DuckDuckGo
from websearch.errors import SearchError
from websearch.factory import create_service

QUERY = "canary-words"
ENGINES = ("searxng", "ddg_html", "baidu_html", "brave", "bocha")
QUICK = ("ddg_html", "brave")  # a page and an API; all are asked by `make test-all`
FAULTS: dict[str, Callable[..., Any]] = {
    "400": echo(400),
    "401": echo(401),
    "403": echo(403),
    "404": echo(404),
    "407": echo(407),
    "422": echo(422),
    "429": echo(429),
    "500": echo(500),
    "503": echo(503, **{"Retry-After": "9"}),
    "redirect": echo(302, Location="https://x.example/?canary"),
    "garbage": echo(200),
    "bad packing": echo(200, **{"Content-Encoding": "gzip"}),
    "not http": lambda r: lambda: iter([str(r.headers).encode()]),
    "cut off": lambda r: (
        lambda: iter(
            [b"HTTP/1.1 200 X\r\nContent-Length: 9999\r\n\r\n", repr(r).encode()]
        )
    ),
    "silent": lambda _: lambda: iter([30.0]),
}
COMMANDS = (
    ["search", QUERY],
    ["call", "web.search", json.dumps({"query": QUERY})],
    ["doctor"],
    ["doctor", "--json"],
    ["backends", "--json"],
)


@dataclass(frozen=True, slots=True)
class World:
    """The environment of a test, and what is logged in it."""

    patch: pytest.MonkeyPatch
    log: pytest.LogCaptureFixture

    def choose(self, name: str, url: str) -> None:
        """Let searches go to *url*, with every secret set; tunnels go to the engine."""
        self.patch.setenv("WEB_SEARCH_BACKEND", name)
        plant(self.patch, url)

    def move(self, url: str) -> None:
        """Let engines whose address is no setting be at *url* too."""
        for engine in (Brave, DuckDuckGo, Baidu):
            options = dict(engine.__init__.__kwdefaults__ or {})
            options["url"] = f"{url}/engine"
            self.patch.setattr(engine.__init__, "__kwdefaults__", options)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> World:
    """Every logger tells everything."""
    every_log(caplog)
    return World(monkeypatch, caplog)


def told_by(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """A failing search, as library and as each command; and all that they say."""
    settings = Settings.load()
    with create_service(settings) as service, pytest.raises(SearchError) as caught:
        service.search(QUERY)
    told = [*shown(caught.value), str(caught.value.as_dict())]
    told += [repr(settings), settings.summary(), repr(service), repr(vars(service))]
    assert caught.value.provider == name
    for words in COMMANDS:
        main(words)
    printed = capsys.readouterr()
    return [*told, printed.out, printed.err]


@pytest.mark.spec("I6")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.slow)
        for name in ENGINES
    ],
)
def test_failing_searches(
    world: World, capsys: pytest.CaptureFixture[str], name: str, fault: str
) -> None:
    """Every engine in every failure keeps every secret, even one that is repeated."""
    limit = "100" if fault == "silent" else "5000"
    world.patch.setenv("WEB_SEARCH_TIMEOUT_MS", limit)
    world.patch.setenv("WEB_FETCH_TIMEOUT_MS", limit)
    world.patch.setattr(
        "agent.models.catalog.FETCH_SECONDS", 0.3
    )  # the doctor asks there too
    if name != "searxng":  # what the doctor says of reading is the same for each
        world.patch.setenv("WEB_FETCH_ENABLED", "false")
    with served(FAULTS[fault]) as server:
        world.choose(name, server.url)
        world.move(server.url)
        told = told_by(name, capsys)

    assert sent_secrets(server.requests)
    assert "websearch" in {r.name.partition(".")[0] for r in world.log.records}
    assert found_in([*told, world.log.text]) == set()


@pytest.mark.parametrize("name", ENGINES)
def test_refused_connections(
    world: World, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Errors of an unused port show addresses without credentials."""
    with served(echo(200)) as closed:
        pass
    world.choose(name, closed.url)
    world.move(closed.url)

    told = told_by(name, capsys)

    assert found_in([*told, world.log.text]) == set()


@pytest.mark.parametrize("name", ["ddg_html", "baidu_html"])
@pytest.mark.parametrize("status", [403, 407, 502])
def test_refused_tunnels(
    world: World, capsys: pytest.CaptureFixture[str], name: str, status: int
) -> None:
    """A proxy that refuses a tunnel, and repeats its credentials, tells us nothing."""
    with served(echo(status)) as proxy:
        world.choose(name, proxy.url)
        told = told_by(name, capsys)

    # The doctor also asks the model's server, which is this one, without the proxy, and
    # the proxy for an address of its own machine, with which nothing of a user's goes.
    own = "http://127.0.0.1:9/"
    assert {r.body for r in proxy.requests if r.target == own} == {b""}
    searches = [r for r in proxy.requests if r.path != "/v1/models" and r.target != own]
    assert {request.method for request in searches} == {"CONNECT"}
    assert sent_secrets(proxy.requests)
    assert found_in([*told, world.log.text]) == set()


@pytest.mark.parametrize("name", ["searxng", "brave", "bocha"])
def test_secrets_of_the_file(
    world: World, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """Keys and credentials that stand in config.json are kept as well."""
    with served(echo(401)) as server:
        at = server.url.replace("://", f"://{PAIR}@")
        world.patch.setenv("WEB_SEARCH_BACKEND", name)
        world.move(server.url)
        providers = {
            "searxng": {"baseUrl": at},
            "brave": {"apiKey": "canary-brave"},
            "bocha": {"apiKey": "canary-bocha", "baseUrl": at},
        }
        file = {"tools": {"webSearch": {"providers": providers}}}
        (tmp_path / "config.json").write_text(json.dumps(file), encoding="utf-8")
        told = told_by(name, capsys)

    assert sent_secrets(server.requests)
    assert found_in([*told, world.log.text]) == set()


BROKEN_KEYS = ["canary\nX: y", "\u5bc6\u94a5 canary"]
BROKEN_ADDRESSES = [
    *BROKEN_KEYS,
    "sk-canary",
    "http://canary:canary@h:port",
    "ftp://canary:canary@h",
    "canary:canary@h:80",
    "http://h/canary:canary@x",
]


@pytest.mark.parametrize(
    ("variable", "broken"),
    [
        (variable, value)
        for variable in CANARIES
        for value in (BROKEN_KEYS if "KEY" in variable else BROKEN_ADDRESSES)
    ],
)
def test_broken_values(
    world: World, capsys: pytest.CaptureFixture[str], variable: str, broken: str
) -> None:
    """A secret that can't be used is refused without being repeated."""
    world.patch.setenv("WEB_SEARCH_BACKEND", "stub")
    world.patch.setenv(variable, broken)
    if "FETCH" not in variable:  # then reading takes no notice of it
        world.patch.setenv("WEB_FETCH_ENABLED", "false")

    known = [Settings.load(), ModelSettings.load()]
    main(["doctor"])
    main(["doctor", "--json"])

    printed = capsys.readouterr()
    told = [*map(repr, known), *(one.summary() for one in known)]
    told += [repr(one.rejected) for one in known]
    assert any(one.rejected for one in known)
    assert found_in([*told, printed.out, printed.err, world.log.text]) == set()


def test_every_secret_has_its_canary() -> None:
    """A further key or address among the settings must join the list of canaries."""
    assert secrets_of(Settings, ModelSettings, PageSettings) == set(CANARIES)


def test_new_secrets_are_seen() -> None:
    """A setting is a secret by its type, and by its name where it is plain text."""

    class More(Settings):
        one: Key | None = Field(default=None, alias="NEW_ONE")
        two: str = Field(default="", alias="NEW_TOKEN")
        three: str = Field(default="", alias="NEW_COLOUR")

    assert secrets_of(More) - secrets_of(Settings) == {"NEW_ONE", "NEW_TOKEN"}
