"""The bar under an answer: copy, ask again, go on, export; edited questions."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect
from support.browser.axe import violations
from support.browser.chat_page import PHONE, Chat, Product, chat, product
from support.model.model_server import fails, says
from support.servers.searxng_pages import page as results
from support.servers.searxng_pages import row
from support.waiting import wait_until

LETTERS = "a_b *c* # d $5 <x> [3]"
TEXT = (
    "## 结论\n\n**北京塔高 62 米**[1][2]，`arr[1]` 不变。\n\n- 建于 1904 年[1]\n"
    "\n| 项 | 值 |\n|---|---|\n| 高 | 62 |\n\n```python\nx_y = 1\n```\n"
)
PLAIN = (
    "结论\n\n北京塔高 62 米[1][2]，arr[1] 不变。\n\n- 建于 1904 年[1]\n"
    "\n项\t值\n高\t62\n\nx_y = 1\n\n"
    f"[1] {LETTERS} — https://site1.example.org/page\n"
    "[2] Title 2 — https://site2.example.org/page"
)
TOWER = "北京塔高 62 米，建于 1904 年。"
NO_CLIPBOARD = """() => {
  Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});
}"""
HTML = """async () => {
  const [item] = await navigator.clipboard.read();
  return (await item.getType('text/html')).text();
}"""


def bar(tab: Chat) -> Locator:
    return tab.page.locator(".ws-bar").last


def press(tab: Chat, name: str, choice: str = "") -> None:
    """Press a button of the newest answer's bar, and one of its menu."""
    bar(tab).get_by_role("button", name=name).click()
    if choice:
        tab.page.get_by_role("button", name=choice).click()


@pytest.mark.spec("X4", "X7")
@pytest.mark.journey
def test_copied_and_exported(
    browser: Browser, running: Product, tmp_path: Path
) -> None:
    """The clipboard holds the text with [n] and the cited sources, letter for letter,
    and nothing else; the files hold the same; the bar stands above the sources."""
    running.reset()
    running.model.brain = says(TEXT)
    running.search.script = lambda _: results(
        row(1, title=LETTERS), *(row(n) for n in range(2, 6))
    )
    allowed = ["clipboard-read", "clipboard-write"]
    with chat(browser, running, {"search": True}, permissions=allowed) as tab:
        answer = tab.ask("北京塔 多高？", "参考文献")
        expect(bar(tab)).to_contain_text("scripted · 5 个来源 · ")
        cards = answer.locator(".ws-cards > a")
        under, first = bar(tab).bounding_box(), cards.first.bounding_box()
        assert under
        assert first
        assert under["y"] < first["y"]

        tab.page.evaluate(NO_CLIPBOARD)  # as where the page comes without https
        press(tab, "复制")
        expect(tab.page.get_by_text("已复制")).to_have_count(1)
        tab.page.evaluate("delete navigator.clipboard")
        assert tab.page.evaluate("navigator.clipboard.readText()") == PLAIN
        tab.page.evaluate("navigator.clipboard.writeText('')")
        press(tab, "复制")
        read = "navigator.clipboard.readText()"
        wait_until(lambda: tab.page.evaluate(read) == PLAIN, "the copy")
        rich = tab.page.evaluate(HTML)
        for part in ("<strong>", "<table>", ">[1]</a>", "<h2>参考文献</h2>"):
            assert part in rich
        for part in ("class=", "style=", "Content of page", "Title 3"):
            assert part not in rich

        kept: dict[str, str] = {}
        for choice in ("Markdown 文件", "网页文件"):
            with tab.page.expect_download() as begun:
                press(tab, "导出", choice)
            path = tmp_path / begun.value.suggested_filename
            begun.value.save_as(path)
            kept[path.name] = path.read_text(encoding="utf-8")
        assert [*kept] == ["北京塔 多高.md", "北京塔 多高.html"]
        markdown, html = kept.values()
        assert markdown.startswith(
            "# 北京塔 多高？\n\n## 结论\n\n**北京塔高 62 米**[[1]](https://"
        )
        assert "default-src 'none'" in html
        assert "<script" not in html
        opened = tab.page.context.new_page()
        opened.set_content(html)
        expect(opened.get_by_role("link", name=LETTERS)).to_be_visible()


