"""A research report in the page, from its plan to its files."""

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.browser import axe
from support.browser.chat_page import AGENT, PHONE, QUICK, REPORT, Chat, Product, chat
from support.browser.words import Words
from support.model.model_server import Turn
from support.pages.pages_web import PagesWeb, pages_web
from support.report.report_page import (
    ENGLISH,
    ENGLISH_PLAN,
    PAGES,
    PLAN,
    QUESTION,
    app,
    finished,
    line,
    step,
    verb,
    writes,
)
from support.report.research_models import is_plan
from support.servers.loopback import Answer, Request, held_back

CITATIONS = 'a:is([title^="["], [data-ws-title])'


@dataclass(frozen=True, slots=True)
class World:
    """The app, its web, and a gate that holds one page back."""

    product: Product
    web: PagesWeb
    gate: threading.Event

    def reset(self) -> None:
        self.gate.set()
        self.product.model.brain = writes()
        self.product.search.script = self.web.search
        self.product.search.requests.clear()


@pytest.fixture(scope="module")
def web() -> Iterator[tuple[PagesWeb, threading.Event]]:
    gate = threading.Event()
    held = {"/guide": held_back(PAGES["/guide"], gate)}
    with pages_web({**PAGES, **held}) as served:
        yield served, gate


@pytest.fixture(scope="module")
def started(web: tuple[PagesWeb, threading.Event]) -> Iterator[World]:
    """The app, whose plans wait for two minutes, and whose pages may be slow."""
    patient = {"WEB_FETCH_TIMEOUT_MS": "60000", "WEB_SEARCH_TIMEOUT_MS": "30000"}
    with app(web[0], **patient) as product:
        yield World(product, *web)


@pytest.fixture
def world(started: World) -> World:
    started.reset()
    return started


@pytest.fixture
def tab(browser: Browser, world: World) -> Iterator[Chat]:
    with chat(browser, world.product) as opened:
        yield opened


def propose(tab: Chat, question: str = QUESTION, first: str = PLAN[0]) -> None:
    """Ask for a report, and wait for its plan."""
    tab.send(f"/report {question}")
    expect(line(tab, first)).to_be_visible()


def begin(tab: Chat) -> None:
    propose(tab)
    verb(tab, "start").click()


def reading(tab: Chat, world: World) -> None:
    """Begin a report, up to the page that is held back."""
    world.gate.clear()
    begin(tab)
    expect(step(tab, "book-open")).to_contain_text("正在阅读网页：完成 4/5")


@pytest.mark.spec("Q1")
@pytest.mark.journey
def test_report(tab: Chat, world: World) -> None:
    """Each step shows its count and its time, and the budget is always there; then
    each number leads to its sentence, three files hold the report, and no secret."""
    propose(tab)
    expect(step(tab, "gauge")).to_have_text("最多搜索 12 次，打开 20 页 · 180 秒")
    world.gate.clear()
    verb(tab, "start").click()
    expect(step(tab, "book-open")).to_contain_text("正在阅读网页：完成 4/5")
    expect(step(tab, "gauge")).to_contain_text("已搜索 3 次，读了 2 页")
    world.gate.set()
    report = finished(tab)

    for icon, words in {
        "list-checks": r"计划：3 个小问题 · 由模型拟定 · [\d.]+ s",
        "search": r"搜索了 3 次，找到 5 个网页 · (<0.1|[\d.]+) s",
        "book-open": r"读了 3 页，2 页打不开 · [\d.]+ s",
        "pen-line": r"写成 3 节 · 其中 3 节由模型改写 · (<0.1|[\d.]+) s",
    }.items():
        expect(step(tab, icon)).to_have_text(pattern(words))
    expect(report).to_contain_text("资料写道：北城地铁全长 62 公里")
    expect(report.locator("h1")).to_have_text(QUESTION)
    expect(report.locator("h2").first).to_have_text("要点")
    expect(report.locator("li").first).to_contain_text("（来源说法不一，见下文）")
    step(tab, "gauge").get_by_role("button").click()
    expect(step(tab, "gauge")).to_contain_text("搜索 3/12 · 网页 5/20")
    step(tab, "book-open").get_by_role("button").click()
    expect(step(tab, "book-open")).to_contain_text("需登录")

    check_evidence(tab)
    check_files(tab)
    check_secrets(tab, world.product.app.log)


def pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"\s*{words}\s*")


@pytest.mark.spec("Q3")
def test_change_the_plan(tab: Chat, world: World) -> None:
    """Struck lines are not searched, added ones are; gaps have their own sections."""
    propose(tab)
    expect(step(tab, "list-checks")).to_contain_text("秒后自动开始")
    line(tab, PLAN[1]).click()
    expect(line(tab, PLAN[1])).to_have_attribute("aria-pressed", "false")
    expect(step(tab, "list-checks")).not_to_contain_text("秒后自动开始")
    verb(tab, "add").click()
    expect(tab.page.locator("#chat-input")).to_be_focused()
    tab.send("北城地铁的票价\n北城地铁的司机姓名")
    expect(line(tab, "司机")).to_be_visible()
    expect(tab.page.locator('[data-step-type="user_message"]')).to_have_count(1)
    expect(step(tab, "list-checks")).to_contain_text("计划：4 个小问题")
    world.product.search.script = broken(world, "司机")
    assert axe.violations(tab.page) == {}
    verb(tab, "start").click()
    report = finished(tab)

    assert axe.violations(tab.page) == {}
    queries = world.product.queries
    assert {*queries} == {PLAN[0], PLAN[2], "北城地铁的票价", "北城地铁的司机姓名"}
    expect(step(tab, "list-checks")).to_contain_text("由您改过")
    expect(verb(tab, "start")).to_have_count(0)
    expect(report.locator("h2", has_text="没有找到的")).to_be_visible()
    expect(report).to_contain_text("“北城地铁的司机姓名”：没有找到谈到它的段落")
    expect(report).to_contain_text("“北城地铁的司机姓名”：搜索没有成功")
    expect(report).to_contain_text("需登录")
    expect(report.locator("h2", has_text="来源说法不一")).to_be_visible()
    expect(report).to_contain_text(re.compile("6[24] 公里 / 6[24] 公里"))


def broken(world: World, word: str) -> Any:
    def answer(request: Request) -> Answer:
        if word in request.params.get("q", ""):
            return Answer("Bad Gateway", 502)
        return world.web.search(request)

    return answer


@pytest.mark.spec("X1")
def test_picker(tab: Chat, world: World) -> None:
    """A report is picked for one question; then the picker is as it was before."""
    tab.pick(REPORT)
    tab.send(QUESTION)
    expect(line(tab, PLAN[0])).to_be_visible()

    expect(tab.how).to_have_text(QUICK)
    verb(tab, "start").click()
    finished(tab)
    tab.ask("/search", "联网搜索：已开启")


def test_cancel_the_plan_in_agent_mode(browser: Browser, world: World) -> None:
    """The command explains itself and names the budget; in Agent mode it can be
    picked, too; a plan keeps one line, and takes eight; a cancelled one
    searches nothing."""
    with chat(browser, world.product, {"mode": "agent"}) as tab:
        answer = tab.ask("/report", "写下要研究的问题")
        expect(answer).to_contain_text("最多搜索 12 次，打开 20 个网页，用 180 秒")
        tab.ask("/report " + "长" * 20_001, "消息太长，最多 20000 字")

        tab.pick(REPORT)
        tab.send(QUESTION)
        expect(tab.how).to_have_text(AGENT)
        for words in PLAN:
            line(tab, words).click()
        expect(step(tab, "list-checks")).to_contain_text("至少要留一行")
        verb(tab, "start").click()
        verb(tab, "add").click()
        tab.send("\n".join(f"北城地铁的第 {n} 条线路" for n in range(1, 12)))
        expect(tab.toast).to_contain_text("计划最多 8 行")
        expect(step(tab, "list-checks")).to_contain_text("计划：8 个小问题")
        verb(tab, "cancel").click()

        expect(finished(tab)).to_contain_text("由用户停止")
    assert world.product.queries == []


