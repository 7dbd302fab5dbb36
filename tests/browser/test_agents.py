"""Agents of agents.json in the browser: chosen in the panel, each with its search."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from support.browser.agent_page import ANSWER, prepare, step
from support.browser.chat_page import PHONE, Chat, Product, chat, product
from support.model.model_server import says

AGENTS = {
    "agents": [
        {"id": "research", "name": "研究助手", "webSearch": {"enabled": True}},
        {"id": "writing", "name": "写作助手", "instructions": "押韵。"},
    ]
}
NO_SEARCH = "此智能体未启用联网搜索"


@pytest.fixture(scope="module")
def running() -> Iterator[Product]:
    files = {"agents.json": json.dumps(AGENTS), "config.json": '{"tools": {,}}'}
    with product(files) as started:
        yield started


def choose(tab: Chat, name: str) -> None:
    tab.open_settings()
    tab.choose("Agent 模式")
    expect(tab.switch).to_be_disabled()  # the panel is drawn anew, which closes lists
    tab.agents.click()
    tab.page.get_by_role("option", name=name).click()


@pytest.mark.spec("I2", "I3")
def test_choose_an_agent(browser: Browser, running: Product) -> None:
    """A file with a mistake stops nothing; the first screen and the log name it. An
    agent without search says so in the panel, and its model sees no tool; the choice
    takes effect with the next message, there and back."""
    prepare(running)
    with chat(browser, running, viewport=PHONE) as tab:
        expect(tab.page.get_by_text("config.json").first).to_be_visible()
        choose(tab, "写作助手")
        expect(tab.page.get_by_text(NO_SEARCH)).to_be_visible()
        tab.confirm()
        running.model.brain = says("好诗")
        before = len(running.model.requests)
        tab.ask("写一首诗", "好诗")
        (request,) = running.model.requests[before:]
        assert "tools" not in request
        assert request["messages"][0]["content"].endswith("押韵。")

        choose(tab, "研究助手")
        tab.confirm()
        running.model.brain = ANSWER
        tab.ask("北京和上海天气怎么样？", "上海雨")
        expect(step(tab, "2 次搜索 · 10 条结果")).to_be_visible()

    assert "config.json is not usable (expected: JSON" in running.app.log
