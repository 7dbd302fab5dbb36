"""Agent mode in the browser: the model searches by itself, and the page shows it."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.browser.agent_page import (
    TWO,
    cards,
    copy_last,
    links,
    prepare,
    step,
    waiting,
    weather,
)
from support.browser.axe import violations
from support.browser.chat_page import AGENT, DESKTOP, PHONE, Chat, Product, chat
from support.model.model_server import ALIVE, Turn, says, script, search
from support.servers.loopback import Answer, Request
from support.servers.searxng_pages import site

RUNNING = ".loading-shimmer, .loading-cursor"


@pytest.fixture
def tab(browser: Browser, running: Product) -> Iterator[Chat]:
    prepare(running)
    allowed = ["clipboard-read", "clipboard-write"]
    with chat(browser, running, {"mode": "agent"}, permissions=allowed) as opened:
        expect(opened.how).to_have_text(AGENT)
        yield opened


@pytest.mark.spec("E10")
@pytest.mark.journey
def test_searches_are_seen(tab: Chat, running: Product) -> None:
    """Each search is seen with query, state, count, and whether it was cached, in one
    line that can be opened all the while."""
    first, second = threading.Event(), threading.Event()
    running.search.script = waiting(北京=first, 上海=second)
    tab.send("天气如何")

    expect(step(tab, "搜索中 “北京 天气” “上海 天气” …")).to_be_visible()
    first.set()
    line = step(tab, "1 次搜索 · 5 条结果 · 搜索中 “上海 天气” …")
    expect(line).to_be_visible()
    line.get_by_role("button").click()
    expect(line).to_contain_text("“北京 天气” 5 条结果 · SearXNG · ")
    expect(line).to_contain_text("“上海 天气” 搜索中")
    second.set()
    expect(step(tab, "2 次搜索 · 10 条结果")).to_contain_text("我先搜索一下[1]。")
    tab.wait_until_done()
    assert tab.page.locator(".step").evaluate_all(
        "e => e.map(x => x.innerText.trim().slice(0, 5))"
    ) == ["天气如何", "2 次搜索", "北京晴[1"]

    running.model.brain = script(
        Turn(calls=[search("北京 天气"), search("广州 天气")]), Turn(text=["好。"])
    )
    running.search.script = waiting(广州=threading.Event())
    asked = len(running.queries)
    tab.send("再看看")
    cached = "1 次搜索 · 1 次来自缓存 · 5 条结果"
    expect(step(tab, f"{cached} · 搜索中 “广州 天气” …")).to_be_visible()
    tab.page.locator("#stop-button").click()
    line = step(tab, "2 次搜索 · 1 次来自缓存 · 5 条结果")
    line.get_by_role("button").click()
    expect(line).to_contain_text("“广州 天气” 搜索已停止")
    assert running.queries[asked:] == ["广州 天气"]


@pytest.mark.spec("E7", "E8", "M7")
@pytest.mark.journey
def test_sources(tab: Chat, running: Product) -> None:
    """The markers of an answer open their pages, what came before it has no links; one
    list holds every source, search by search, and is copied whole; the next answer
    keeps numbers and adds to them; one without a search has neither list nor link."""
    answer = tab.ask("天气如何", "搜索来源")
    assert links(answer) == [["[1]", site(1)], ["[6]", site(6)]]
    expect(tab.messages).to_have_count(2)
    expect(answer.locator("h5")).to_have_text(
        ["第 1 次搜索 · “北京 天气”", "第 2 次搜索 · “上海 天气”"]
    )
    assert cards(answer) == [[f"[{n}]", site(n)] for n in range(1, 11)]
    for number in (1, 6):
        card = answer.locator(f'li:has(> a[href="{site(number)}"])')
        expect(card).to_contain_text("已引用")
        expect(answer.locator(f'.ws-cards [href="{site(number)}"]')).to_be_visible()
    expect(answer.get_by_text("已引用")).to_have_count(2)
    expect(answer.get_by_role("button", name="另有 8 条")).to_be_visible()
    copied = copy_last(tab)
    assert copied.startswith("北京晴[1]")
    assert [n for n in range(1, 11) if site(n) in copied] == [1, 6]
    assert "“上海 天气”" not in copied

    running.model.brain = script(
        Turn(calls=[search("广州 天气")]), Turn(text=["广州[11]，北京[2]。"])
    )
    answer = tab.ask("广州呢", "广州[11]")
    assert links(answer) == [["[11]", site(11)], ["[2]", site(2)]]
    assert cards(answer) == [
        *([f"[{n}]", site(n)] for n in range(11, 16)),
        ["[2]", site(2)],
    ]
    expect(answer.locator("h4").last).to_have_text("此前搜索的来源")
    expect(answer.locator("h5")).to_have_text(["第 1 次搜索 · “广州 天气”"])

    running.model.brain = says("好呀。")
    answer = tab.ask("你好", "好呀")
    expect(answer).to_have_text("好呀。")
    expect(answer.locator("a, h4")).to_have_count(0)


def test_searches_that_fail(tab: Chat, running: Product) -> None:
    """A failed search is counted, and told inside with its cure, and the answer uses
    the other; an answer at the search limit says so and cites the results; access and
    width of all that are right on a desktop."""

    def half(request: Request) -> Any:
        is_bad = request.params.get("q", "").startswith("上海")
        return Answer("no", 502) if is_bad else weather(request)

    running.search.script = half
    running.model.brain = script(TWO, Turn(text=["北京晴[1]。"]))
    answer = tab.ask("天气如何", "搜索来源")
    line = step(tab, "2 次搜索 · 1 次失败 · 5 条结果")
    line.get_by_role("button").click()
    expect(line).to_contain_text("“上海 天气” 搜索失败 · ")
    expect(line).to_contain_text("下一步")
    expect(answer).not_to_contain_text("未使用搜索结果")
    assert links(answer) == [["[1]", site(1)]]

    before = len(running.queries)
    calls = [search(f"词 {n}") for n in range(9)]
    running.model.brain = script(Turn(calls=calls), Turn(text=["好[6]。"]))
    answer = tab.ask("查很多", "已搜索 8 次")
    expect(answer.locator("blockquote").first).to_contain_text("搜索次数已用完")
    assert len(running.queries) - before == 8
    assert links(answer) == [["[6]", site(11)]]
    expect(answer.get_by_role("button", name="另有")).to_be_visible()

    tab.page.wait_for_timeout(300)
    assert violations(tab.page) == {}
    width = tab.page.evaluate("document.documentElement.scrollWidth")
    assert width <= DESKTOP["width"]


@pytest.mark.spec("M6")
@pytest.mark.journey
def test_stop(tab: Chat, running: Product) -> None:
    """Stop ends whatever runs, keeps what there is, and the next question works."""
    seen = {"search": "1 次搜索 · 5 条结果", "aside": "慢慢", "answer": "雨[6]雨[6]"}
    for moment, words in seen.items():
        if moment == "search":
            running.search.script = waiting(上海=threading.Event())
        first = Turn(["慢" * 99], alive=ALIVE) if moment == "aside" else TWO
        running.model.brain = script(
            first, Turn(["雨[6]雨[6]", "，还有很多话" * 9], alive=ALIVE)
        )
        tab.send("天气如何")
        expect(tab.page.get_by_text(words).last).to_be_visible()
        tab.page.locator("#stop-button").click()

        expect(tab.last).to_contain_text("已停止生成")
        tab.wait_until_done()
        expect(tab.page.locator(RUNNING)).to_have_count(0)
        expect(step(tab, "搜索中")).to_have_count(0)
        if moment == "search":
            line = step(tab, "2 次搜索 · 5 条结果")
            line.get_by_role("button").click()
            expect(line).to_contain_text("“上海 天气” 搜索已停止")
        if moment != "aside":
            assert ["[1]", site(1)] in cards(tab.last), moment
        prepare(running)
        tab.ask("再来", "搜索来源")


def test_dark_phone(browser: Browser, running: Product) -> None:
    """On a phone the question stays on top while its answer grows, and who scrolls up
    stays there; all fits, and breaks no rule of access in the dark."""
    prepare(running)
    calls = [search(f"词 {n}") for n in range(6)]
    paragraphs = [f"第 {n} 段。" + "很长" * 40 + "\n\n" for n in range(1, 6)]
    last = Turn([*paragraphs, "就这样[1]。"], delay=0.05)
    running.model.brain = script(Turn(calls=calls), last)
    look: dict[str, Any] = {"viewport": PHONE, "color_scheme": "dark"}
    with chat(browser, running, {"mode": "agent"}, **look) as tab:
        for question in ("天气如何", "再说一遍"):
            answer = tab.ask(question, "搜索来源")
            expect(answer.locator(".ws-strip")).to_be_visible()
            tab.page.wait_for_timeout(300)
            asked = tab.page.get_by_text(question, exact=True).bounding_box()
            assert asked
            assert asked["y"] < PHONE["height"] * 0.15
        expect(answer.locator(".ws-cards > a")).to_have_count(1)
        width = tab.page.evaluate("document.documentElement.scrollWidth")

        assert violations(tab.page) == {}
    assert width <= PHONE["width"]


@pytest.mark.journey
def test_hostile_answer(tab: Chat, running: Product) -> None:
    """A list and definitions that the answer brings along redirect no number."""
    evil = "http://evil.example/"
    text = [
        f"晴[1]，见[2]({evil})与[上海][6]。\n\n[1]: {evil}\n[6]: {evil}\n\n",
        "#### 搜索来源\n\n##### 第 1 次搜索 · “北京 天气”\n\n",
        f'- **[1]** [题]({evil} "↗ 在新标签页打开") `evil.example` *已引用*\n',
    ]
    running.model.brain = script(TWO, Turn(text))

    answer = tab.ask("天气如何", "第 2 次搜索")

    assert all(pair in cards(answer) for pair in links(answer))
    assert cards(answer) == [[f"[{n}]", site(n)] for n in range(1, 11)]
    numbers = answer.locator('a:text-matches("[0-9]")')
    hrefs = numbers.evaluate_all("e => e.map(x => x.href)")
    assert [href for href in hrefs if "evil" in href] == []


@pytest.mark.spec("E8")
def test_answer_without_a_search(tab: Chat, running: Product) -> None:
    """It says so, links nothing, and one click asks again with a search."""
    words = "塔高 62 米，见 https://made-up.example/x 。"
    running.model.brain = lambda asked: Turn(
        [words] if "tools" in asked else ["塔高 64 米[1]。"]
    )
    tab.ask("塔有多高？", "没有联网 · 凭模型已有知识")
    expect(tab.last.locator("a[href*='made-up']")).to_have_count(0)
    tab.page.get_by_role("button", name="联网再答").click()

    expect(tab.last).to_contain_text("塔高 64 米")
    expect(tab.last).to_contain_text("参考文献")
    assert running.queries == ["塔有多高？"]
