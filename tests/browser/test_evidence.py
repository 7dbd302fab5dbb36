"""Under every number stands the sentence that it comes from."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from support.chat_page import Chat, Product, chat, product
from support.model_server import says
from support.pages_web import PagesWeb, article, pages_web

TOWER = article(
    "The tower",
    "The tower opened in 1904, and two brothers designed it.",
    "It is 62 metres high, and weighs 3,200 tonnes.",
    *["It stands at the market, on the bank of the river."] * 9,
)
ANSWER = "It is 62 metres high[1]. It opened in 1904[1]."
CITATIONS = 'a:is([title^="["], [data-ws-title])'


@pytest.fixture(scope="module")
def web() -> Iterator[PagesWeb]:
    with pages_web({"/tower": TOWER}) as served:
        yield served


@pytest.fixture(scope="module")
def reading(web: PagesWeb) -> Iterator[Product]:
    """The app, which finds and reads the page of *web*, and has time for it."""
    settings = {"WEB_FETCH_ENABLED": "true", "WEB_READ_SECONDS": "20", **web.settings}
    with product(**settings) as running:
        running.search.script = web.search
        running.model.brain = says(ANSWER)
        yield running


@pytest.fixture
def tab(browser: Browser, reading: Product) -> Iterator[Chat]:
    with chat(browser, reading) as opened:
        opened.ask("/search on", "已开启")
        yield opened


def test_sentence_on_hover(tab: Chat) -> None:
    """Each citation shows its own sentence of the page, with the shared words."""
    answer = tab.ask("How high is the tower?", "参考文献")
    preview = tab.page.locator("#ws-preview")

    answer.locator(CITATIONS).nth(0).hover()
    expect(preview.locator(".ws-quote")).to_contain_text("It is 62 metres high")
    expect(preview).to_contain_text("127.0.0.1 · 全文 · [1]")
    assert preview.locator("b").count() > 0
    answer.locator(CITATIONS).nth(1).hover()
    expect(preview.locator(".ws-quote")).to_contain_text("opened in 1904")
    assert tab.errors == []


@pytest.mark.spec("P6")
def test_answer_is_unchanged(tab: Chat, reading: Product, web: PagesWeb) -> None:
    """The click leads to the sentence; addresses in the text, and copies, don't."""
    answer = tab.ask("How high is the tower?", "参考文献")
    citation = answer.locator(CITATIONS).first
    citation.hover()
    expect(tab.page.locator("#ws-preview .ws-quote")).to_be_visible()
    before = citation.get_attribute("href")
    with tab.page.context.expect_page() as opened:
        citation.click()

    assert ":~:text=It%20is%2062%20metres" in opened.value.url
    opened.value.close()
    assert citation.get_attribute("href") == before == web.url("/tower")
