"""The first run: nothing configured, and nothing to be reached."""

import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from support.browser.agent_page import choose_agent, links, step
from support.browser.chat_page import PHONE, QUICK, Chat, Product, chat, product
from support.model.model_server import ModelServer, model_server, says
from support.servers.ports import free_port

HEAD = "未配置模型：以下为搜索结果摘录"
MARKERS = ["[1]", "[2]", "[3]"]


def nothing() -> dict[str, str]:
    """No setting at all; the rest keeps the machine's own servers out of the test."""
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 8080)) == 0:
            pytest.skip("a server of the developer's listens where SearXNG is sought")
    closed = f"http://127.0.0.1:{free_port()}"
    return {
        "SEARXNG_BASE_URL": "",
        "OPENAI_BASE_URL": "",
        "OPENAI_MODEL": "",
        "OLLAMA_BASE_URL": closed,
        "WEB_FETCH_PROXY": closed,  # DuckDuckGo can't be reached through it
    }


@pytest.fixture(scope="module")
def running() -> Iterator[Product]:
    with product(**nothing()) as started:
        yield started


@pytest.mark.spec("M1")
@pytest.mark.journey
def test_first_question(browser: Browser, running: Product) -> None:
    """The first question gets an answer with citations, and all is told: that these
    are samples, that a built-in answerer quotes them, and what to do next."""
    with chat(browser, running) as tab:
        for words in ("还没有搜索引擎", "离线样例", "没有模型"):
            expect(tab.page.get_by_text(words).first).to_be_visible()
        expect(tab.how).to_have_text(QUICK)

        answer = tab.ask("今天有什么科技新闻？", HEAD)

        expect(answer).to_contain_text("离线演示")
        expect(answer).to_contain_text("OPENAI_API_KEY")
        assert [number for number, _ in links(answer)] == MARKERS
        assert len({address for _, address in links(answer)}) == 3
        expect(tab.page.get_by_role("toolbar", name="来源，3 条")).to_be_visible()


@pytest.mark.spec("M1")
def test_other_ways(browser: Browser, running: Product) -> None:
    """With search switched off nothing is searched, and the answer says what to do; in
    Agent mode the built-in answerer searches by itself."""
    with chat(browser, running) as tab:
        tab.ask("/search off", "已关闭")
        answer = tab.ask("今天有什么科技新闻？", "只能摘录搜索结果")
        expect(answer).to_contain_text("打开“联网搜索”")
        expect(step(tab, "条结果")).to_have_count(0)

        choose_agent(tab)
        answer = tab.ask("北京明天天气怎么样？", HEAD)
        expect(answer).to_contain_text("离线演示")
        assert [number for number, _ in links(answer)] == MARKERS


@pytest.fixture
def ollama() -> Iterator[ModelServer]:
    with model_server(says("我是模型")) as server:
        server.names = ["qwen3:8b", "llama3.2"]
        yield server


@pytest.mark.spec("M2")
def test_ollama(browser: Browser, ollama: ModelServer) -> None:
    """An Ollama that is there is found without any setting, and answers."""
    found = nothing() | {"OLLAMA_BASE_URL": ollama.base_url.removesuffix("/v1")}
    with product(**found) as started, chat(browser, started) as tab:
        expect(tab.page.get_by_text("还没有搜索引擎")).to_be_visible()
        expect(tab.page.get_by_text("没有模型，")).to_have_count(0)

        tab.ask("你好", "我是模型")
        tab.open_settings()

        expect(tab.models).to_contain_text("qwen3:8b")


@pytest.mark.spec("M1")
@pytest.mark.journey
def test_in_english(browser: Browser) -> None:
    """The same in English, which is longer: it begins with its title, and nothing is
    cut on a phone."""
    look = {"viewport": PHONE, "has_touch": True, "locale": "en-US"}
    with (
        product(**nothing(), UI_LANGUAGE="en-US") as english,
        chat(browser, english, **look) as tab,
    ):
        expect(tab.page.get_by_text("No search engine yet")).to_be_visible()
        expect(tab.page.get_by_text("No model yet").first).to_be_visible()
        title = tab.page.get_by_role("heading", name="Web search with")
        expect(title).to_be_in_viewport(ratio=1)
        assert wide(tab) == []

        answer = tab.ask("What is new in technology today?", "No model is set up")
        expect(answer).to_contain_text("Offline samples")
        expect(answer).to_contain_text("OPENAI_API_KEY")
        assert [number for number, _ in links(answer)] == MARKERS
        tab.ask("/doctor", "OPENAI_API_KEY")
        assert wide(tab) == []


def wide(tab: Chat) -> list[str]:
    """Elements whose content is larger than their visible area."""
    found: list[str] = tab.page.evaluate(
        "[...document.querySelectorAll('#root, .message-content, .step, #starters p')]"
        ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.className)"
    )
    return found
