"""The page keeps the user's choices in the panel."""

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from support.chat_page import DESKTOP, PHONE, Chat, Product, chat, product
from support.faults import FAULTS
from support.loopback import Answer, held_back, served
from support.searxng_pages import healthy

MODELS = ("scripted", "another", "通义/千问")


@pytest.fixture(scope="module")
def running() -> Iterator[Product]:
    with product(names=MODELS) as started:
        yield started


def choose_model(tab: Chat, name: str) -> None:
    tab.page.get_by_role("combobox").click()
    tab.page.get_by_role("option", name=name, exact=True).click()


@pytest.mark.spec("M2")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_choose_a_model(
    browser: Browser, running: Product, size: dict[str, int]
) -> None:
    """The panel offers the server's models; the next message goes to the chosen one."""
    running.reset()
    before = len(running.model.requests)
    with chat(browser, running, viewport=size) as tab:
        tab.ask("一", "好")
        tab.open_settings()
        choose_model(tab, "another")
        tab.confirm()
        expect(tab.toast).to_be_visible()
        tab.ask("二", "好")

    asked = [request["model"] for request in running.model.requests[before:]]
    assert asked == ["scripted", "another"]


def test_kept_over_a_reload(browser: Browser, running: Product) -> None:
    """Mode, switch and model are as they were, after a reload and in a new chat."""
    running.reset()
    with chat(browser, running) as tab:
        tab.ask("/search on", "已开启")
        tab.open_settings()
        tab.choose("Agent 模式")
        choose_model(tab, "通义/千问")
        tab.confirm()
        expect(tab.button).to_have_count(0)

        tab.page.reload()
        expect(tab.gear).to_be_visible()
        expect(tab.button).to_have_count(0)
        tab.open_settings()
        expect(tab.switch).to_be_disabled()
        expect(tab.page.get_by_role("combobox")).to_contain_text("通义/千问")
        tab.choose("Chat 模式")
        expect(tab.switch).to_be_checked()
        tab.confirm()
        expect(tab.button).to_have_count(1)

        tab.new_chat()
        expect(tab.button).to_have_attribute("aria-pressed", "true")
        tab.open_settings()
        expect(tab.page.get_by_role("combobox")).to_contain_text("通义/千问")


@pytest.mark.spec("G3")
def test_doctor(browser: Browser) -> None:
    """`/doctor` looks anew, at search and at the model, and tells the next steps."""
    with (
        served(healthy) as engine,
        product(names=["other"], SEARXNG_BASE_URL=engine.url) as started,
        chat(browser, started) as tab,
    ):
        answer = tab.ask("/doctor", "实际搜索")
        expect(answer).to_contain_text("搜索正常")
        expect(answer).to_contain_text("模型服务没有列出 scripted")

        engine.script = FAULTS["json off"][0]
        started.model.names = ["scripted"]
        again = tab.ask("/doctor", "未启用 JSON 格式")

        expect(again).to_contain_text("settings.yml")
        expect(again).to_contain_text("模型可用：scripted")


@pytest.mark.spec("M6")
def test_stopped_doctor(browser: Browser) -> None:
    """A stop ends the doctor's visit as well, and the next question works."""
    with (
        served(lambda _: held_back(Answer("{}"), threading.Event())) as engine,
        product(SEARXNG_BASE_URL=engine.url) as started,
        chat(browser, started) as tab,
    ):
        tab.send("/doctor")
        expect(tab.last).to_contain_text("正在检查")
        tab.page.locator("#stop-button").click()

        expect(tab.last).to_contain_text("已停止")
        tab.ask("问", "好")
