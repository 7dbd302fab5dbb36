"""A made-up web about a metro, a model that writes its report, and the page's parts."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from playwright.sync_api import Locator, expect
from support.browser.chat_page import Chat, Product, product
from support.model.model_server import Brain, Turn
from support.pages.pages_web import HTML, LOGIN, Answer, PagesWeb, article
from support.report.research_models import is_plan, quoted

QUESTION: Final = "北城地铁有多长？有多少座车站？哪一年开通？"
PLAN: Final = ("北城地铁全长多少公里", "北城地铁有多少座车站", "北城地铁哪一年开通")
ENGLISH: Final = "How long is the metro of Northtown? How many stations has it?"
ENGLISH_PLAN: Final = (
    "How long is the metro of Northtown",
    "How many stations has the metro of Northtown",
    "When did the metro of Northtown open",
)
FILLER: Final = "列车每天从清晨开到深夜，票价按里程计算，换乘不另收费。"
ENGLISH_FILLER: Final = "Trains run from early morning to midnight every day."

PAGES: Final[Mapping[str, Answer]] = {
    "/city": article(
        "北城地铁概况",
        "北城地铁全长 62 公里。",
        "北城地铁共有 48 座车站。",
        "北城地铁于 1984 年开通。",
        *[FILLER] * 9,
    ),
    "/guide": article(
        "北城地铁乘车指南",
        "北城地铁全长 64 公里。",
        "北城地铁有四条线路。",
        "北城地铁的车站都有电梯。",
        *[FILLER] * 9,
    ),
    "/northtown": article(
        "The metro of Northtown",
        "The metro of Northtown is 62 kilometres long and has 48 stations.",
        "The metro of Northtown opened in 1984.",
        *[ENGLISH_FILLER] * 9,
    ),
    "/login": LOGIN,
    "/gone": Answer("gone", 404, HTML),
}

_OPENING: Final = {True: "资料写道：", False: "It is written: "}


def writes(plan: Sequence[str] = PLAN, *, delay: float = 0.0) -> Brain:
    """A model that plans, and rewrites each quotation in a sentence of its own."""

    def brain(asked: dict[str, Any]) -> Turn:
        if is_plan(asked):
            return Turn(["\n".join(plan)])
        lines = [
            f"{_OPENING[words[0] > 'z']}{words[:-1]}{marks}{words[-1]}\n"
            for marks, words in quoted(asked)
        ]
        return Turn(lines or ["好"], first_delay=delay)

    return brain


def app(web: PagesWeb, **settings: str) -> AbstractContextManager[Product]:
    """The app, which finds and reads the pages of *web*."""
    return product(**{"WEB_FETCH_ENABLED": "true", **web.settings, **settings})


def step(tab: Chat, icon: str) -> Locator:
    """The step with this icon."""
    return tab.page.locator(f'[data-step-type="tool"]:has(svg.lucide-{icon})')


def line(tab: Chat, words: str) -> Locator:
    """The button of a line of the plan."""
    return tab.page.locator('button[id*="-line-"]', has_text=words)


def verb(tab: Chat, name: str) -> Locator:
    """The button below the plan that adds, starts or cancels."""
    return tab.page.locator(f'button[id^="plan-"][id$="-{name}"]')


def finished(tab: Chat) -> Locator:
    """The report, when it is complete."""
    files = tab.page.locator('[data-step-type="assistant_message"] a.inline-file')
    expect(files).to_have_count(2)
    tab.wait_until_done()
    return tab.last
