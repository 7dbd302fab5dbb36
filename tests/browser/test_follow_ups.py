"""A follow-up question is completed, which its step shows, and which can be undone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect
from support.browser import axe
from support.browser.chat_page import PHONE, QUICK, Chat, Product, chat, product
from support.model.model_server import Turn, says

FIRST, SECOND = "肺癌是什么？", "它的症状是什么？"
STEP = "实际搜索：「肺癌」的症状是什么？ · 5 条结果 · "
UNDO = "用我的原话重搜"


@pytest.fixture
def tab(browser: Browser, running: Product) -> Iterator[Chat]:
    running.reset()
    with chat(browser, running, {"search": True}) as opened:
        expect(opened.how).to_have_text(QUICK)
        yield opened


def asked(tab: Chat) -> Locator:
    """The answer to a question that leans on another."""
    tab.product.model.brain = says("症状有咳嗽[1]。")
    tab.ask(FIRST, "参考文献")
    tab.send(SECOND)
    expect(undo(tab)).to_be_visible()
    tab.wait_until_done()
    return tab.last


def undo(tab: Chat) -> Locator:
    return tab.page.get_by_role("button", name=UNDO)


@pytest.mark.spec("R1", "R4")
@pytest.mark.journey
def test_completed(tab: Chat) -> None:
    """The step and `/search` tell once what was searched, with the words that were
    added; one click searches the words as they were typed."""
    asked(tab)
    expect(tab.page.get_by_role("button", name=STEP)).to_be_visible()
    assert tab.product.queries[-1] == "肺癌的症状是什么？"
    expect(tab.page.locator("#root").get_by_text("实际搜索")).to_have_count(1)
    answer = tab.ask("/search", "原文")
    expect(answer).to_contain_text("实际搜索：「肺癌」的症状是什么？")
    expect(answer).to_contain_text(f"（原文：{SECOND}）")

    tab.product.model.brain = says("按原文的回答[1]。")
    undo(tab).click()
    expect(tab.last).to_contain_text("按原文的回答")
    tab.wait_until_done()
    assert tab.product.queries[-1] == SECOND
    expect(tab.page.get_by_role("button", name="实际搜索")).to_have_count(1)
    expect(undo(tab)).to_have_count(0)
    spoken = tab.product.model.requests[-1]["messages"]
    assert sum(SECOND in one["content"] for one in spoken) == 1


@pytest.mark.spec("R4")
def test_stop_the_other_answer(tab: Chat) -> None:
    """The click searches nothing where search was switched off meanwhile; the answer
    to it can be stopped like any other."""
    asked(tab)
    tab.ask("/search off", "已关闭")
    count = len(tab.product.queries)
    undo(tab).click()
    expect(tab.toast).to_contain_text("已关闭")
    assert len(tab.product.queries) == count

    tab.ask("/search on", "已开启")
    tab.product.model.brain = lambda _: Turn(text=["字"] * 400, delay=0.05)
    undo(tab).click()
    expect(tab.last).to_contain_text("字字")
    tab.page.locator("#stop-button").click()
    expect(tab.last).to_contain_text("已停止生成")
    tab.wait_until_done()


@pytest.mark.spec("R4")
def test_switched_off_in_the_panel(tab: Chat) -> None:
    """The panel switches it off, and the choice outlives a new chat."""
    tab.open_settings()
    tab.page.get_by_role("combobox").last.click()
    tab.page.get_by_role("option", name="按原话搜").click()
    tab.confirm()
    tab.new_chat()
    tab.product.model.brain = says("症状有咳嗽[1]。")
    tab.ask(FIRST, "参考文献")
    tab.ask(SECOND, "参考文献")

    assert tab.product.queries[-1] == SECOND
    expect(undo(tab)).to_have_count(0)


@pytest.mark.spec("R1")
def test_english_on_a_phone(browser: Browser) -> None:
    """The English page says the same, on a phone, and passes axe."""
    with (
        product(UI_LANGUAGE="en-US") as english,
        chat(browser, english, {"search": True}, viewport=PHONE) as tab,
    ):
        english.model.brain = says("A cough[1].")
        tab.ask("What is lung cancer?", "References")
        tab.send("What are its symptoms?")
        line = "Searched as: What are ‹lung cancer›'s symptoms? · 5 results"
        expect(tab.page.get_by_role("button", name=line)).to_be_visible()
        undone = tab.page.get_by_role("button", name="Search exactly what I typed")
        expect(undone).to_be_visible()
        tab.wait_until_done()
        assert axe.violations(tab.page) == {}
