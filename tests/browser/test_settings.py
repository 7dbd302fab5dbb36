"""The settings panel and the search switch, as a user works them."""

from collections.abc import Iterator
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Browser, expect
from support.browser.chat_page import (
    AGENT,
    DESKTOP,
    OFFLINE,
    PHONE,
    QUICK,
    REPORT,
    Chat,
    Product,
    chat,
)
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
    and opens over an answer that is being written, which a change leaves alone."""
    running.reset()
    running.model.brain = says("字" * 99, alive=ALIVE)
    with chat(browser, running, viewport=size) as tab:
        tab.open_settings()
        for words in ("Chat 模式", "Agent 模式", "🔍 联网搜索", ENABLED):
            expect(tab.page.get_by_text(words, exact=True).first).to_be_visible()
        expect(tab.switch).to_be_checked()
        expect(tab.switch).to_be_in_viewport()
        tab.confirm()

        tab.send("写长一点")
        expect(tab.last).to_contain_text("字字")
        tab.open_settings()
        expect(tab.switch).to_be_in_viewport()
        tab.switch.click()
        expect(tab.toast).to_contain_text("已保存：🔍 联网搜索 已关闭")
        expect(tab.page.locator("#stop-button")).to_have_count(1)


# The arrow of the panel, and the cross of the sheet on a phone.
CLOSE = '#chat-settings-sidebar-title > button, [role="dialog"] > button:last-child'

# What is used, its choice, and what the picker shows then; '' is the panel's switch.
WAYS = [
    ("picker", OFFLINE, OFFLINE),
    ("panel", "Agent 模式", AGENT),
    ("panel", "Chat 模式", OFFLINE),
    ("panel", "", QUICK),
    ("picker", AGENT, AGENT),
    ("panel", "Chat 模式", QUICK),
    ("picker", REPORT, REPORT),
    ("panel", "", OFFLINE),
    ("panel", "Agent 模式", AGENT),
    ("picker", QUICK, QUICK),
]


@pytest.mark.spec("X1", "A5", "A6")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.journey
def test_one_state(browser: Browser, running: Product, size: dict[str, int]) -> None:
    """Whichever is used, in any order, picker and panel show the same, and no other
    place contradicts them; in Agent mode the switch is locked and says why."""
    running.reset()
    with chat(browser, running, viewport=size) as tab:
        for used, choice, how in WAYS:
            if used == "picker":
                tab.pick(choice)
                tab.open_settings()
            else:
                tab.open_settings()
                tab.choose(choice) if choice else tab.switch.click()
            mode = "Agent 模式" if how == AGENT else "Chat 模式"
            expect(tab.page.get_by_role("radio", name=mode)).to_be_checked()
            expect(tab.switch).to_be_checked(checked=how in {QUICK, REPORT})
            expect(tab.switch).to_be_enabled(enabled=how != AGENT)
            expect(tab.page.get_by_text(LOCKED)).to_have_count(int(how == AGENT))
            tab.page.locator(CLOSE if used == "picker" else "#confirm-sidebar").click()
            expect(tab.switch).to_have_count(0)
            expect(tab.how).to_have_text(how)
            expect(tab.picker("time")).to_have_count(int(how != OFFLINE))
        tab.pick(AGENT)
        tab.ask("/search on", LOCKED)
        expect(tab.how).to_have_text(AGENT)


@pytest.mark.spec("X1", "X2", "A4", "A7", "A8")
@pytest.mark.journey
def test_takes_effect(tab: Chat, running: Product) -> None:
    """A conversation begins with search on. Off, no word of a question is sent to the
    search server; a change in the panel is told, the next message obeys it, and a time
    that was picked is asked for."""
    tab.ask("北京天气", "好")
    assert running.queries == ["北京天气"]
    running.search.requests.clear()
    tab.pick(OFFLINE)
    tab.ask("你好", "好")
    sent = [
        unquote_plus(f"{r.target} {r.body.decode()}") for r in running.search.requests
    ]
    assert running.queries == []
    assert "你好" not in " ".join(sent)

    tab.open_settings()
    tab.switch.click()
    expect(tab.toast).to_contain_text("已保存：🔍 联网搜索 已开启")
    tab.confirm()
    tab.pick("一周内", "time")
    tab.ask("上海天气", "好")

    (asked,) = (r for r in running.search.requests if r.params.get("q") == "上海天气")
    assert asked.params["time_range"] == "week"


@pytest.mark.spec("A4", "A7")
def test_commands(tab: Chat, running: Product) -> None:
    """The commands switch search on and off and tell its state, and the picker follows;
    "/" lists them all, and they work from there."""
    tab.ask("/search", "联网搜索：已开启")
    tab.ask("一", "好")
    tab.ask("/SEARCH OFF", "联网搜索：已关闭")
    expect(tab.how).to_have_text(OFFLINE)
    tab.ask("二", "好")
    tab.ask("/search on", "联网搜索：已开启")
    expect(tab.how).to_have_text(QUICK)
    assert running.queries == ["一"]

    box = tab.page.locator("#chat-input")
    box.press_sequentially("/")
    listed = tab.page.locator("[cmdk-item] .font-medium")
    expect(listed).to_have_text(["search on", "search off", "report", "doctor"])
    expect(tab.page.locator("#command-button")).to_be_hidden()
    listed.get_by_text("search off").click()
    box.press("Enter")
    expect(tab.last).to_have_text("联网搜索：已关闭")
    asked = tab.page.locator('[data-step-type="user_message"]').last
    expect(asked).to_have_text("/search off", use_inner_text=True)
    expect(tab.how).to_have_text(OFFLINE)


async def test_second_connection(running: Product) -> None:
    """A page that connects twice before its first question has its panel."""
    async with Tab(running.url) as tab:
        await tab.open()
        await tab.drop()
        tab.events.clear()
        await tab.connect()
        await tab.open()

    shown = {"chat_settings", "set_modes", "set_commands"}
    assert shown <= {name for name, _ in tab.events}


def test_two_tabs(browser: Browser, tab: Chat, running: Product) -> None:
    """Two tabs are two conversations: the switch of one is not that of the other."""
    tab.ask("/search off", "已关闭")
    with chat(browser, running) as other:
        other.ask("/search", "已开启")
        other.ask("甲", "好")
    tab.ask("乙", "好")

    assert running.queries == ["甲"]


@pytest.mark.spec("X1", "X2")
@pytest.mark.journey
def test_starters(browser: Browser, running: Product) -> None:
    """A question of the first screen is answered in the way it needs, which the picker
    shows; what the user has chosen holds again in the next conversation."""
    running.reset()
    with chat(browser, running, {"search": False}) as tab:
        widths = tab.page.locator("#starters button").evaluate_all(
            "all => all.map((one) => Math.round(one.getBoundingClientRect().width))"
        )
        assert widths == [widths[0]] * 4  # two rows of two
        tab.ask("你好", "没有联网")
        tab.page.get_by_role("button", name="联网再答").click()
        expect(tab.last.locator(".ws-strip")).to_contain_text("没有引用来源")
        expect(tab.how).to_have_text(OFFLINE)
        assert running.queries == ["你好"]

        tab.new_chat()
        tab.page.get_by_role("button", name="今天有什么科技新闻").click()
        expect(tab.last).to_contain_text("搜索来源")
        expect(tab.how).to_have_text(QUICK)
        tab.wait_until_done()
        tab.new_chat()
        expect(tab.how).to_have_text(OFFLINE)
        tab.page.get_by_role("button", name="深入比较").click()
        expect(tab.how).to_have_text(AGENT)
        expect(tab.last).to_contain_text("没有联网")
        tab.wait_until_done()
