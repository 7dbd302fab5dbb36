"""Chat mode in the browser: ask, see the search, read an answer with its sources."""

import re
import threading

import pytest
from playwright.sync_api import Browser, expect
from support.browser.agent_page import copy_last
from support.browser.chat_page import PHONE, Chat, Product, chat, product
from support.model.model_server import ALIVE, says
from support.servers.loopback import held_back
from support.servers.searxng_pages import healthy, row
from support.servers.searxng_pages import page as results
from support.waiting import PATIENCE, wait_until

CITING = ("**北京今天晴**", "，最高 21℃[", "1][2", "]。见 [9] 与 `arr[1]`。")


@pytest.fixture
def tab(searching: Chat) -> Chat:
    return searching


@pytest.mark.spec("C1", "C7", "D3", "D4", "M7")
@pytest.mark.journey
def test_answer_with_sources(browser: Browser, running: Product) -> None:
    """Markers are links to the pages, the references stand below, fit a phone, and are
    copied with the answer; no other host is asked."""
    running.reset()
    running.model.brain = says(*CITING)
    asked: list[str] = []
    allowed = ["clipboard-read", "clipboard-write"]
    with chat(browser, running, permissions=allowed) as tab:
        tab.page.on("request", lambda request: asked.append(request.url))
        tab.page.reload()
        answer = tab.ask("北京天气", "参考文献")

        links = answer.locator('a[title^="["]')
        shown = links.evaluate_all("e => e.map(x => [x.innerText, x.href, x.target])")
        assert shown == [
            ["[1]", "https://site1.example.org/page", "_blank"],
            ["[2]", "https://site2.example.org/page", "_blank"],
        ]
        expect(answer.locator("code").first).to_have_text("arr[1]")
        expect(answer).to_contain_text("见 [9] 与")
        sources = answer.locator('li > a[title^="↗"]')
        assert sources.evaluate_all("e => e.map(x => x.href)") == [
            f"https://site{n}.example.org/page" for n in range(1, 6)
        ]
        answer.get_by_role("button", name="另有 3 条").click()
        expect(answer.get_by_role("heading", name="参考文献")).to_be_visible()
        expect(answer.get_by_text("Content of page 1.")).to_be_visible()
        copied = copy_last(tab)
        tab.page.set_viewport_size(PHONE)
        width = "document.documentElement.scrollWidth"
        tab.page.wait_for_function(f"{width} <= {PHONE['width']}")

    assert copied == (
        "北京今天晴，最高 21℃[1][2]。见 [9] 与 arr[1]。\n\n"
        "[1] Title 1 — https://site1.example.org/page\n"
        "[2] Title 2 — https://site2.example.org/page"
    )
    foreign = [u for u in asked if not u.startswith((running.url, "data:", "blob:"))]
    assert asked
    assert foreign == []


@pytest.mark.spec("X7", "M7")
@pytest.mark.journey
def test_letters_are_copied(browser: Browser, running: Product) -> None:
    """Page and clipboard show the letters of a source unchanged."""
    letters = "a_b *c* # d $5 <x> [3] 10~20 【2】 `x`"
    running.reset()
    running.model.brain = says("晴[1]。")
    running.search.script = lambda _: results(row(1, title=letters, content=letters))
    allowed = ["clipboard-read", "clipboard-write"]
    with chat(browser, running, permissions=allowed) as tab:
        answer = tab.ask("北京天气", "参考文献")
        expect(answer).to_contain_text(letters)
        assert letters in copy_last(tab)


@pytest.mark.spec("C1")
@pytest.mark.journey
def test_search_is_seen(tab: Chat, running: Product) -> None:
    """While it searches the page says so; then how many results, after what time."""
    found = threading.Event()
    running.search.script = lambda _: held_back(results(row()), found)

    tab.send("北京天气")
    expect(tab.page.get_by_text("搜索中 …").first).to_be_visible()
    found.set()

    words = re.compile(r"1 条结果 · <?\d+\.\d s")
    step = tab.page.get_by_role("button", name=words)
    expect(step).to_be_visible()
    answer_top = tab.last.bounding_box()
    step_top = step.bounding_box()
    assert answer_top
    assert step_top
    assert step_top["y"] < answer_top["y"]


@pytest.mark.spec("C7")
def test_without_sources(browser: Browser, running: Product) -> None:
    """Without a search there is neither list nor marker; with one, what was found;
    thoughts are a folded step apart from the answer, as they were written."""
    running.reset()
    thoughts = ["AWS re", ":", "Invent `arr", "[", "1]`"]
    running.model.brain = says("好[1]。", reasoning=thoughts)
    with chat(browser, running, {"search": False}) as tab:
        answer = tab.ask("你好", "好")
        expect(answer).to_contain_text(re.compile("^好\\[1\\]。\\s*没有联网"))
        expect(answer.locator("a")).to_have_count(0)
        tab.page.get_by_role("button", name="思考过程").click()
        expect(tab.page.get_by_text("AWS re:Invent")).to_be_visible()
        expect(tab.page.get_by_text("arr[1]")).to_be_visible()

        running.model.brain = says("好。")
        tab.ask("/search on", "已开启")
        answer = tab.ask("北京天气", "搜索来源")
        expect(answer.get_by_role("heading", name="参考文献")).to_have_count(0)
        expect(answer.locator('li > a[title^="↗"]')).to_have_count(5)