@pytest.mark.spec("X4")
@pytest.mark.journey
def test_stopped_and_gone_on(browser: Browser) -> None:
    """A stopped answer is gone on with in its place, then asked again by another model;
    on a phone, in English, and only the newest answer shows all buttons."""
    with (
        product(names=["scripted", "other"], UI_LANGUAGE="en-US") as english,
        chat(browser, english, {"search": True}, viewport=PHONE) as tab,
    ):
        for way in ("Deep search", "Quick search"):
            tab.pick(way)
            tab.picker("model").click(trial=True)  # nothing lies above it
        english.model.brain = says(*["word "] * 400, delay=0.05)
        tab.send("How high is the tower?")
        expect(tab.last).to_contain_text("word word")
        tab.page.locator("#stop-button").click()
        expect(bar(tab)).to_contain_text("Go on writing")
        english.model.brain = says("and so it ended[1].")
        press(tab, "Go on writing")
        expect(tab.last).to_contain_text("and so it ended")
        expect(tab.last).to_contain_text("word word")
        expect(tab.last).not_to_contain_text("Stopped")
        assert len(english.queries) == 1

        english.model.brain = says("Another answer[2].")
        press(tab, "Answer in another way", "Answer with other")
        expect(tab.last).to_contain_text("Another answer")
        expect(bar(tab)).to_contain_text("other · 5 sources")
        assert english.model.requests[-1]["model"] == "other"
        former = tab.page.locator(".ws-bar").first
        expect(former.get_by_role("button")).to_have_count(2)
        assert violations(tab.page) == {}
        width = "document.documentElement.scrollWidth"
        assert tab.page.evaluate(width) <= PHONE["width"]


@pytest.mark.spec("X9")
@pytest.mark.journey
def test_a_model_that_fails(browser: Browser) -> None:
    """Quotations of what was found stand in, below one box with the next step."""
    with (
        product(names=["scripted", "other"]) as failing,
        chat(browser, failing, {"search": True}) as tab,
    ):
        failing.model.brain = fails(401, "canary")
        failing.search.script = lambda _: results(row(1, content=TOWER), row(2))
        answer = tab.ask("北京塔有多高？", TOWER)
        box = answer.locator("blockquote").first
        expect(box).to_contain_text("不认这个密钥")
        expect(box.get_by_role("link")).to_have_attribute("href", "/setup")
        expect(answer.locator('a[title^="["]').first).to_have_text("[1]")
        expect(bar(tab)).to_contain_text("原文摘录")

        failing.model.brain = says("62 米[1]。")
        press(tab, "换模型", "用 other 回答")
        expect(tab.last).to_contain_text("62 米")
        expect(bar(tab)).to_contain_text("other · 2 个来源")


@pytest.mark.spec("S5")
@pytest.mark.journey
def test_edited_question(browser: Browser, running: Product) -> None:
    """An edited question takes back all that stands below it, and is asked anew."""
    running.reset()
    with chat(browser, running, {"search": False}) as tab:
        for words, reply in (("一", "答一"), ("二", "答二"), ("三", "答三")):
            running.model.brain = says(reply)
            tab.ask(words, reply)
        question = tab.page.locator('[data-step-type="user_message"]').nth(1)
        question.hover()
        question.locator(".edit-message").click()
        tab.page.locator("#edit-chat-input").fill("二改")
        running.model.brain = says("答改")
        tab.page.locator(".confirm-edit").click()
        expect(tab.messages).to_contain_text(["一", "答一", "二改", "答改"])
        expect(tab.messages).to_have_count(4)
        spoken = [one["content"] for one in running.model.requests[-1]["messages"][1:]]
        assert spoken == ["一", "答一", "二改"]
