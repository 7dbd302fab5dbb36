"""The settings panel and the search switch, as a user works them."""

from collections.abc import Iterator
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Browser, expect
from support.browser.chat_page import DESKTOP, PHONE, Chat, Product, chat
from support.browser.tab import Tab
from support.model.model_server import ALIVE, says

LOCKED = "Agent 模式下由 AI 自动决策搜索"
ENABLED = "启用后将使用SearXNG搜索实时信息"


@pytest.fixture
def tab(browser: Browser, running: Product) -> Iterator[Chat]:
    running.reset()
    with chat(browser, running) as opened:
        yield opened


@pytest.mark.spec("A1", "A2", "A3")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.journey
def test_panel(browser: Browser, running: Product, size: dict[str, int]) -> None:
    """The panel is there from the start, with mode and switch and the literal texts,
    and opens over an answer that is being written."""
    running.reset()
    running.model.brain = says("字" * 99, alive=ALIVE)
    with chat(browser, running, viewport=size) as tab:
        tab.open_settings()
        for words in ("Chat 模式", "Agent 模式", "🔍 联网搜索", ENABLED):
            expect(tab.page.get_by_text(words, exact=True).first).to_be_visible()
        expect(tab.switch).not_to_be_checked()
        expect(tab.switch).to_be_in_viewport()
        tab.page.get_by_role("button", name="取消").click()

        tab.send("写长一点")
        expect(tab.last).to_contain_text("字字")
        tab.open_settings()
        expect(tab.switch).to_be_in_viewport()
        expect(tab.page.locator("#stop-button")).to_have_count(1)


@pytest.mark.spec("A5", "A6")
def test_agent_mode_locks_the_switch(tab: Chat) -> None:
    """In Agent mode the switch is disabled, unchecked, and says why, at once, and a
    typed command says the same; back in Chat mode it is as it was, after any number
    of toggles; cancelled choices are dropped."""
    tab.open_settings()
    for is_on in (False, True):
        if is_on:
            tab.switch.click()
        for _ in range(3):
            tab.choose("Agent 模式")
            expect(tab.page.get_by_text(LOCKED)).to_be_visible()
            expect(tab.switch).to_be_disabled()
            expect(tab.switch).not_to_be_checked()
            tab.choose("Chat 模式")
            expect(tab.switch).to_be_checked(checked=is_on)
            expect(tab.switch).to_be_enabled()
    tab.choose("Agent 模式")
    tab.confirm()
    tab.ask("/search on", LOCKED)
    expect(tab.button).to_have_count(0)

    tab.open_settings()
    expect(tab.switch).to_be_disabled()
    tab.choose("Chat 模式")
    expect(tab.switch).to_be_checked()
    tab.confirm()
    expect(tab.button).to_have_count(1)
    tab.open_settings()
    tab.choose("Agent 模式")
    expect(tab.switch).to_be_disabled()
    tab.page.get_by_role("button", name="取消").click()
    tab.open_settings()
    expect(tab.switch).to_be_checked()


@pytest.mark.spec("A4", "A7", "A8")
@pytest.mark.journey
def test_panel_takes_effect(tab: Chat, running: Product) -> None:
    """Off, no word of the question is sent to the search server; confirmed in the
    panel, the page says so, and the next message obeys."""
    tab.ask("你好", "好")
    sent = [
        unquote_plus(f"{r.target} {r.body.decode()}") for r in running.search.requests
    ]
    assert running.queries == []
    assert "你好" not in " ".join(sent)

    tab.open_settings()
    tab.switch.click()
    tab.confirm()
    expect(tab.page.get_by_text("联网搜索：已开启").first).to_be_visible()
    tab.ask("北京天气", "好")

    assert "北京天气" in running.queries


@pytest.mark.spec("A4", "A7")
def test_commands(tab: Chat, running: Product) -> None:
    """The commands switch search on and off, and tell its state; so does the button,
    which is locked while an answer is written, and released after."""
    tab.ask("/search", "联网搜索：已关闭")
    tab.ask("/search on", "联网搜索：已开启")
    tab.ask("一", "好")
    expect(tab.button).to_have_attribute("aria-pressed", "true")
    tab.ask("/SEARCH OFF", "联网搜索：已关闭")
    expect(tab.button).to_have_attribute("aria-pressed", "false")
    tab.ask("二", "好")
    tab.ask("/search", "/search on")
    tab.button.click()
    tab.ask("甲", "好")
    tab.ask("乙", "好")
    tab.button.click()
    tab.ask("丙", "好")
    tab.open_settings()
    expect(tab.switch).not_to_be_checked()
    tab.page.get_by_role("button", name="取消").click()
    assert running.queries == ["一", "甲", "乙"]

    tab.button.click()
    running.model.brain = says("好", "的", delay=0.5)
    tab.send("问")
    expect(tab.button).to_be_disabled()
    tab.page.evaluate("window.postMessage('websearch:off', '*')")
    tab.wait_until_done()
    expect(tab.button).to_have_attribute("aria-pressed", "false")


async def test_second_connection(running: Product) -> None:
    """A page that connects twice before its first question has its panel."""
    async with Tab(running.url) as tab:
        await tab.open()
        await tab.drop()
        tab.events.clear()
        await tab.connect()
        await tab.open()

    assert {"chat_settings", "set_commands"} <= {name for name, _ in tab.events}


def test_two_tabs(browser: Browser, tab: Chat, running: Product) -> None:
    """Two tabs are two conversations: the switch of one is not that of the other."""
    tab.ask("/search on", "已开启")
    with chat(browser, running) as other:
        other.ask("/search", "已关闭")
        other.ask("乙", "好")
    tab.ask("甲", "好")

    assert running.queries == ["甲"]