@pytest.mark.spec("Q1", "Q4")
@pytest.mark.journey
def test_stop_while_reading(tab: Chat, world: World) -> None:
    """A second tab follows the report, and stops it for both; the report quotes the
    pages that were read, and ends at once."""
    reading(tab, world)
    other = Chat(tab.page.context.new_page(), world.product)
    expect(step(other, "book-open")).to_contain_text("正在阅读网页：完成 4/5")
    other.page.locator("#stop-button").click()

    for each in (other, tab):
        report = finished(each)
        expect(report).to_contain_text("北城地铁全长 62 公里")
        expect(report).to_contain_text("由用户停止")
        expect(each.page.locator(".loading-shimmer")).to_have_count(0)


def test_stop_while_rewriting(tab: Chat, world: World) -> None:
    """The quotations stay, and the step says that it was stopped."""
    world.product.model.brain = slow_after_the_plan
    begin(tab)
    expect(step(tab, "pen-line")).to_contain_text("正在改写第 1/3 节")
    tab.page.locator("#stop-button").click()
    report = finished(tab)

    expect(report).to_contain_text("“北城地铁全长 62 公里")
    expect(step(tab, "pen-line")).to_contain_text("改写已停止")


def slow_after_the_plan(asked: dict[str, Any]) -> Turn:
    return Turn(
        ["\n".join(PLAN)] if is_plan(asked) else ["x"],
        first_delay=(0 if is_plan(asked) else 600),
    )


@pytest.mark.spec("Q4")
@pytest.mark.journey
def test_reload(tab: Chat, world: World) -> None:
    """A reloaded page finds the plan, the running report and its stop; a new one is
    empty once the report is finished, and opens it when asked."""
    propose(tab)
    line(tab, PLAN[1]).click()
    tab.page.reload()
    expect(line(tab, PLAN[1])).to_have_attribute("aria-pressed", "false")
    expect(tab.page.locator('[data-step-type="user_message"]')).to_have_text(QUESTION)
    world.gate.clear()
    verb(tab, "start").click()
    expect(step(tab, "book-open")).to_contain_text("正在阅读网页：完成 4/5")
    tab.page.reload()
    expect(step(tab, "book-open")).to_contain_text("正在阅读网页：完成 4/5")
    expect(tab.page.locator("#stop-button")).to_be_visible()
    world.gate.set()
    finished(tab)
    tab.page.reload()
    expect(tab.page.locator("#welcome-screen")).to_be_visible()
    ready = tab.page.get_by_role("button", name=f"打开写好的研究报告：{QUESTION}")
    assert axe.violations(tab.page) == {}
    ready.click()
    report = finished(tab)

    expect(report).to_contain_text("北城地铁全长 62 公里")
    expect(tab.page.locator('[data-step-type="user_message"]')).to_have_text(QUESTION)
    assert len(world.product.queries) == 2
    tab.ask("你好", "好")  # and the page is as free as another


@pytest.mark.spec("Q4")
def test_dropped_connection(browser: Browser, tab: Chat, world: World) -> None:
    """A page that was away while the report went on gets what it has missed; another
    browser sees nothing of it."""
    reading(tab, world)
    tab.page.context.set_offline(True)
    with chat(browser, world.product) as other:
        other.ask("你好", "好")
        expect(step(other, "gauge")).to_have_count(0)
    world.gate.set()
    tab.page.wait_for_timeout(1_500)
    tab.page.context.set_offline(False)

    report = finished(tab)
    expect(report).to_contain_text("北城地铁全长 62 公里")
    expect(report).not_to_contain_text("由用户停止")
    expect(tab.page.locator(".loading-shimmer")).to_have_count(0)
    expect(tab.page.locator('[data-step-type="user_message"]')).to_have_count(1)


