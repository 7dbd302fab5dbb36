"""The set-up page: who may open it, what it tests, what it keeps and uses at once."""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from support.model.model_server import ModelServer, model_server
from support.servers.loopback import Answer, Request, served
from support.servers.ports import free_port
from support.servers.searxng_pages import healthy

from agent import ModelSettings, Resources
from ui.setup.model import model_lines
from ui.setup.page import MOST_BYTES, SetupPage
from ui.start.lifecycle import Lifecycle

pytestmark = pytest.mark.spec("X6")

ORIGIN = "http://localhost"
FILE = Path(".env")
CANARY = "sk-canary-7531"
OTHER = {"part": "model", "provider": "other"}


class Visitor:
    """A browser on this machine that has opened the page."""

    def __init__(self, page: SetupPage, client: str = "127.0.0.1") -> None:
        app = Starlette(routes=list(page.routes))
        self.http = TestClient(app, base_url=ORIGIN, client=(client, 5))
        self.http.headers["accept-language"] = "zh-CN"
        found = re.search('data-token="([^"]+)"', self.http.get("/setup").text)
        self.token = found[1] if found else ""

    def press(self, sent: Any, **headers: str) -> Any:
        own = {"origin": ORIGIN, "x-setup-token": self.token}
        body = sent if isinstance(sent, str) else json.dumps(sent)
        wanted = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.post("/setup", content=body, headers=own | wanted)

    def told(self, sent: Mapping[str, str]) -> dict[str, Any]:
        told: dict[str, Any] = self.press(sent).json()
        return told


@pytest.fixture
def life(monkeypatch: pytest.MonkeyPatch) -> Lifecycle:
    nowhere = f"http://127.0.0.1:{free_port()}"
    FILE.write_text(f"OLLAMA_BASE_URL={nowhere}\nWEB_SEARCH_BACKEND=stub\n")
    return Lifecycle(Resources.load())


@pytest.fixture
def visitor(life: Lifecycle) -> Iterator[Visitor]:
    visitor = Visitor(SetupPage(life, language="auto", is_shut=False))
    with visitor.http:
        yield visitor


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        server.names = ["m-1", "text-embedding", "m-2"]
        yield server


REFUSED: list[tuple[dict[str, str], str]] = [
    ({"origin": "http://evil.example"}, "a foreign origin"),
    ({"origin": "null"}, "a page that hides its origin"),
    ({"origin": ""}, "no page"),
    ({"host": "evil.example"}, "a foreign host"),
    ({"host": "chat.example", "origin": "http://chat.example"}, "another name"),
    ({"x_forwarded_for": "127.0.0.1"}, "a proxy"),
    ({"forwarded": "for=127.0.0.1"}, "a proxy"),
    ({"via": "1.1 proxy"}, "a proxy"),
    ({"x_setup_token": ""}, "no token"),
    ({"x_setup_token": "guessed"}, "a guessed token"),
]


@pytest.mark.spec("N2")
@pytest.mark.parametrize("headers", [one for one, _ in REFUSED])
def test_strangers(visitor: Visitor, headers: dict[str, str]) -> None:
    """Only the page itself presses: with its token, from its origin, at this machine,
    and through no proxy."""
    before = FILE.read_bytes()

    answer = visitor.press(
        {"part": "search", "do": "save", "engine": "auto"}, **headers
    )

    assert answer.status_code == 403
    assert FILE.read_bytes() == before


@pytest.mark.spec("N2")
@pytest.mark.parametrize(
    ("client", "headers", "is_shut"),
    [
        ("192.168.1.7", {}, False),
        ("testclient", {}, False),
        ("127.0.0.1", {"x-forwarded-for": "1.2.3.4"}, False),
        ("127.0.0.1", {"host": "chat.example"}, False),
        ("127.0.0.1", {}, True),
    ],
)
def test_shut(
    life: Lifecycle, client: str, headers: dict[str, str], *, is_shut: bool
) -> None:
    """Others get no form and no token, but are told how to set it up by hand."""
    visitor = Visitor(SetupPage(life, language="auto", is_shut=is_shut), client)
    visitor.http.headers.update(headers)

    page = visitor.http.get("/setup")

    assert page.status_code == 403
    assert "<form" not in page.text
    assert "/help/quickstart.zh-CN" in page.text
    assert is_shut or visitor.token == "" or headers


def test_save_model(visitor: Visitor, model: ModelServer, life: Lifecycle) -> None:
    """What was tested is kept for its owner alone, and used without a restart; the key
    is sent to its server, and shown and logged nowhere."""
    sent = OTHER | {"address": model.base_url.removesuffix("/v1"), "key": CANARY}

    tested = visitor.told(sent | {"do": "test"})
    saved = visitor.told(sent | {"do": "save", "model": "m-2"})

    assert tested["models"] == ["m-1", "m-2"]
    assert f"Bearer {CANARY}" in model.keys
    assert saved["ok"]
    assert "m-2" in saved["notes"]
    lines = FILE.read_text()
    assert "OPENAI_MODEL=m-2\n" in lines
    assert f"OPENAI_API_KEY={CANARY}\n" in lines
    assert "WEB_SEARCH_BACKEND=stub\n" in lines
    assert FILE.stat().st_mode & 0o777 == 0o600
    assert life.resources.models.default.name == "m-2"


