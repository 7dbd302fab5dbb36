"""The whole product under hostile words, and as those meet it who do not see it."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.browser.app_process import ROOT
from support.browser.axe import violations
from support.browser.chat_page import DESKTOP, PHONE, Chat, Product, chat
from support.model.model_server import says
from support.servers.faults import FAULTS
from support.servers.searxng_pages import page as results
from support.servers.searxng_pages import row

BYPASS = ROOT.parent / "shared" / "corpora" / "vercel-bypass"
TOGETHER = 12  # documents in one answer
A_PAGE = 3 * TOGETHER  # a longer page would be slow
A_TOKEN = 31  # characters: an odd number cuts marks and tags in all places


@pytest.mark.slow
@pytest.mark.spec("N1")
def test_hostile_words(browser: Browser, running: Product) -> None:
    """Whatever a model or a result says, nothing is asked of another host."""
    if not BYPASS.is_dir():
        pytest.skip("the hostile documents are not part of the project")
    texts = [
        p.read_text("utf-8", errors="replace") for p in sorted(BYPASS.glob("*.md"))
    ]
    assert len(texts) > 100
    asked: list[str] = []
    dialogs: list[str] = []
    for page in batched(texts, A_PAGE):
        with chat(browser, running) as tab:
            tab.page.on("request", lambda request: asked.append(request.url))
            tab.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
            for some in batched(page, TOGETHER):
                rows = [row(n, title=t, content=t) for n, t in enumerate(some, start=1)]
                running.search.script = lambda _, rows=rows: results(*rows)
                answer = "\n\n".join(some)
                running.model.brain = says(*batched(answer, A_TOKEN), "\n\n完。")
                tab.send("问")
                expect(tab.last).to_contain_text("来源")
                tab.wait_until_done()

    foreign = [u for u in asked if not u.startswith((running.url, "data:", "blob:"))]
    assert foreign == []
    assert dialogs == []


def batched(whole: Any, size: int) -> list[Any]:
    return [whole[start : start + size] for start in range(0, len(whole), size)]


def welcome(tab: Chat) -> None:
    expect(tab.page.locator("#chat-input")).to_be_visible()


def answer(tab: Chat) -> None:
    tab.product.model.brain = says(
        "**结论**[1]。\n\n| 项 | 值 |\n| - | - |\n| a | b[2] |\n\n```\nx\n```"
    )
    tab.ask("北京天气", "参考文献")


def failure(tab: Chat) -> None:
    tab.product.search.script = FAULTS["json off"][0]
    tab.ask("上海天气", "未使用搜索结果")


def settings(tab: Chat) -> None:
    tab.open_settings()
    tab.choose("Agent 模式")
    expect(tab.switch).to_be_disabled()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [(DESKTOP, "light"), pytest.param(PHONE, "dark", marks=pytest.mark.slow)],
    ids=["desktop", "phone"],
)
@pytest.mark.journey
def test_access(browser: Browser, running: Product, size: Any, scheme: str) -> None:
    """No screen breaks WCAG A or AA."""
    running.reset()
    found: dict[str, object] = {}
    with chat(browser, running, viewport=size, color_scheme=scheme) as tab:
        for screen in (welcome, answer, failure, settings):
            screen(tab)
            tab.page.wait_for_timeout(500)
            found[screen.__name__] = violations(tab.page)

    assert found == {"welcome": {}, "answer": {}, "failure": {}, "settings": {}}