def test_new_chat(tab: Chat, world: World) -> None:
    """A new chat leaves the report, and a question after it is a question."""
    reading(tab, world)
    tab.new_chat()
    tab.page.reload()
    expect(tab.gear).to_be_visible()
    tab.ask("你好", "好")

    expect(step(tab, "gauge")).to_have_count(0)


def check_files(tab: Chat) -> None:
    """The files hold the report; the bundle no word of it; the page loads nothing."""
    name = "北城地铁有多长-有多少座车站-哪一年开通"
    files = {end: downloaded(tab, f"{name}.{end}") for end in ("md", "html")}
    assert files["md"].startswith("# 北城地铁有多长")
    assert "## 参考文献" in files["md"]
    encoded = downloaded(tab, "bundle.json")  # in the opened step of the budget
    bundle = json.loads(encoded)
    assert bundle["detail_codes"] == {"page_gone": 1, "login_required": 1}
    assert not re.search("北城|公里|127.0.0.1:", encoded)
    page = tab.page.context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(files["html"])
    expect(page.get_by_role("heading", level=1)).to_contain_text("北城地铁有多长")
    assert asked == []


def check_evidence(tab: Chat) -> None:
    """The preview has the sentence, also after the model's rewriting."""
    expect(tab.last.locator(".ws-strip")).to_be_visible()
    preview = tab.page.locator("#ws-preview")
    tab.last.locator(CITATIONS).first.scroll_into_view_if_needed()
    tab.last.locator(CITATIONS).first.hover()
    expect(preview).to_contain_text("· 全文 · [1]")
    quote = preview.locator(".ws-quote").inner_text()
    expect(tab.last).to_contain_text(f"资料写道：{quote}[1]")


def check_secrets(tab: Chat, log: str) -> None:
    """No script reads the id of the browser; the log knows neither it nor queries."""
    cookies = {one["name"]: one for one in tab.page.context.cookies()}
    own = cookies["websearch-browser"]
    assert own["httpOnly"] is True
    assert own["sameSite"] == "Lax"
    assert len(own["value"]) == 43
    assert own["value"] not in log
    assert "北城" not in log


def downloaded(tab: Chat, name: str) -> str:
    with tab.page.expect_download() as download:
        tab.page.locator("a.inline-file", has_text=name).click()
    assert download.value.suggested_filename == name
    return download.value.path().read_text("utf-8")


def test_accessible_in_the_dark(browser: Browser, world: World) -> None:
    """On a phone plan, running report and finished report pass the checker."""
    dark_phone: dict[str, Any] = {"viewport": PHONE, "color_scheme": "dark"}
    with chat(browser, world.product, **dark_phone, has_touch=True) as tab:
        propose(tab)
        line(tab, PLAN[1]).click()
        expect(line(tab, PLAN[1])).to_have_attribute("aria-pressed", "false")
        assert axe.violations(tab.page) == {}
        world.gate.clear()
        verb(tab, "start").click()
        expect(step(tab, "book-open")).to_contain_text("完成 4/5")
        assert axe.violations(tab.page) == {}
        world.gate.set()
        finished(tab)
        assert axe.violations(tab.page) == {}


def test_english(browser: Browser) -> None:
    """An English page has no Chinese word of ours."""
    pages = {path: PAGES[path] for path in ("/northtown", "/login", "/gone")}
    with pages_web(pages) as web, app(web, UI_LANGUAGE="en-US") as english:
        english.search.script = web.search
        english.model.brain = writes(ENGLISH_PLAN)
        with chat(browser, english) as tab:
            words = Words(tab.page)
            propose(tab, ENGLISH, ENGLISH_PLAN[0])
            words.look("plan")
            verb(tab, "start").click()
            finished(tab)
            words.look("report")
            assert words.foreign("en-US") == {}