@pytest.mark.spec("M6")
@pytest.mark.journey
def test_stop(tab: Chat, running: Product) -> None:
    """Stop keeps what was written, says so, and the next question works; who leaves a
    conversation stops its answer."""
    for after in ("字字字", "搜索中"):
        running.model.brain = says("字" * 99, alive=ALIVE)
        if after == "搜索中":
            running.search.script = lambda _: lambda: iter([PATIENCE])
        tab.send("写长一点")
        expect(tab.page.get_by_text(after).last).to_be_visible()
        tab.page.locator("#stop-button").click()

        expect(tab.last).to_contain_text("已停止生成")
        tab.wait_until_done()
        expect(tab.page.locator(".message-content .animate-pulse")).to_have_count(0)
        running.reset()
        tab.ask("再来", "好")

    running.model.brain = says("字" * 99, alive=ALIVE)
    tab.send("写长一点")
    expect(tab.last).to_contain_text("字字")
    tab.page.locator("#new-chat-button").click()
    tab.page.get_by_role("button", name="确认").click()
    wait_until(lambda: not running.model.open, "the end of the answer")


@pytest.mark.spec("C7", "D4", "N5")
def test_odd_words(tab: Chat, running: Product) -> None:
    """Words of a result hold no link but the one to its page; words that the page's
    Markdown would swallow or load are shown as written; references stand below the
    answer also where its last block was never closed."""
    words = "see http://evil.example/s www.evil.example a@evil.example"
    hostile = row(1, title="t http://evil.example/t", content=words)
    failed = [["http://evil.example/e", "timeout"]]
    running.search.script = lambda _: results(hostile, unresponsive=failed)
    answer = tab.ask("北京天气", "搜索来源")
    hrefs = tab.page.locator("a").evaluate_all("e => e.map(x => x.href)")
    assert "evil.example" in answer.inner_text()
    assert [href for href in hrefs if "evil" in href] == []

    running.search.script = healthy
    running.model.brain = says(
        "AWS re:Invent 与 localhost:port，note:this。",
        "看不见\u200b的字。![图](http://evil.example/p.png)",
        "[点我](javascript:alert(1))\n\n[1]: http://evil.example/hijack\n",
    )

    answer = tab.ask("上海天气", "图片已屏蔽")

    for words in ("AWS re:Invent", "localhost:port", "note:this", "看不见的字"):
        expect(answer).to_contain_text(words)
    numbers = answer.locator('a:text-matches("[0-9]")')
    hrefs = numbers.evaluate_all("e => e.map(x => x.href)")
    assert [h for h in hrefs if "example.org" not in h] == []
    expect(answer.locator('a[href^="javascript"]')).to_have_count(0)
    expect(answer.locator("img")).to_have_count(0)

    for end in ("```python\nx = 1", "<!-- 注", "- a\n  ~~~\n  b"):
        running.model.brain = says(f"见[1]。\n\n{end}")
        answer = tab.ask("广州天气", "参考文献")
        expect(answer.locator("h4", has_text="参考文献")).to_have_count(1)
        expect(answer.locator('li > a[title^="↗"]')).to_have_count(5)


@pytest.mark.spec("M6")
def test_stop_after_a_dropped_connection(tab: Chat, running: Product) -> None:
    """A page that was away for a moment can still stop the answer."""
    running.model.brain = says(*["字"] * 2_000, delay=0.02)
    tab.send("写长一点")
    expect(tab.last).to_contain_text("字字")
    tab.page.context.set_offline(True)
    tab.page.wait_for_timeout(1_500)
    tab.page.context.set_offline(False)
    stop = tab.page.locator("#stop-button")
    tab.page.wait_for_timeout(4_000)
    expect(stop).to_be_visible()
    stop.click()

    expect(tab.last).to_contain_text("已停止生成")


@pytest.mark.spec("M6")
@pytest.mark.parametrize("is_phone", [False, True])
def test_line_away(browser: Browser, running: Product, is_phone: bool) -> None:
    """An answer that goes on while its page is away is whole when the page is back."""
    running.reset()
    words = [f"第{n}句。" for n in range(60)]
    running.model.brain = says(*words, "见[1]。", delay=0.03)
    options = {"viewport": PHONE, "is_mobile": True} if is_phone else {}
    with chat(browser, running, **options) as tab:
        tab.send("北京天气")
        expect(tab.last).to_contain_text("第3句")
        tab.page.context.set_offline(True)
        tab.page.wait_for_timeout(6_000)
        expect(tab.last).not_to_contain_text("第59句")
        tab.page.context.set_offline(False)

        expect(tab.last).to_contain_text("第59句。见[1]")
        expect(tab.last.locator(".ws-strip")).to_be_visible()
        expect(tab.last.locator('a[title^="["]')).to_have_count(1)
        expect(tab.page.locator("#stop-button")).to_have_count(0)
        running.model.brain = says("第二个答案。")
        tab.ask("上海天气", "第二个答案")
        assert tab.page.get_by_text("第59句").count() == 1


@pytest.mark.spec("N2")
@pytest.mark.journey
def test_busy(browser: Browser) -> None:
    """A question beyond the last turn waits, learns its place, and is answered; a stop
    ends the wait."""
    with (
        product(ANSWERS_AT_ONCE="1") as running,
        chat(browser, running) as first,
        chat(browser, running) as second,
        chat(browser, running) as third,
    ):
        running.model.brain = says(*["字"] * 2_000, delay=0.02)
        first.send("写长一点")
        expect(first.last).to_contain_text("字字")
        second.send("第二个问题")
        expect(second.last).to_contain_text("排在第 1 位")
        third.send("第三个问题")
        expect(third.last).to_contain_text("排在第 2 位")
        third.page.locator("#stop-button").click()
        expect(third.last).to_have_text("已停止生成。")

        running.model.brain = says("第二个答案。")
        first.page.locator("#stop-button").click()

        expect(second.last).to_contain_text("第二个答案。")
        second.wait_until_done()
        assert second.messages.count() == 2
