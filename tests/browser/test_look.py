"""Citations, sources and notices as a reader meets them, in a real browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from support.browser.answers import citation, rounds, source, sources
from support.browser.axe import violations
from support.browser.pages import Pages, running_pages, tab

from citations import page_form

DESKTOP = {"width": 1100, "height": 800}
PHONE = {"width": 390, "height": 844}
TABLE = (
    "| 构建 | 多线程 CPU 任务 | 单线程速度 | 内存 | 兼容性 |\n|---|---|---|---|---|\n"
    "| 默认 | 不扩展 | 基准 | 基准 | 全部 |\n\n"
    f"```python\nprint('{'很长' * 40}')\n```\n"
)
FORMULAS = r"""
Es kostet $5 bis $10, US$5, $4,200–$14,000, 0.18 $/kWh, $HOME/$USER, $1M$; $x$ 是
\(\frac{a}{b}\)，\(a^2\)\(b_1\)。`$x$`

\[
\sum_{i=1}^n x_i
\]

- 价 $5
  $$E = mc^2$$

\(\href{javascript:alert(1)}{x} = \foo\) \(\rule{9999em}{9999em} = \frac{1}\)
"""
PRICES = "$5 bis $10, US$5, $4,200–$14,000, 0.18 $/kWh, $HOME/$USER, $1M$;"

ANSWERS = {
    "few": f"很快{citation(1)}{citation(2)}，见 [文档](https://docs.example)。{sources(3)}",
    "many": f"很多{citation(1)}。{sources(12)}",
    "four": f"很短{citation(1)}。\n\n{'很长的话，' * 16}{citation(2)}。{sources(8)}",
    "rounds": f"研究{citation(2)}{citation(13)}{citation(2)}。{rounds(6)}",
    "cited": f"{''.join(citation(n) for n in range(1, 11))}。{rounds(3)}",
    "notices": (
        '> **离线演示** 样例 [接入搜索](https://docs.example "ⓘ 如何接入")\n\n'
        '> **搜索不可用** 连不上 [部署步骤](https://docs.example "⚠ 部署")\n\n'
        f"答案。\n\n{TABLE}"
    ),
    "formulas": page_form(FORMULAS, {}),
    "found": "\n".join(source(n) for n in range(1, 6)),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    base: Path = tmp_path_factory.mktemp("pages")
    with running_pages(base) as running:
        for name, text in ANSWERS.items():
            (running.folder / f"{name}.md").write_text(text, "utf-8")
        yield running


@contextmanager
def opened(
    browser: Browser, pages: Pages, *, phone: bool = False, scheme: str = "light"
) -> Iterator[Page]:
    options = {
        "viewport": PHONE if phone else DESKTOP,
        "has_touch": phone,
        "is_mobile": phone,
        "color_scheme": scheme,
        "reduced_motion": "reduce",
    }
    with tab(browser, pages, **options) as page:
        yield page


@pytest.fixture
def page(browser: Browser, pages: Pages) -> Iterator[Page]:
    with opened(browser, pages) as desktop:
        yield desktop


def ask(page: Page, words: str) -> None:
    done = page.get_by_text("done", exact=True)
    before = done.count()
    page.locator("#chat-input").fill(words)
    page.locator("#chat-submit").click()
    expect(done).to_have_count(before + 1)


def chip(page: Page, number: int) -> Locator:
    return page.locator(f'.message-content a:text-is("[{number}]")').first


def preview(page: Page) -> Locator:
    return page.locator("#ws-preview")


@pytest.mark.spec("D3")
def test_chip(page: Page) -> None:
    """A citation is a small raised number that opens its source in a new tab."""
    for way in ("show", "stream"):
        ask(page, f"{way} few.md")
        mark = page.locator('.message-content a:text-is("[1]")').last
        text = page.locator(".message-content .leading-7").first

        size = "e => parseFloat(getComputedStyle(e).fontSize)"
        assert mark.evaluate(size) < 0.8 * text.evaluate(size)
        assert mark.evaluate("e => parseFloat(getComputedStyle(e).verticalAlign)") > 0
        expect(mark).to_have_attribute("target", "_blank")
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    with page.context.expect_page():
        mark.click()
    expect(mark).to_have_attribute("rel", "noopener noreferrer")
    assert asked == ["https://site1.example/page"]


@pytest.mark.journey
def test_preview(page: Page) -> None:
    """Pointing at a citation shows source, title and snippet, and so does the focus;
    leaving hides them, Esc too, and an answer that streams in leaves the page whole."""
    ask(page, "show few.md")
    expect(page.locator(".ws-strip")).to_be_visible()

    chip(page, 2).hover()
    expect(preview(page)).to_be_visible()
    for words in ("site2.example", "第 2 个来源", "第 2 个摘要"):
        expect(preview(page)).to_contain_text(words)
    assert chip(page, 2).get_attribute("title") is None  # one tooltip, not two
    page.mouse.move(5, 700)
    expect(preview(page)).to_be_hidden()
    expect(chip(page, 2)).to_have_attribute("title", "[2] 第 2 个来源 — site2.example")

    chip(page, 1).focus()
    page.keyboard.press("Tab")
    expect(preview(page)).to_contain_text("第 2 个来源")
    expect(chip(page, 2)).to_have_attribute("aria-describedby", "ws-preview")
    page.keyboard.press("Escape")
    expect(preview(page)).to_be_hidden()
    expect(chip(page, 2)).to_be_focused()

    chip(page, 1).hover()
    expect(preview(page)).to_be_visible()
    ask(page, "stream many.md")
    expect(page.get_by_role("button", name="另有 11 条")).to_be_visible()
    expect(chip(page, 1)).to_be_visible()


@pytest.mark.journey
def test_finger(browser: Browser, pages: Pages) -> None:
    """The first tap shows the preview with a button, and opens nothing by itself."""
    with opened(browser, pages, phone=True) as page:
        ask(page, "show few.md")
        chip(page, 1).tap()

        expect(preview(page)).to_be_visible()
        button = preview(page).get_by_role("link")
        expect(button).to_have_attribute("href", "https://site1.example/page")
        assert len(page.context.pages) == 1
        page.touchscreen.tap(200, 100)
        expect(preview(page)).to_be_hidden()
        chip(page, 1).tap()
        with page.context.expect_page():
            button.tap()


def test_many_citations(page: Page) -> None:
    """Ten numbers behind one sentence are `1 +9`; none is lost to a copy or a reader
    of the screen, and they unfold at a press, and by the keyboard."""
    ask(page, "show cited.md")
    more = page.locator('a[data-ws-run="more"]')
    expect(more).to_have_attribute("data-ws-more", "+9")
    expect(page.locator('a[data-ws-run="behind"]')).to_have_count(8)
    width = "e => e.getBoundingClientRect().width"
    assert chip(page, 10).evaluate(width) == 1
    copied = "e => (getSelection().selectAllChildren(e), getSelection().toString())"
    answer = page.locator(".message-content:has(a)").first
    every = "".join(f"[{n}]" for n in range(1, 11))
    assert every in answer.evaluate(copied)
    expect(page.get_by_role("link", name="[10]", exact=True).first).to_be_attached()

    more.click()
    assert chip(page, 10).evaluate(width) > 10
    assert len(page.context.pages) == 1
    with page.context.expect_page():
        chip(page, 2).click()

    ask(page, "show cited.md")
    page.locator('a[data-ws-run="first"]').focus()
    page.keyboard.press("Tab")
    expect(preview(page)).to_contain_text("第 2 个来源")
    expect(page.locator('a[data-ws-run="more"]')).to_have_count(0)


SPACE = """() => {
  const steps = [...document.querySelectorAll('.step')];
  const [answer, done] = steps.slice(-2);
  const words = new Range();
  const lines = [...answer.querySelectorAll('.leading-7')];
  words.selectNodeContents(lines.findLast((one) => !one.closest('[data-ws-all]')));
  const bottom = (of) => of.getBoundingClientRect().bottom;
  const composer = document.querySelector('#message-composer').getBoundingClientRect();
  return bottom(answer) - bottom(words) + composer.top - bottom(done);
}"""


@pytest.mark.spec("X3", "C7")
@pytest.mark.journey
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_strip(browser: Browser, pages: Pages, phone: bool) -> None:
    """Eight sources below four lines take less than 220 pixels up to the composer: the
    cited ones, and a button that unfolds all of them with headings and snippets."""
    with opened(browser, pages, phone=phone) as page:
        ask(page, "show four.md")
        strip = page.locator(".ws-cards > a")
        expect(strip).to_have_text(
            [re.compile(rf"site{n}\.example{n}第 {n} 个来源") for n in (1, 2)]
        )
        page.set_viewport_size({"width": 390 if phone else 1280, "height": 430})
        page.get_by_text("done", exact=True).scroll_into_view_if_needed()
        assert page.evaluate(SPACE) < 220
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"]  # type: ignore[index]

        expect(page.get_by_text("第 8 个摘要")).to_be_hidden()
        page.get_by_role("button", name="另有 6 条").click()
        expect(page.get_by_text("第 8 个摘要")).to_be_visible()
        expect(page.get_by_role("heading", name="参考文献")).to_be_visible()
        expect(strip.first).to_be_hidden()
        page.get_by_role("button", name="收起").click()
        expect(page.get_by_text("第 8 个摘要")).to_be_hidden()

        page.emulate_media(media="print")
        expect(page.get_by_text("第 8 个摘要")).to_be_visible()
        expect(strip.first).to_be_hidden()


@pytest.mark.spec("X3")
def test_keys_and_lights(page: Page) -> None:
    """The cards are one stop of the Tab key, with arrows among them; a citation and its
    card light each other; a single source that is left has no button of its own."""
    ask(page, "show few.md")
    cards = page.locator(".ws-cards > a")
    expect(cards).to_have_count(3)
    expect(page.get_by_role("toolbar", name="来源，3 条")).to_be_visible()
    chip(page, 2).hover()
    lit = page.locator("[data-ws-lit]")
    expect(lit).to_have_attribute("href", "https://site2.example/page")
    expect(cards.nth(1)).to_have_attribute("data-ws-lit", "")
    cards.first.hover()
    expect(chip(page, 1)).to_have_attribute("data-ws-lit", "")
    expect(lit).to_have_count(1)

    page.get_by_role("link", name="文档").focus()
    page.keyboard.press("Tab")
    expect(cards.first).to_be_focused()
    for key, n in (("ArrowRight", 1), ("ArrowDown", 2), ("ArrowRight", 0)):
        page.keyboard.press(key)
        expect(cards.nth(n)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    button = page.get_by_role("button", name="来源详情")
    expect(button).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(cards.nth(2)).to_be_focused()
    expect(cards.nth(2)).to_have_attribute("href", "https://site3.example/page")
    with page.context.expect_page():
        page.keyboard.press("Enter")


@pytest.mark.spec("X3", "E8")
def test_strip_of_searches(page: Page) -> None:
    """However many searches there were, the strip has each cited page once; unfolded,
    each search stands with its query, and a page once."""
    ask(page, "show rounds.md")
    numbers = page.locator(".ws-cards .ws-number")
    expect(numbers).to_have_text(["2", "13"])
    headings = page.locator(".message-content h5:visible")
    expect(headings).to_have_count(0)

    button = page.get_by_role("button", name="另有 25 条")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    page.keyboard.press("Enter")
    fewer = page.get_by_role("button", name="收起")
    expect(fewer).to_have_attribute("aria-expanded", "true")
    expect(fewer).to_be_focused()
    expect(headings).to_have_count(6)
    expect(page.locator("li[data-ws-letter]:visible")).to_have_count(27)
    expect(page.get_by_text("再次找到 [2]")).to_have_count(3)
    page.keyboard.press("Enter")
    expect(headings).to_have_count(0)
    expect(button).to_be_in_viewport()

    ask(page, "show cited.md")
    shown = page.locator(".ws-cards").last.locator(".ws-number")
    expect(shown).to_have_text([str(n) for n in (1, 2, 3, 4, 5, 7, 8, 9, 10)])


def test_without_script(browser: Browser, pages: Pages) -> None:
    """An answer is complete even if our script does not load."""
    with opened(browser, pages) as page:
        page.route("**/public/page.js*", lambda route: route.abort())
        page.reload()
        expect(page.locator("#mode-picker-trigger-how")).to_be_visible()
        ask(page, "show many.md")
        ask(page, "show rounds.md")

        for number in (1, 12, 30):
            expect(page.get_by_text(f"第 {number} 个摘要").first).to_be_visible()
            expect(chip(page, 1)).to_be_visible()


@pytest.mark.spec("X5", "N1")
def test_formulas(page: Page) -> None:
    """The browser draws formulas alone, and prices and code stay letters."""
    ask(page, "show formulas.md")
    answer = page.locator(".message-content", has=page.locator("math"))

    expect(answer.locator("math")).to_have_count(7)
    expect(answer.locator(".katex-display > .katex math")).to_have_count(2)
    expect(answer.locator("math mfrac").first).to_be_visible()
    expect(answer.locator(".katex-error")).to_have_text(
        r"\rule{9999em}{9999em} = \frac{1}"
    )
    assert answer.locator(".katex-html").first.is_hidden()
    assert PRICES in answer.inner_text()
    assert answer.locator("code").all_inner_texts() == ["$x$"]
    assert answer.locator("a, img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == DESKTOP["width"]


def test_question(page: Page) -> None:
    """A question stands there as it was typed, with its line breaks."""
    ask(page, "show none:such *at* all\nre:Invent")

    asked = page.locator('[data-step-type="user_message"] .message-content')
    assert asked.inner_text().strip() == "show none:such *at* all\nre:Invent"


@pytest.mark.parametrize(
    ("phone", "scheme"), [(False, "dark"), (True, "light")], ids=["desktop", "phone"]
)
def test_access(browser: Browser, pages: Pages, phone: bool, scheme: str) -> None:
    """The first visit looks as the system does; the checker finds nothing of ours
    against WCAG A and AA on any screen."""
    found: dict[str, dict[str, list[str]]] = {}
    with opened(browser, pages, phone=phone, scheme=scheme) as page:
        expect(page.locator("html")).to_have_class(scheme)
        page.wait_for_timeout(300)
        found["welcome"] = violations(page)
        for words in (
            "step found.md",
            "show notices.md",
            "show rounds.md",
            "show few.md",
        ):
            ask(page, words)
        page.locator('button[id^="step-"]').first.click()
        expect(page.locator(".ws-strip").last).to_be_visible()
        page.wait_for_timeout(300)
        found["answers"] = violations(page)
        (chip(page, 1).tap if phone else chip(page, 1).hover)()
        expect(preview(page)).to_be_visible()
        found["preview"] = violations(page)
        page.keyboard.press("Escape")
        page.locator("#chat-settings-header-button, #chat-settings-open-modal").click()
        expect(page.locator("#confirm-sidebar, #confirm")).to_be_visible()
        page.wait_for_timeout(300)
        found["settings"] = violations(page)

    assert {screen: rules for screen, rules in found.items() if rules} == {}


def test_checker(page: Page) -> None:
    """The checker would have found something: a picture without words is told."""
    page.evaluate("document.body.append(document.createElement('img'))")

    assert "image-alt" in violations(page)
