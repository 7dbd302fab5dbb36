"""Agent mode in a browser: a model that searches for two cities, and what is seen."""

import threading
from typing import Any

from playwright.sync_api import Locator, expect
from support.browser.chat_page import AGENT, Chat, Product
from support.model.model_server import Turn, script, search
from support.servers.loopback import Request, held_back
from support.servers.searxng_pages import healthy, row
from support.servers.searxng_pages import page as results
from support.waiting import wait_until

FIRST = {"北京 天气": 1, "上海 天气": 6}  # page of each query; others begin at 11
TWO = Turn(
    text=["我先", "搜索一下[1]。"], calls=[search("北京 天气"), search("上海 天气")]
)
ANSWER = script(TWO, Turn(text=["北京晴[1]", "，上海雨[6]。"]))


def prepare(running: Product) -> None:
    running.reset()
    running.search.script = weather
    running.model.brain = ANSWER


def weather(request: Request) -> Any:
    """Five pages for each query, other ones for each."""
    query = request.params.get("q")
    if query is None:
        return healthy(request)
    first = FIRST.get(query, 11)
    return results(*(row(n) for n in range(first, first + 5)))


def waiting(**cities: threading.Event) -> Any:
    """The same; a city's as soon as its event is set."""

    def answer(request: Request) -> Any:
        released = cities.get(request.params.get("q", "")[:2])
        found = weather(request)
        return held_back(found, released) if released else found

    return answer


def choose_agent(tab: Chat, name: str = "Agent 模式") -> None:
    tab.open_settings()
    tab.choose(name)
    expect(tab.switch).to_be_disabled()
    tab.confirm()
    expect(tab.how).to_have_text(AGENT)


def step(tab: Chat, words: str) -> Locator:
    return tab.page.locator('[data-step-type="tool"]').filter(has_text=words)


def cards(answer: Locator) -> list[list[str]]:
    """Number and address of each source that is listed."""
    listed = answer.locator('li:has(> a[title^="↗"])')
    return listed.evaluate_all(
        "e => e.map(x => [x.querySelector('span.font-bold').innerText,"
        " x.querySelector('a').href])"
    )


def links(answer: Locator) -> list[list[str]]:
    """Number and address of each marker."""
    markers = answer.locator('a[title^="["]')
    return markers.evaluate_all("e => e.map(x => [x.innerText, x.href])")


def copy_last(tab: Chat) -> str:
    """The clipboard after a click on the last answer's button."""
    tab.page.get_by_role("button", name="复制").last.click()
    read = "navigator.clipboard.readText()"
    wait_until(lambda: tab.page.evaluate(read), "the clipboard")
    return str(tab.page.evaluate(read))
