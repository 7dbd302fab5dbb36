"""docs/adding-a-backend.md: its backend works as it is written there."""

import json
import re
import sys
from collections.abc import Iterator
from functools import partialmethod
from types import MappingProxyType, ModuleType
from typing import Any

import pytest
from support.paths import ROOT
from support.servers.loopback import Answer, Loopback, served

import websearch.config.settings
import websearch.engines
import websearch.routing.limits
from agent.agent_mode.tools import WebSearchTool
from agent.numbered_search import Searches
from agent.settings import AgentSettings
from websearch.__main__ import main
from websearch.config.settings import Settings
from websearch.errors import (
    InvalidInput,
    SearchError,
    WebBlocked,
    WebParseError,
)
from websearch.factory import create_service
from websearch.routing.limits import key_variable

pytestmark = pytest.mark.spec("I1")

DOCUMENT = ROOT / "docs" / "adding-a-backend.md"
PAGE = DOCUMENT.read_text(encoding="utf-8")
ROWS = [
    {"title": f"Page {n}", "url": f"https://example.org/{n}", "text": f"Text {n}"}
    for n in (1, 2, 3)
]
FOUND = [row["url"] for row in ROWS]


def block(language: str, section: str) -> str:
    """The one block in *language* below the heading *section*."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return str(code)


@pytest.fixture
def acme(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The page's file, as the module it would be."""
    module: Any = ModuleType("websearch.engines.acme")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(block("python", "The file"), str(DOCUMENT), "exec"), vars(module))
    return module


@pytest.fixture
def server(acme: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """Acme's API on loopback, registered by the page's line."""
    with served(lambda _: Answer(json.dumps({"results": ROWS}))) as loopback:
        # Whoever makes one from the settings gets one that asks here.
        here = partialmethod(acme.Acme.__init__, url=f"{loopback.url}/search")
        monkeypatch.setattr(acme.Acme, "__init__", here)
        _, line = block("diff", "The registration").splitlines()
        added = eval(f"{{{line.removeprefix('+')}}}", vars(acme))
        registry = MappingProxyType({**websearch.engines.BACKENDS, **added})
        monkeypatch.setattr(websearch.engines, "BACKENDS", registry)
        yield loopback


async def failed(server: Loopback, answer: Answer, **settings: Any) -> SearchError:
    """The error of a search that is answered so."""
    server.script = lambda _: answer
    async with create_service(Settings(**settings), backend="acme") as service:
        with pytest.raises(SearchError) as caught:
            await service.asearch("q")
    return caught.value


def test_import_line(acme: ModuleType) -> None:
    """The import of the registration finds the class."""
    line, _ = block("diff", "The registration").splitlines()
    names: dict[str, Any] = {}

    exec(line.removeprefix("+"), names)

    assert names["Acme"] is vars(acme)["Acme"]


def test_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The field of the page is all that says that a backend needs a key."""
    field = block("diff", "The key, if it needs one").replace("+    ", "    ")
    names = dict(vars(websearch.config.settings))
    exec(f"class Keyed(Settings):\n{field}", names)
    monkeypatch.setattr(websearch.routing.limits, "Settings", names["Keyed"])

    assert key_variable("acme") == "ACME_API_KEY"


def test_unregistered() -> None:
    """Before its registration, nobody knows the backend."""
    with pytest.raises(InvalidInput, match="unknown backend"):
        create_service(backend="acme")


async def test_service(server: Loopback) -> None:
    """A service made for its name finds what the API sends, ranked from 1."""
    async with create_service(backend="acme") as service:
        response = await service.asearch("q")

    assert response.provider == "acme"
    assert [(item.rank, item.url) for item in response.items] == [
        *enumerate(FOUND, start=1)
    ]


async def test_request(server: Loopback) -> None:
    """The search goes in the address, with its site."""
    async with create_service(backend="acme") as service:
        await service.asearch("q", site_filter="example.org")

    (request,) = server.requests
    assert request.path == "/search"
    assert request.params == {"q": "q site:example.org", "count": "10"}


def test_command(
    server: Loopback,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`python -m websearch call` answers through it."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "acme")

    code = main(["call", "web.search", '{"query": "q"}'])

    assert code == 0
    assert [i["url"] for i in json.loads(capsys.readouterr().out)["items"]] == FOUND


@pytest.mark.spec("K5")
def test_interface(server: Loopback) -> None:
    """Whoever searches gives a query and a number, and gets a list of results."""
    with create_service(backend="acme") as service:
        found = service.search("q", max_results=2)

    assert [item.url for item in found.items] == FOUND[:2]


@pytest.mark.spec("K5")
async def test_tool(server: Loopback) -> None:
    """The model's tool shows the pages it found, numbered."""
    settings = AgentSettings(WEB_SEARCH_BACKEND="acme")
    async with create_service(settings) as service:
        tool = WebSearchTool(searches=Searches(service, settings))
        text = await tool.ainvoke({"query": "q"})

    assert "[1] Page 1 | https://example.org/1 | Text 1" in text
    assert "[3] Page 3 | https://example.org/3 | Text 3" in text


async def test_rate_limit(server: Loopback) -> None:
    """It is asked no more often than the settings allow."""
    settings = Settings(WEB_SEARCH_SCRAPES_PER_MINUTE=1)
    async with create_service(settings, backend="acme") as service:
        await service.asearch("q")
        with pytest.raises(WebBlocked) as caught:
            await service.asearch("r")

    assert caught.value.detail_code == "rate_limited"
    assert server.queries == ["q"]


@pytest.mark.parametrize(
    "body",
    ["", "<html>", "[]", "{}", '{"results": 1}', '{"results": [1]}', '{"results": ['],
)
async def test_malformed(server: Loopback, body: str) -> None:
    """A body of another shape is WebParseError."""
    assert isinstance(await failed(server, Answer(body)), WebParseError)


async def test_refused_value(server: Loopback) -> None:
    """A status that the file names means what the file says."""
    assert isinstance(await failed(server, Answer(status=400)), InvalidInput)


async def test_no_results(server: Loopback) -> None:
    """An empty list is an answer, not an error."""
    server.script = lambda _: Answer('{"results": []}')
    async with create_service(backend="acme") as service:
        assert (await service.asearch("q")).items == ()
