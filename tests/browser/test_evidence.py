"""Under every number stands the sentence that it comes from."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect
from support.browser import axe
from support.browser.agent_page import copy_last
from support.browser.chat_page import PHONE, Chat, Product, chat, product
from support.model.model_server import says
from support.pages.pages_web import PagesWeb, article, pages_web

# Tags, Markdown, an address that acts, and signs that turn the direction of text.
HOSTILE = (
    "</b><img src=x onerror=document.title='acted'> **bold** [a](javascript:alert(1)) "
    "&lt;b&gt; costs $2.9 million \u202eevil\u202c and `code` "
)
TOWER = article(
    "The tower",
    "The tower opened in 1904, and two brothers designed it.",
    "It is 62 metres high, and weighs 3,200 tonnes.",
    *["It stands at the market, on the bank of the river."] * 9,
)
PRICE = article(
    "The price",
    HOSTILE.replace("<", "&lt;") + "and no end is in sight " * 30,
    "السعر هو 300 دولار للبرج القديم.",
    *["Prices are those of the market, on the bank of the river."] * 9,
)
RIGHT = "It is 62 metres high[1]. It opened in 1904[1]."
WRONG = "It opened in 1904[1]. It is 64 metres high[1]."
FOREIGN = (
    "</b><img src=x onerror=document.title='acted'> it costs $3.9 million[2]. "
    'السعر هو 400 دولار[2]. [x](/help/evidence "§ evidence") **It is 64 metres high[1].'
)
LINE = "来源 [1] 的全文里没有“64 metres”；最接近的是“62 metres”"
CITATIONS = 'a:is([title^="["], [data-ws-title])'
MARKED = "() => [...(CSS.highlights.get('ws-missing') ?? [])].map(String)"
NOTE = 'blockquote:has(a[title="§ evidence"])'


@pytest.fixture(scope="module")
def web() -> Iterator[PagesWeb]:
    with pages_web({"/tower": TOWER, "/price": PRICE}) as served:
        yield served


def app(web: PagesWeb, **settings: str) -> Any:
    """The app, which finds and reads the pages of *web*, and has time for it."""
    return product(WEB_FETCH_ENABLED="true", **settings, **web.settings)


@pytest.fixture(scope="module")
def reading(web: PagesWeb) -> Iterator[Product]:
    """The app as it comes."""
    with app(web) as running:
        running.search.script = web.search
        yield running


@pytest.fixture(scope="module")
def marking(web: PagesWeb) -> Iterator[Product]:
    """The app that marks missing values."""
    with app(web, EVIDENCE="values") as running:
        running.search.script = web.search
        yield running


def answered(tab: Chat, words: str, ends: str = "参考文献") -> Locator:
    """The answer to a question, which is *words*."""
    tab.product.model.brain = says(words)
    answer = tab.ask("How is the tower?", ends)
    expect(answer.locator(".ws-strip").first).to_be_visible()  # it has its shape
    return answer


@pytest.fixture
def tab(browser: Browser, reading: Product) -> Iterator[Chat]:
    with chat(browser, reading) as opened:
        yield opened


@pytest.fixture
def marked(browser: Browser, marking: Product) -> Iterator[Chat]:
    allowed = ["clipboard-read", "clipboard-write"]
    with chat(browser, marking, permissions=allowed) as opened:
        yield opened


def preview_of(tab: Chat) -> Locator:
    return tab.page.locator("#ws-preview")


def hover(tab: Chat, answer: Locator, number: int = 0) -> Locator:
    """The preview of a citation; the page may still scroll away below the mouse."""
    preview = preview_of(tab)
    for _ in range(3):
        answer.locator(CITATIONS).nth(number).hover()
        tab.page.wait_for_timeout(400)
        if preview.is_visible():
            break
    expect(preview).to_be_visible()
    return preview


def wait_for_marks(tab: Chat, *values: str) -> None:
    """Wait until these values are marked, and no others."""
    tab.page.wait_for_function(
        f"wanted => JSON.stringify(({MARKED})()) === JSON.stringify(wanted)", arg=values
    )


@pytest.mark.spec("P1", "P6")
@pytest.mark.journey
def test_sentence(tab: Chat, web: PagesWeb) -> None:
    """Each citation shows its own sentence of the page, with the shared words; the
    keyboard gets it as a description, and a click leads to it."""
    answer = answered(tab, RIGHT)
    preview = preview_of(tab)

    hover(tab, answer, 1)
    expect(preview.locator(".ws-quote")).to_contain_text("opened in 1904")
    hover(tab, answer, 0)
    expect(preview.locator(".ws-quote")).to_contain_text("It is 62 metres high")
    expect(preview).to_contain_text("127.0.0.1 · 全文 · [1]")
    assert preview.locator("b").count() > 0

    citation = answer.locator(CITATIONS).first
    before = citation.get_attribute("href")
    with tab.page.context.expect_page() as opened:
        citation.click()
    assert ":~:text=It%20is%2062%20metres" in opened.value.url
    opened.value.close()
    assert citation.get_attribute("href") == before == web.url("/tower")

    tab.page.locator("#chat-input").focus()
    for _ in range(30):
        tab.page.keyboard.press("Shift+Tab")
        if tab.page.evaluate("document.activeElement.dataset.wsTitle"):
            break
    described = tab.page.evaluate(
        "document.getElementById(document.activeElement.getAttribute"
        "('aria-describedby')).textContent"
    )
    assert "opened in 1904" in described
    tab.page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    expect(citation).to_be_visible()


def test_default(tab: Chat) -> None:
    """As it comes the page marks nothing, and says nothing below the answer."""
    answer = answered(tab, WRONG)
    hover(tab, answer)

    expect(preview_of(tab).locator(".ws-quote")).to_be_visible()
    expect(preview_of(tab).locator(".ws-missing")).to_be_hidden()
    expect(answer.locator(NOTE)).to_have_count(0)
    wait_for_marks(tab)


@pytest.mark.journey
def test_missing_value(marked: Chat) -> None:
    """A value that the source lacks is marked, and its preview says what is there."""
    answer = answered(marked, f"{WRONG} It weighs 200 tonnes of 3,200 tonnes[1].")

    wait_for_marks(marked, "64 metres", "200 tonnes")
    before = marked.page.evaluate(
        "() => { const range = [...CSS.highlights.get('ws-missing')][1];"
        " return range.startContainer.data.slice(0, range.startOffset); }"
    )
    assert before.endswith("It weighs ")  # on no part of 3,200 tonnes
    hover(marked, answer, 1)
    missing = preview_of(marked).locator(".ws-missing")
    expect(missing).to_have_text(LINE)
    hover(marked, answer, 0)
    expect(preview_of(marked)).to_contain_text("1904")
    expect(missing).to_be_hidden()


@pytest.mark.spec("P3", "P4")
def test_note(marked: Chat) -> None:
    """A sound answer has no note, no mark, no tick, no score and no approval; the
    keyboard unfolds the note, which alone tells of a figure without a source."""
    check_nothing_missing(marked)
    note = answered(marked, f"{WRONG} It weighs 4,567 tonnes.").locator(NOTE)
    button, lines = note.get_by_role("button"), note.locator("li")

    expect(note).to_contain_text(
        "有 1 个数值在所引来源里没有找到 · 有 1 个数字没有标注来源"
    )
    expect(lines.first).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    marked.page.keyboard.press("Enter")
    expect(lines).to_have_text(
        [LINE, "没有标注来源，找到的资料里也没有：“4,567 tonnes”"]
    )
    expect(button).to_have_attribute("aria-expanded", "true")
    marked.page.keyboard.press("Space")
    expect(lines.first).to_be_hidden()
    wait_for_marks(marked, "64 metres")
    nothing = marked.ask("/search off", "已关闭")
    expect(nothing.locator(NOTE)).to_have_count(0)


def check_nothing_missing(marked: Chat) -> None:
    answer = answered(marked, RIGHT)
    preview = hover(marked, answer)
    expect(preview.locator(".ws-quote")).to_be_visible()
    expect(preview.locator(".ws-missing")).to_be_hidden()
    expect(answer.locator(NOTE)).to_have_count(0)
    wait_for_marks(marked)
    words = answer.inner_text() + preview.inner_text()
    assert not re.search("verified|已核实|已验证|[✓✔☑✅]|%", words, re.IGNORECASE)
    assert preview.locator("svg, img, meter, progress").count() == 0
    marked.page.mouse.move(5, 400)


@pytest.mark.spec("P6")
def test_copy(browser: Browser, marked: Chat, web: PagesWeb) -> None:
    """Copied, an answer is the same with evidence and without: the note stays out."""
    answered(marked, WRONG)
    wait_for_marks(marked, "64 metres")
    copied = copy_last(marked)
    with chat(
        browser,
        marked.product,
        {"evidence": "off", "search": True},
        permissions=["clipboard-read", "clipboard-write"],
    ) as other:
        other.ask("How is the tower?", "参考文献")
        without = copy_last(other)

    assert copied == without
    assert ":~:" not in copied
    assert web.url("/tower") in without


@pytest.mark.spec("P1", "P7")
def test_while_the_answer_is_written(marked: Chat) -> None:
    """The preview quotes the source before the answer is complete; the stop brings
    marks and note, and what is missing to a preview that is open."""
    marked.page.set_viewport_size({"width": 1280, "height": 1400})  # nothing scrolls
    marked.product.model.brain = says(f"{WRONG} And so it", " goes", hang=True)
    marked.ask("/search on", "已开启")
    marked.send("How is the tower?")
    answer = marked.last
    expect(answer.locator(CITATIONS).first).to_be_visible()
    preview = hover(marked, answer, 0)
    expect(preview.locator(".ws-quote")).to_contain_text("opened in 1904")
    assert axe.violations(marked.page) == {}
    hover(marked, answer, 1)
    expect(preview.locator(".ws-quote")).to_contain_text("It is 62 metres high")
    expect(preview.locator(".ws-missing")).to_be_hidden()
    wait_for_marks(marked)  # none yet: they would flicker
    # By script, for the mouse has to stay where it is.
    marked.page.evaluate("document.getElementById('stop-button').click()")

    expect(preview.locator(".ws-missing")).to_have_text(LINE)
    expect(preview).to_be_visible()
    wait_for_marks(marked, "64 metres")
    expect(answer.locator(NOTE)).to_have_count(1)


def test_choice(marked: Chat) -> None:
    """The choice `off` of the panel ends both, and outlives a reload."""
    marked.open_settings()
    marked.page.get_by_role("combobox").first.click()
    marked.page.get_by_role("option", name="只有摘要").click()
    marked.confirm()
    expect(marked.toast).to_be_visible()
    marked.page.reload()
    answer = answered(marked, WRONG)
    hover(marked, answer)

    expect(preview_of(marked)).to_be_visible()
    expect(preview_of(marked).locator(".ws-quote, .ws-missing:visible")).to_have_count(
        0
    )
    expect(answer.locator(NOTE)).to_have_count(0)
    wait_for_marks(marked)


def test_english(browser: Browser, web: PagesWeb) -> None:
    """An English page says it in English."""
    with app(web, EVIDENCE="values", UI_LANGUAGE="en-US") as running:
        running.search.script = web.search
        with chat(browser, running, locale="en-US") as tab:
            answer = answered(tab, WRONG, "References")
            wait_for_marks(tab, "64 metres")
            hover(tab, answer, 1)
            line = (
                "“64 metres” is not in the full text of [1]; the nearest is “62 metres”"
            )

            expect(preview_of(tab).locator(".ws-missing")).to_have_text(line)
            expect(preview_of(tab)).to_contain_text("127.0.0.1 · Full text · [1]")
            note = answer.locator(NOTE)
            expect(note).to_contain_text("Values not found in the sources cited: 1")
            note.get_by_role("button", name="Show").click()
            expect(note.locator("li")).to_have_text(line)
            assert axe.violations(tab.page) == {}


def test_hostile_texts(marked: Chat) -> None:
    """Nothing that a source or an answer says acts; a quotation has its limit."""
    answer = answered(marked, FOREIGN)
    preview = preview_of(marked)
    hover(marked, answer)
    expect(preview.locator(".ws-missing")).to_contain_text("$3.9 million")

    quote = preview.locator(".ws-quote")
    expect(quote).to_contain_text("<img src=x onerror=document.title='acted'>")
    assert len(quote.inner_text()) <= 300
    answer.locator(f"{NOTE} button").click()
    expect(answer.locator(f"{NOTE} li")).to_have_count(3)
    assert answer.locator(NOTE).count() == 1
    shown: Sequence[Locator] = (preview, answer.locator(NOTE))
    for place in shown:
        expect(place.locator("img, script, code, [onerror]")).to_have_count(0)
        expect(place.locator('a[href^="javascript"]')).to_have_count(0)
    assert marked.page.title() != "acted"


@pytest.mark.spec("P1")
def test_dark_phone(browser: Browser, marking: Product) -> None:
    """A tap opens a sheet with the sentence, which stays within the screen; the
    checker finds nothing with the sheet or the note open."""
    with chat(
        browser, marking, viewport=PHONE, has_touch=True, color_scheme="dark"
    ) as tab:
        answer = answered(tab, WRONG)
        wait_for_marks(tab, "64 metres")
        answer.locator(f"{NOTE} button").click()
        expect(answer.locator(f"{NOTE} li")).to_have_count(1)
        assert axe.violations(tab.page) == {}
        answer.locator(CITATIONS).nth(1).tap()
        sheet = tab.page.locator("#ws-preview.ws-sheet")
        expect(sheet.locator(".ws-missing")).to_be_visible()
        expect(sheet.locator(".ws-quote")).to_contain_text("It is 62 metres high")
        expect(sheet).to_contain_text("全文")
        expect(sheet).to_be_in_viewport(ratio=1)

        assert axe.violations(tab.page) == {}
