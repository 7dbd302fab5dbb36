"""The frame of the page: what stands there first, its box, its keys, its tab."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from support.browser.axe import violations
from support.browser.chat_page import PHONE, fresh_context
from support.browser.pages import Pages, running_pages, tab

from ui.texts import page_words, text


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with running_pages(tmp_path_factory.mktemp("pages")) as running:
        (running.folder / "few.md").write_text("晴。", "utf-8")
        yield running


def box(page: Page) -> Locator:
    return page.locator("#chat-input")


@pytest.mark.journey
@pytest.mark.parametrize(
    ("locale", "language", "look"),
    [
        ("zh-TW", "zh-CN", {"color_scheme": "dark"}),
        ("ja-JP", "en-US", {"viewport": PHONE, "is_mobile": True, "has_touch": True}),
    ],
)
def test_first(
    browser: Browser, pages: Pages, locale: str, language: str, look: dict[str, Any]
) -> None:
    """Before its script has come, the page stands there in the language and theme of
    its reader; then Chainlit's takes its place, in the same language."""
    with fresh_context(browser, locale=locale, **look) as context:
        page = context.new_page()
        held: list[Route] = []
        page.route(
            re.compile(r"/(assets|public)/.*\.(js|css)"),
            lambda route: held.append(route),  # noqa: PLW0108  takes no attributes
        )
        page.goto(pages.url, wait_until="commit")
        splash = page.locator("#ws-splash")

        expect(splash).to_contain_text(text("opening", language))
        expect(splash).to_contain_text(page_words(language)["ask"])
        light = page.evaluate(
            "getComputedStyle(document.querySelector('#ws-splash')).backgroundColor"
        )
        assert (light == "rgb(253, 253, 252)") is (look.get("color_scheme") != "dark")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for route in held:
            route.continue_()
        page.unroute_all()
        expect(box(page)).to_be_visible()
        expect(splash).to_be_hidden()
        expect(box(page)).to_have_attribute("placeholder", page_words(language)["ask"])
        assert violations(page) == {}
        shown = page.locator("#new-chat-button").get_attribute("aria-label")
        assert shown == page_words(language)["new_chat"]


@pytest.mark.journey
def test_box_and_keys(browser: Browser, pages: Pages) -> None:
    """A question in the address waits for Enter and is gone then; the tab bears its
    name; keys stop an answer, lead to the box and to a new chat."""
    with tab(browser, pages) as page:
        page.goto(f"{pages.url}/?q=wait+%E5%8C%97%E4%BA%AC%20%3Cb%3E")
        expect(box(page)).to_have_value("wait 北京 <b>")
        assert page.url == f"{pages.url}/"
        expect(page.locator("#chat-submit")).to_be_enabled()
        expect(page.locator(".step")).to_have_count(0)

        box(page).press("Enter")
        expect(page.locator("#stop-button")).to_be_visible()
        expect(box(page)).to_have_value("")
        expect(box(page)).to_have_attribute("placeholder", "接着问…")
        expect(page).to_have_title("wait 北京 <b>")

        page.locator("#readme-button").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("#stop-button")).to_be_visible()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("/")
        expect(box(page)).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#stop-button")).to_have_count(0)
        page.keyboard.type("a/b")
        expect(box(page)).to_have_value("a/b")

        page.keyboard.press("Alt+n")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.locator("#confirm").click()
        expect(page.locator(".step")).to_have_count(0)
        expect(page).to_have_title("websearch-chat")


def test_unseen(browser: Browser, pages: Pages) -> None:
    """An answer that ended unseen is marked in the tab until it is looked at."""
    hide = """is => {
      Object.defineProperty(document, 'hidden', { get: () => is, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }"""
    with tab(browser, pages) as page:
        page.evaluate(hide, True)
        box(page).fill("show few.md")
        page.locator("#chat-submit").click()
        expect(page).to_have_title("● show few.md")
        page.evaluate(hide, False)
        expect(page).to_have_title("show few.md")


def test_kept_enter(browser: Browser, pages: Pages) -> None:
    """Enter without a line is kept, and sent once when the line is back; a question
    that is changed meanwhile waits for another Enter."""
    asked = '[data-step-type="user_message"]'
    with tab(browser, pages) as page:
        for changed in (False, True):
            before = page.locator(asked).count()
            page.context.set_offline(True)
            lost = page.get_by_text("无法连接到服务器")
            expect(lost).to_be_visible()
            expect(box(page)).to_have_attribute("placeholder", "正在连接…")
            box(page).fill("show few.md")
            box(page).press("Enter")
            expect(page.locator("#ws-line")).to_contain_text("自动发送一次")
            expect(box(page)).to_have_value("show few.md")
            if changed:
                box(page).press("End")
                box(page).press_sequentially("!")
                expect(page.locator("#ws-line")).to_be_hidden()
            page.context.set_offline(False)
            expect(lost).to_have_count(0)
            if changed:
                expect(page.locator("#chat-submit")).to_be_enabled()
                expect(box(page)).to_have_value("show few.md!")
            expect(page.locator(asked)).to_have_count(before + (not changed))
            expect(page.locator(asked).last).to_contain_text("show few.md")