@pytest.mark.spec("I6", "N3")
def test_key_is_secret(
    visitor: Visitor, model: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    """No answer, page or log holds a key, however a press ends."""
    caplog.set_level(logging.DEBUG)
    sent = OTHER | {"address": model.base_url, "key": CANARY, "model": "m-1"}
    shown = [
        visitor.press(fields).text
        for fields in (
            sent | {"do": "test"},
            sent | {"do": "save"},
            sent | {"do": "test", "address": f"http://127.0.0.1:{free_port()}"},
            sent | {"do": "save", "key": f"{CANARY} 密"},
            sent | {"do": CANARY},
            json.dumps(sent)[:-3],
        )
    ]
    FILE.unlink()
    FILE.mkdir()
    shown.append(visitor.press(sent | {"do": "save", "key": f"{CANARY}-2"}).text)

    assert CANARY not in "".join([*shown, visitor.http.get("/setup").text])
    assert CANARY not in caplog.text


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (401, '{"error": {"message": "no"}}', "拒绝了密钥"),
        (200, "<h1>Welcome</h1>", "没有给出模型列表"),
        (500, "", "没有给出模型列表"),
        (200, '{"data": []}', "没有给出模型列表"),
        (0, "nobody answers", "连不上模型服务"),
    ],
)
def test_wrong_servers(visitor: Visitor, status: int, body: str, told: str) -> None:
    """Each failure of a server is told in the doctor's words."""
    with served(lambda _: Answer(body, status)) as server:
        address = server.url if status else f"http://127.0.0.1:{free_port()}"
        sent = OTHER | {"do": "test", "address": address, "key": "k"}

        reply = visitor.told(sent)

    assert told in reply["notes"]
    assert not reply["ok"]
    assert not reply["models"]


def test_completed_address(visitor: Visitor) -> None:
    """Where `/v1` is missing it is added, and told."""
    listed = json.dumps({"data": [{"id": "m"}]})

    def answer(request: Request) -> Answer:
        is_there = request.path == "/v1/models"
        return Answer(listed) if is_there else Answer("Not Found", 404)

    with served(answer) as server:
        reply = visitor.told(OTHER | {"do": "test", "address": f"{server.url}/"})

    assert reply["models"] == ["m"]
    assert reply["address"] == f"{server.url}/v1"


@pytest.mark.spec("M2")
def test_services(visitor: Visitor) -> None:
    """A service of the list needs its key alone, whatever address was typed before."""
    sent = {"provider": "qwen", "key": "k", "model": "m", "address": "http://a.example"}

    lines = model_lines(sent, ModelSettings.load())

    assert lines == {
        "OPENAI_MODEL": "m",
        "OPENAI_BASE_URL": "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "OPENAI_API_KEY": "k",
    }
    assert 'value="qwen"' in visitor.http.get("/setup").text


def test_found_ollama(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    """An Ollama of this machine is offered where one was found."""
    FILE.write_text(f"OLLAMA_BASE_URL={model.base_url.removesuffix('/v1')}\n")
    page = SetupPage(Lifecycle(Resources.load()), language="auto", is_shut=False)

    html = Visitor(page).http.get("/setup").text

    assert 'value="ollama" checked' in html
    assert model.base_url in html


def test_long_list(visitor: Visitor, model: ModelServer) -> None:
    """A list of ten thousand is cut, and that is told."""
    model.names = [f"m-{number}" for number in range(10_000)]

    reply = visitor.told(OTHER | {"do": "test", "address": model.base_url})

    assert len(reply["models"]) == 200
    assert "10,000" in reply["notes"]
    assert "200" in reply["notes"]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("", 400),
        ("[1]", 400),
        ("[" * 3_000, 400),
        ('{"part": 1}', 400),
        ({"part": "search", "do": "save", "engine": "no such"}, 400),
        ({"part": "search", "do": "test", "engine": "google"}, 400),
        ({"part": "search", "do": "save", "engine": "bocha"}, 400),
        (OTHER | {"do": "save", "address": "not an address"}, 400),
        (OTHER | {"do": "save", "address": "http://a.example/v1", "model": ""}, 400),
        (OTHER | {"do": "save", "address": "http://a.example", "model": "a\nb"}, 400),
        ({"part": "model", "do": "save", "provider": "deepseek", "model": "m"}, 400),
        ({"part": "model", "do": "x" * MOST_BYTES}, 413),
    ],
)
def test_bad_forms(visitor: Visitor, sent: Any, status: int) -> None:
    """What a form can't mean is told, and changes nothing."""
    before = FILE.read_bytes()

    answer = visitor.press(sent)

    assert answer.status_code == status
    assert "note bad" in answer.json()["notes"]
    assert FILE.read_bytes() == before


