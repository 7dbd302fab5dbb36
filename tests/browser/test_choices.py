"""The page keeps the user's choices in the panel."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.browser.agent_page import choose_agent, links, prepare, step
from support.browser.chat_page import AGENT, PHONE, QUICK, Chat, Product, chat, product
from support.model.model_server import Turn
from support.servers.faults import FAULTS
from support.servers.loopback import Answer, held_back
from support.servers.searxng_pages import site

MODELS = ("scripted", "another", "通义/千问")


@pytest.fixture(scope="module")
def running() -> Iterator[Product]:
    with product(names=MODELS) as started:
        yield started


def choose_model(tab: Chat, name: str) -> None:
    tab.models.click()
    tab.page.get_by_role("option", name=name, exact=True).click()


@pytest.mark.spec("M2")
def test_choose_a_model(browser: Browser, running: Product) -> None:
    """The panel offers the server's models; the next message goes to the chosen one."""
    running.reset()
    before = len(running.model.requests)
    with chat(browser, running, {"search": False}, viewport=PHONE) as tab:
        tab.ask("一", "好")
        tab.open_settings()
        choose_model(tab, "another")
        tab.confirm()
        expect(tab.toast).to_be_visible()
        tab.ask("二", "好")

    asked = [request["model"] for request in running.model.requests[before:]]
    assert asked == ["scripted", "another"]


@pytest.mark.journey
def test_kept_over_a_reload(browser: Browser, running: Product) -> None:
    """Mode, switch and model are as they were, after a reload and in a new chat."""
    running.reset()
    with chat(browser, running) as tab:
        tab.open_settings()
        tab.choose("Agent 模式")
        expect(tab.switch).to_be_disabled()  # the panel is drawn anew
        choose_model(tab, "通义/千问")
        tab.confirm()
        expect(tab.how).to_have_text(AGENT)

        tab.page.reload()
        expect(tab.gear).to_be_visible()
        expect(tab.how).to_have_text(AGENT)
        tab.open_settings()
        expect(tab.switch).to_be_disabled()
        expect(tab.models).to_contain_text("通义/千问")
        tab.choose("Chat 模式")
        expect(tab.switch).to_be_checked()
        tab.confirm()
        expect(tab.how).to_have_text(QUICK)

        tab.new_chat()
        expect(tab.how).to_have_text(QUICK)
        tab.open_settings()
        expect(tab.models).to_contain_text("通义/千问")


@pytest.mark.spec("G3", "M6")
@pytest.mark.journey
def test_doctor(browser: Browser, running: Product) -> None:
    """`/doctor` looks anew, at search and at the model, and tells the next steps; a
    stop ends its visit as well, and the next question works."""
    running.reset()
    running.model.names = ["other"]
    with chat(browser, running) as tab:
        answer = tab.ask("/doctor", "搜索正常")
        expect(answer).to_contain_text("搜索正常")
        expect(answer).to_contain_text("模型服务没有列出 scripted")

        running.search.script = FAULTS["json off"][0]
        running.model.names = MODELS
        again = tab.ask("/doctor", "未启用 JSON 格式")

        expect(again).to_contain_text("settings.yml")
        expect(again).to_contain_text("模型可用：scripted")

        running.search.script = lambda _: held_back(Answer("{}"), threading.Event())
        tab.send("/doctor")
        expect(tab.last).to_contain_text("正在检查")
        tab.page.locator("#stop-button").click()
        expect(tab.last).to_contain_text("已停止")
        tab.ask("问", "好")


def test_model_without_tools(browser: Browser, running: Product) -> None:
    """A model that takes no tools searches as in Chat mode, with a word about it."""
    refused = {"error": {"message": "scripted does not support tools"}}

    def brain(asked: dict[str, Any]) -> Turn:
        if asked.get("tools"):
            return Turn(status=400, error=refused)
        return Turn(text=["晴[1]。"])

    prepare(running)
    running.model.brain = brain
    with chat(browser, running) as tab:
        tab.open_settings()
        choose_model(tab, "通义/千问")
        tab.confirm()
        choose_agent(tab)
        answer = tab.ask("北京天气", "参考文献")

        notice = answer.locator("blockquote").first
        expect(notice).to_contain_text("当前模型不支持工具调用，已改用快速搜索")
        expect(notice.get_by_role("link")).to_be_visible()
        expect(step(tab, "5 条结果")).to_be_visible()
        assert links(answer) == [["[1]", site(11)]]
