"""The page that `make run` shows until the chat exists."""

from collections.abc import Iterator

import pytest
from fakes.app_process import running_app
from fakes.faults import FAULTS
from fakes.loopback import Loopback, served
from playwright.sync_api import Browser, Page, expect


@pytest.fixture(scope="module")
def searxng() -> Iterator[Loopback]:
    with served(FAULTS["json off"][0]) as server:
        yield server


@pytest.fixture(scope="module")
def app(searxng: Loopback) -> Iterator[str]:
    with running_app(SEARXNG_BASE_URL=searxng.url) as url:
        yield url


@pytest.fixture
def page(browser: Browser, app: str) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1100, "height": 800})
    opened.goto(app)
    yield opened
    opened.close()


def test_says_so(page: Page) -> None:
    """The page says that the chat is being built, and shows what works already."""
    expect(page.get_by_text("对话功能正在建设中").first).to_be_visible(timeout=20_000)
    expect(page.get_by_text("python -m websearch search").first).to_be_visible()


@pytest.mark.spec("B2", "B6")
def test_state_of_search(page: Page, searxng: Loopback) -> None:
    """A server with JSON off does not stop the start, and the page says what to do."""
    expect(page.get_by_text("未启用 JSON 格式").first).to_be_visible(timeout=20_000)
    expect(page.get_by_text("formats:").first).to_be_visible()
    assert searxng.requests


def test_answers(page: Page) -> None:
    """A message gets the same friendly answer, and the page goes on."""
    expect(page.get_by_text("未启用 JSON 格式").first).to_be_visible(timeout=20_000)

    page.locator("#chat-input").fill("你好")
    page.keyboard.press("Enter")

    expect(page.get_by_text("对话功能正在建设中")).to_have_count(2, timeout=10_000)