def test_unwritable(visitor: Visitor) -> None:
    """Where .env can't be written it is named, with the lines to add by hand."""
    FILE.unlink()
    FILE.mkdir()
    sent = {"part": "search", "do": "save", "engine": "bocha", "key": CANARY}

    reply = visitor.told(sent)

    assert not reply["ok"]
    assert str(FILE.absolute()) in reply["notes"]
    assert "WEB_SEARCH_BACKEND=bocha\nBOCHA_API_KEY=…" in reply["notes"]


def test_two_tabs(visitor: Visitor, model: ModelServer) -> None:
    """What one tab saves stays when another saves after it."""
    other = Visitor.__new__(Visitor)
    other.http, other.token = visitor.http, visitor.token

    visitor.told(
        OTHER | {"do": "save", "address": model.base_url, "key": "a", "model": "m-1"}
    )
    other.told({"part": "search", "do": "save", "engine": "bocha", "key": "b"})

    lines = FILE.read_text().splitlines()
    assert {"OPENAI_API_KEY=a", "BOCHA_API_KEY=b", "OPENAI_MODEL=m-1"} <= {*lines}


def test_environment_wins(
    visitor: Visitor, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable of the environment that wins over the file is named, at once and after
    saving; so is config.json where a key stands in it."""
    monkeypatch.setenv("OPENAI_MODEL", "of the environment")
    keys = {"tools": {"webSearch": {"providers": {"bocha": {"apiKey": "file"}}}}}
    Path("config.json").write_text(json.dumps(keys))
    page = visitor.http.get("/setup").text

    saved = visitor.told(
        OTHER | {"do": "save", "address": model.base_url, "model": "m-1"}
    )
    search = visitor.told(
        {"part": "search", "do": "save", "engine": "bocha", "key": "b"}
    )

    assert "OPENAI_MODEL" in page
    assert "环境变量" in saved["notes"]
    assert "BOCHA_API_KEY" in search["notes"]
    assert "config.json" in search["notes"]


def test_key_stays_with_its_server(visitor: Visitor, model: ModelServer) -> None:
    """A key that was saved goes to no other address, in a test or after saving."""
    with model_server() as stranger:
        stranger.names = ["m"]
        sent = OTHER | {"address": model.base_url, "key": CANARY, "model": "m-1"}
        visitor.told(sent | {"do": "save"})

        visitor.told(OTHER | {"do": "test", "address": stranger.base_url})
        visitor.told(OTHER | {"do": "save", "address": stranger.base_url, "model": "m"})

        assert not any(stranger.keys)
        assert CANARY not in FILE.read_text()


def test_key_of_searxng_stays_with_its_server(
    visitor: Visitor, life: Lifecycle
) -> None:
    """The key of a SearXNG goes to no other, in a test or after saving."""
    with served(healthy) as known, served(healthy) as stranger:
        FILE.write_text(f"SEARXNG_BASE_URL={known.url}\nSEARXNG_API_KEY={CANARY}\n")
        life.resources.reload()
        sent = {"part": "search", "engine": "searxng"}
        visitor.told(sent | {"do": "test", "address": known.url})
        for do in ("test", "save"):
            visitor.told(sent | {"do": do, "address": stranger.url})

        assert CANARY in str([one.headers for one in known.requests])
        assert stranger.requests
        assert CANARY not in str([one.headers for one in stranger.requests])


def test_key_of_the_environment_stays_with_its_server(
    visitor: Visitor, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key of the environment would win over any that is typed: another address is
    not taken, whether a key comes with it or not."""
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    before = FILE.read_text()

    for key in ("", "typed"):
        sent = {"do": "save", "address": model.base_url, "model": "m", "key": key}
        assert "环境变量" in visitor.told(OTHER | sent)["notes"]

    assert not any(model.keys)
    assert FILE.read_text() == before


def test_search(visitor: Visitor, life: Lifecycle, model: ModelServer) -> None:
    """A SearXNG is tried with the doctor's findings, kept, and used at once."""
    with served(healthy) as searxng:
        sent = {"part": "search", "engine": "searxng"}
        wrong = visitor.told(sent | {"do": "test", "address": model.base_url})
        tested = visitor.told(sent | {"do": "test", "address": searxng.url})
        saved = visitor.told(sent | {"do": "save", "address": searxng.url})

    assert not wrong["ok"]
    assert tested["ok"]
    assert saved["ok"]
    assert "SearXNG" in saved["now"]
    assert f"SEARXNG_BASE_URL={searxng.url}\n" in FILE.read_text()
    assert life.resources.search.provider == "searxng"


@pytest.mark.parametrize("chosen", ["auto", "keep", "ddg_html"])
def test_other_engines(visitor: Visitor, chosen: str) -> None:
    """An engine without a key is written alone; what is kept stays as it is."""
    before = FILE.read_text()
    written = {"auto": "", "keep": "stub", "ddg_html": "ddg_html"}[chosen]

    visitor.told({"part": "search", "do": "save", "engine": chosen})

    backend = f"WEB_SEARCH_BACKEND={written}\n"
    assert FILE.read_text() == before.replace("WEB_SEARCH_BACKEND=stub\n", backend)
