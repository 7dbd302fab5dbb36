"""Pages are read in the running app: the step, the cards, the preview, the switch."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from support.browser.chat_page import PHONE, Chat, Product, chat, product
from support.model.model_server import says
from support.pages.pages_web import LOGIN, TOWER, PagesWeb, pages_web

QUESTION = "How high is the tower?"


@pytest.fixture(scope="module")
def web() -> Iterator[PagesWeb]:
    with pages_web({"/tower": TOWER, "/login": LOGIN}) as served:
        yield served


@pytest.fixture(scope="module")
def reading(web: PagesWeb) -> Iterator[Product]:
    """The app, which finds and reads the pages of *web*, and has time for it."""
    with product(WEB_FETCH_ENABLED="true", **web.settings) as running:
        running.search.script = web.search
        running.model.brain = says("It is 62 metres high[1].")
        yield running


@pytest.fixture
def tab(browser: Browser, reading: Product) -> Iterator[Chat]:
    with chat(browser, reading) as opened:
        yield opened


@pytest.mark.spec("O1", "O6", "O8")
@pytest.mark.journey
def test_read(tab: Chat, reading: Product, web: PagesWeb) -> None:
    """The model gets the page; the step, the card and the preview say full text; the
    switch in the panel stops reading at once, and outlives a reload."""
    answer = tab.ask(QUESTION, "参考文献")

    assert "is 62 metres high" in reading.model.prompts[-1]
    step = tab.page.get_by_role("button", name="2 条结果 · 读了 1 页，1 页打不开")
    step.click()
    expect(tab.page.get_by_text("需登录").first).to_be_visible()
    for card, kind in (("li > code", "全文 · "), (".ws-where", "全文")):
        expect(answer.locator(card).first).to_contain_text(f"127.0.0.1 · {kind}")
    expect(answer.locator("li > code").last).to_have_text("127.0.0.1 · 摘要 · 需登录")
    answer.locator('a[title^="["]').first.hover()
    expect(tab.page.locator("#ws-preview")).to_contain_text("127.0.0.1 · 全文 · [1]")

    tab.open_settings()
    tab.reading.click()
    tab.confirm()
    expect(tab.toast).to_contain_text("阅读网页 已关闭")
    before = len(web.asked)

    answer = tab.ask(f"总结 {web.url('/tower')}", "参考文献")

    expect(answer).to_contain_text("没有打开您写的网址")
    assert len(web.asked) == before
    tab.page.reload()
    tab.open_settings()
    expect(tab.reading).not_to_be_checked()


def test_forbidden(browser: Browser, running: Product) -> None:
    """The switch is disabled and says so if the operator forbids reading."""
    with chat(browser, running, viewport=PHONE) as tab:
        tab.open_settings()
        expect(tab.reading).to_be_disabled()
        expect(tab.page.get_by_text("部署者已关闭网页阅读")).to_be_visible()
