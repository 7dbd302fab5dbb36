"""From the first visit to the first sourced answer with one's own key, in the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from support.browser.axe import violations
from support.browser.chat_page import PHONE, Product, chat, product
from support.model.model_server import ModelServer, model_server, says
from support.servers.loopback import Loopback, served
from support.servers.ports import free_port
from support.servers.searxng_pages import healthy

pytestmark = pytest.mark.spec("X6")

NOTHING = {"SEARXNG_BASE_URL": "", "OPENAI_BASE_URL": "", "OPENAI_MODEL": ""}
LOOKS = {
    "zh-CN": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "en-US": {"viewport": PHONE, "has_touch": True, "color_scheme": "dark"},
}
WORDS = {
    "zh-CN": ("设置模型 →", "其他地址", "连接成功", "已保存，马上生效"),
    "en-US": ("Set one up →", "Other address", "Connected", "Saved, and in use"),
}
STRANGERS: list[tuple[dict[str, str], int]] = [
    ({"host": "evil.example"}, 421),
    ({"x-forwarded-for": "127.0.0.1"}, 403),
    ({"x-forwarded-for": "192.0.2.7"}, 403),
    ({}, 200),
]


@pytest.fixture
def fresh() -> Iterator[Product]:
    """The app with nothing set, and nothing to be found."""
    closed = f"http://127.0.0.1:{free_port()}"
    own = NOTHING | {"OLLAMA_BASE_URL": closed, "WEB_FETCH_PROXY": closed}
    with product({".env": ""}, UI_LANGUAGE="auto", **own) as started:
        yield started


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server(says("晴，25 度。[1]")) as server:
        server.names = ["own-model", "other-model"]
        yield server


@pytest.fixture
def search() -> Iterator[Loopback]:
    with served(healthy) as server:
        yield server


@pytest.mark.journey
@pytest.mark.parametrize("language", WORDS)
def test_first_answer(
    browser: Browser,
    fresh: Product,
    model: ModelServer,
    search: Loopback,
    language: str,
) -> None:
    """The first screen leads to the page; a key and an address are typed, tested and
    saved, and the next question is answered with sources, without a restart."""
    link, other, connected, saved = WORDS[language]
    with chat(browser, fresh, locale=language, **LOOKS[language]) as tab:
        with tab.page.context.expect_page() as opened:
            tab.page.get_by_role("link", name=link).click()
        page = opened.value
        assert violations(page) == {}
        form = page.locator("#model")
        form.get_by_role("radio", name=other).check()
        form.locator("[name=address]").fill(model.base_url)
        form.locator("[name=key]").fill("sk-canary")
        form.locator("[data-do=test]").click()
        expect(form.get_by_text(connected)).to_be_visible()
        form.locator("[name=list]").select_option("other-model")
        form.locator("[data-do=save]").click()
        expect(form.get_by_text(saved)).to_be_visible()
        form = page.locator("#search")
        form.get_by_role("radio", name="SearXNG", exact=True).check()
        form.locator("[name=address]").fill(search.url)
        form.locator("[data-do=save]").click()
        expect(form.get_by_text(saved)).to_be_visible()
        assert violations(page) == {}
        assert fits(page)
        form.locator(".done").click()
        expect(page.get_by_text("SearXNG").first).to_be_visible()

        page.locator("#chat-input").fill("北京天气")
        page.locator("#chat-submit").click()

        expect(page.locator('.message-content a[title^="["]').first).to_be_visible()
        asked = [request["model"] for request in model.requests]
        assert {*asked} == {"other-model"}
        assert "Bearer sk-canary" in model.keys
        assert "sk-canary" not in fresh.app.log
        for headers, status in STRANGERS:
            answer = page.request.get(f"{fresh.url}/setup", headers=headers)
            assert answer.status == status
        # The tab from which it began shows the new state, too.
        expect(tab.page.get_by_role("link", name=link)).to_have_count(0)


def fits(page: Page) -> bool:
    """Tell if nothing has to be scrolled sideways."""
    wide: bool = page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    return wide
