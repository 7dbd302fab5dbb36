"""Keys and credentials never reach the page, whatever fails."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocket, expect
from support.browser.chat_page import Chat, Product, chat, product
from support.model.model_server import fails, says
from support.servers.faults import FAULTS
from support.servers.loopback import Answer, Loopback, Request, serving
from support.servers.searxng_pages import healthy

CANARY = "canary7f3a"
CONFIG = {
    "tools": {
        "webSearch": {
            "maxResults": 99,  # wrong, and told
            "providers": {
                "bocha": {"apiKey": f"{CANARY}-bocha-file"},
                "brave": f"{CANARY}-misplaced",
            },
        }
    }
}


def echo(request: Request) -> Answer:
    """A server that tells everybody what it was told."""
    heard = json.dumps({"error": f"{request.headers} {request.params}"})
    return Answer(heard, 401, {"WWW-Authenticate": f"Basic {request.headers}"})


engine = serving(echo, "module")


@pytest.fixture(scope="module")
def running(engine: Loopback) -> Iterator[Product]:
    address = engine.url.replace("//", f"//user:{CANARY}-password@")
    with product(
        {"config.json": json.dumps(CONFIG)},
        names=["scripted", "other"],
        SEARXNG_BASE_URL=address,
        SEARXNG_API_KEY=f"{CANARY}-searxng",
        BRAVE_API_KEY=f"{CANARY}-brave",
        BOCHA_API_KEY=f"{CANARY}-bocha",
        BOCHA_BASE_URL=address,
        OPENAI_API_KEY=f"{CANARY}-openai",
        WEB_SEARCH_BACKEND="searxng+bocha",
        WEB_SEARCH_FALLBACK="brave",
        WEB_FETCH_PROXY=address,
        OLLAMA_BASE_URL=address,
    ) as started:
        yield started


@pytest.fixture
def heard() -> list[str]:
    """All data that the socket sent to the page."""
    return []


@pytest.fixture
def tab(browser: Browser, running: Product, heard: list[str]) -> Iterator[Chat]:
    with chat(browser, running) as opened:

        def listen(socket: WebSocket) -> None:
            socket.on("framereceived", lambda frame: heard.append(str(frame)))

        opened.page.on("websocket", listen)
        opened.page.reload()
        expect(opened.gear).to_be_visible()
        yield opened


@pytest.mark.spec("I6", "N3")
def test_nothing_is_told(
    tab: Chat, running: Product, engine: Loopback, heard: list[str]
) -> None:
    """Through failures of every engine and of the model, with panel, commands and the
    doctor's report, no secret stands in the page, in its traffic or in the log."""
    tab.open_settings()
    tab.page.keyboard.press("Escape")
    tab.ask("/search on", "已开启")
    for script in (echo, *(FAULTS[n][0] for n in ("engines blocked", "json off"))):
        engine.script = script
        running.model.brain = says("好")
        tab.ask("问", "好")
    engine.script = echo
    running.model.brain = fails(401, f"bad key {CANARY}-openai")
    tab.ask("再问", "拒绝了密钥")
    tab.ask("/doctor", "实际搜索")

    assert any("bocha" in frame.lower() for frame in heard)
    assert CANARY not in tab.page.content()
    assert CANARY not in "".join(heard)
    assert CANARY not in running.app.log


@pytest.mark.spec("N3")
def test_log(browser: Browser, running: Product, engine: Loopback) -> None:
    """Neither question nor answer, nor a server's words, reach the log."""
    engine.script = healthy
    running.model.brain = says("canary-answer[1]")
    with chat(browser, running) as tab:
        tab.ask("canary-question", "参考文献")
        running.model.brain = fails(401, "canary-message")
        engine.script = FAULTS["engines blocked"][0]
        tab.ask("canary-again", "拒绝了密钥")

    assert "Search: 10 results from searxng" in running.app.log
    assert "wrong_key" in running.app.log
    assert "canary-" not in running.app.log
