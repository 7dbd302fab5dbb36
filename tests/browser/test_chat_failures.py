"""When search or model fails, the page says why and what to do, and goes on."""

import pytest
from playwright.sync_api import Browser, expect
from support.browser.chat_page import Chat, Product, chat, product
from support.model.model_server import fails, says
from support.servers.faults import FAULTS
from support.servers.loopback import served
from support.servers.searxng_pages import healthy
from support.waiting import PATIENCE, wait_until


@pytest.fixture
def tab(searching: Chat) -> Chat:
    return searching


@pytest.mark.journey
@pytest.mark.spec("B4", "B5", "B9", "C6", "G6")
def test_search_fails(tab: Chat, running: Product) -> None:
    """A failed search is told with cause and next step, and the answer comes; without
    SearXNG there is a link to the steps that start it."""
    for fault, words, step in (
        ("json off", "未启用 JSON 格式", "settings.yml"),
        ("engines blocked", "拒绝了请求", "3 分钟"),
        ("another web page", "不是 SearXNG", "docker compose ps"),
    ):
        running.search.script = FAULTS[fault][0]

        answer = tab.ask("北京天气", "好")

        expect(answer.locator("blockquote")).to_contain_text(words)
        expect(answer.locator("blockquote")).to_contain_text("本次回答未使用搜索结果")
        tab.page.get_by_role("button", name="搜索失败 ·").last.click()
        expect(tab.page.get_by_text(step).last).to_be_visible()

    running.search.script = lambda _: lambda: iter([])
    answer = tab.ask("北京天气", "好")
    with tab.page.context.expect_page() as opened:
        answer.get_by_role("link", name="排查步骤").click()
    expect(opened.value.get_by_text("docker compose").first).to_be_visible()


@pytest.mark.spec("B2", "B6")
def test_start_with_a_faulty_search(browser: Browser) -> None:
    """A server with JSON off does not stop the start; the first screen says so."""
    with (
        served(FAULTS["json off"][0]) as engine,
        product(SEARXNG_BASE_URL=engine.url) as faulty,
    ):
        wait_until(lambda: engine.requests, "the check at the start")
        with chat(browser, faulty) as tab:
            expect(tab.page.get_by_text("未启用 JSON 格式").first).to_be_visible()
            expect(tab.page.get_by_role("link", name="设置搜索")).to_be_visible()
            engine.script = healthy
            wait_until(lambda: shows_after_reload(tab, "SearXNG · "), "the new state")
            tab.ask("你好", "好")


def shows_after_reload(tab: Chat, words: str) -> bool:
    tab.page.reload()
    expect(tab.page.locator("#welcome-screen")).to_be_visible()
    return tab.page.get_by_text(words).first.is_visible()


@pytest.mark.spec("B4", "B9")
def test_search_times_out(tab: Chat, running: Product) -> None:
    """A search that hangs is given up at its limit, and the page says so."""
    running.search.script = lambda _: lambda: iter([PATIENCE])

    answer = tab.ask("北京天气", "好")

    expect(answer.locator("blockquote")).to_contain_text("5 秒内没有回应")


@pytest.mark.journey
def test_model_fails(tab: Chat, running: Product) -> None:
    """A model's fault is one sentence with a next step, the text before a broken
    connection stays, and the session goes on, also after odd messages."""
    for status, words in (
        (401, "拒绝了密钥"),
        (404, "没有这个模型"),
        (500, "模型服务出错"),
    ):
        running.model.brain = fails(status, "canary")
        answer = tab.ask("你好", words)
        expect(answer).not_to_contain_text("canary")

    running.model.brain = says("前半句", "后半句", finish=None)
    answer = tab.ask("你好", "中途断开")
    expect(answer).to_contain_text("前半句后半句")

    running.model.brain = says("又好了")
    for words, reply in (
        ("\u200b\u200b", "没有文字"),
        ("字" * 20_001, "太长"),
        ("😀", "又好了"),
        ("x" * 1_000_000, "太长"),
        ("再来", "又好了"),
    ):
        tab.ask(words, reply)
