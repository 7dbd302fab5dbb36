"""
Write a picture of each screen into docs/images: `make screenshots`.

`python tests/screenshots.py first-run` takes only those whose names begin so.
"""

import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect, sync_playwright
from support.chat_page import DESKTOP, PHONE, Chat, Product, chat, product
from support.faults import FAULTS
from support.loopback import Answer, Request, served
from support.model_server import Brain, Turn, says, script, search
from support.pages_web import HTML, article
from support.report_page import finished, line, step, verb, writes
from support.searxng_pages import page, row
from support.waiting import PATIENCE

Look = dict[str, Any]
ONLY = sys.argv[1] if len(sys.argv) > 1 else ""
GIVEN = "http://blog.example.com/python-314 说了什么？"
ENGLISH = "What is new in Python 3.14?"
SHELL = "<title>App</title><body><div id=root></div><script src=a.js></script>"
TEXTS = tomllib.loads(
    (Path(__file__).parent / "support" / "picture_texts.toml").read_text("utf-8")
)
CHAT, AGENT = TEXTS["chat"], TEXTS["agent"]
EVIDENCE, EVIDENCE_ENGLISH = TEXTS["evidence"], TEXTS["evidence_english"]
REPORT, REPORT_ENGLISH = TEXTS["report"], TEXTS["report_english"]
IMAGES = Path(__file__).parents[1] / "docs" / "images"
DARK: Look = {"color_scheme": "dark"}
SMALL: Look = {"viewport": PHONE, "has_touch": True}
LOOKS = {"-dark-phone": DARK | SMALL, "-phone": SMALL, "-dark": DARK}


def main() -> int:
    """Every screen, desktop and phone, light and dark, Chinese and English."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-background-networking"],
        )
        take_chinese(browser)
        take_english(browser)
        take_models(browser)
        take_first_run(browser)
        take_reading(browser)
        take_follow_ups(browser)
        take_evidence(browser)
        take_report(browser)
        browser.close()
    sys.stdout.write(f"{len([*IMAGES.glob('*.png')])} pictures in {IMAGES}\n")
    return 0


def take_chinese(browser: Browser) -> None:
    with shown(lambda _: page(*rows(CHAT["found"])), says(CHAT["answer"])) as running:
        take(browser, running, welcome, "welcome", "welcome-dark", "welcome-phone")
        take(browser, running, answer, "answer", **screen(1130))
        take(browser, running, answer, "answer-dark", "answer-phone")
        take(browser, running, preview, "preview")
        running.search.script = FAULTS["json off"][0]
        running.model.brain = says("根据已有知识：Python 3.14 引入了模板字符串。")
        take(browser, running, failed, "search-failed", "search-failed-dark-phone")
        take_agent(browser, running)


def take_english(browser: Browser) -> None:
    brain = says("Python 3.14 adds template strings[1].")
    with product(UI_LANGUAGE="en-US") as running:
        running.model.brain = brain
        take(browser, running, welcome, "welcome-english")
        take(browser, running, english_answer, "answer-english")
        running.search.script = finds(AGENT["english_rounds"])
        running.model.brain = searches(
            AGENT["english_rounds"],
            "Let me look that up in several places.",
            "**Yes, after a look at your dependencies.** Template strings are new[2]; "
            "threads scale almost linearly[3].",
        )
        take(browser, running, english_agent, "agent-english")


def take_models(browser: Browser) -> None:
    with shown(finds(AGENT["rounds"]), without_tools) as plain:
        take(browser, plain, no_tools, "agent-no-tools")
    with product(OPENAI_BASE_URL="") as bare:
        take(browser, bare, welcome, "no-model")


def take_agent(browser: Browser, running: Product) -> None:
    tall = screen(1350)
    running.model.brain = searches(
        AGENT["rounds"], "我从三个方面查一下。", AGENT["answer"]
    )
    running.search.script = finds(AGENT["rounds"], slow="不兼容")
    names = "agent-searching", "agent-searching-dark-phone"
    take(browser, running, agent_searching, *names)
    running.search.script = finds(AGENT["rounds"])
    take(browser, running, agent, "agent", "agent-dark", **tall)
    take(browser, running, agent, "agent-phone")
    take(browser, running, agent_unfolded, "agent-unfolded", **tall)
    running.search.script = finds(AGENT["rounds"], broken="性能")
    take(browser, running, agent_failed, "agent-failed")
    running.search.script = finds({})
    running.model.brain = script(
        Turn(calls=[search(f"Python 3.14 第 {n} 方面") for n in range(1, 10)]),
        Turn(text=["只找到了一部分[1]。"]),
    )
    take(browser, running, agent_limit, "agent-limit-phone")


def take_first_run(browser: Browser) -> None:
    """Nothing is set, and nothing can be reached: not even DuckDuckGo, by its proxy."""
    nothing = {
        "SEARXNG_BASE_URL": "",
        "OPENAI_BASE_URL": "",
        "WEB_FETCH_PROXY": "http://127.0.0.1:9",
    }
    with product(**nothing) as running:
        names = "first-run-answer", "first-run-answer-dark-phone"
        take(browser, running, welcome, "first-run", "first-run-dark-phone")
        take(browser, running, first_answer, *names)
        take(browser, running, doctor, "first-run-doctor")
    with product(UI_LANGUAGE="en-US", **nothing) as english:
        take(browser, english, welcome, "first-run-english")
        take(browser, english, first_english_answer, "first-run-answer-english")


def take_reading(browser: Browser) -> None:
    tall = screen(1250)
    plain = [
        (title, url.replace("https:", "http:"), text)
        for title, url, text in CHAT["found"]
    ]
    found = finds(dict.fromkeys([CHAT["question"], GIVEN, ENGLISH], plain))
    brain = says("Python 3.14 adds template strings[1][2].")
    with reading(read_page) as reads:
        with shown(found, says(CHAT["answer"]), **reads) as running:
            take(browser, running, read_pages, "reading", **tall)
            take(browser, running, read_pages, "reading-phone", "reading-dark-phone")
            take(browser, running, preview, "reading-preview")
            take(browser, running, given, "reading-given", **DARK)
            take(browser, running, settings, "settings", "settings-phone")
            take(browser, running, agent_settings, "settings-agent")
        with shown(found, brain, **reads, UI_LANGUAGE="en-US") as english:
            take(browser, english, read_english, "reading-english", **tall)


def take_evidence(browser: Browser) -> None:
    found = finds(
        {
            EVIDENCE["question"]: EVIDENCE["found"],
            EVIDENCE_ENGLISH["question"]: EVIDENCE_ENGLISH["found"],
        }
    )
    with reading(read_page, EVIDENCE="values") as reads:
        with shown(found, says(EVIDENCE["answer"]), **reads) as running:
            missing = "evidence-missing", "evidence-missing-dark"
            take(browser, running, evidence, "evidence")
            take(browser, running, evidence_missing, *missing)
            take(
                browser,
                running,
                evidence_sheet,
                "evidence-phone",
                "evidence-dark-phone",
            )
            notes = [f"evidence-note{look}" for look in ("", *LOOKS)]
            take(browser, running, evidence_note, *notes)
        brain = says(EVIDENCE_ENGLISH["answer"])
        with shown(found, brain, **reads, UI_LANGUAGE="en-US") as english:
            hovered = "evidence-english", "evidence-english-dark"
            take(browser, english, english_evidence, *hovered)
            take(browser, english, english_sheet, "evidence-english-phone")


def take_report(browser: Browser) -> None:
    """The plan as it can be changed, the pages as they are read, the report."""
    tall = screen(1500)
    found = finds(
        dict.fromkeys(REPORT["plan"], REPORT["found"])
        | dict.fromkeys(REPORT_ENGLISH["plan"], REPORT_ENGLISH["found"])
    )
    with reading(read_slowly) as reads:
        with shown(found, writes(REPORT["plan"], delay=0.5), **reads) as running:
            for name, act in REPORT_SCREENS.items():
                take(browser, running, act, name, f"{name}-dark-phone")
            take(browser, running, report, "report-whole", **tall)
            take(browser, running, report, "report-dark", "report-phone")
        brain = writes(REPORT_ENGLISH["plan"], delay=0.5)
        with shown(found, brain, **reads, UI_LANGUAGE="en-US") as english:
            take(browser, english, english_plan, "report-plan-english")
            take(browser, english, english_report, "report-english", **tall)


def read_slowly(request: Request) -> Answer:
    """A page after a time in which a picture can be taken."""
    page = read_page(request)
    is_slow = "org" in request.target or "com" in request.target
    return Answer(page.body, page.status, page.headers, 1.8 if is_slow else 0.2)


def take_follow_ups(browser: Browser) -> None:
    brain = says("模板字符串在这一版里正式发布[1]。")
    with shown(finds({}), brain) as running:
        names = "follow-up", "follow-up-dark", "follow-up-phone"
        take(browser, running, follow_up, *names)
        take(browser, running, settings, "follow-up-settings")
    brain = says("Template strings are new in it[1].")
    with shown(finds({}), brain, UI_LANGUAGE="en-US") as english:
        names = "follow-up-english", "follow-up-english-phone"
        take(browser, english, english_follow_up, *names)


def read_page(request: Request) -> Answer:
    """The page of a host, as a proxy delivers it."""
    host = urlsplit(request.target).hostname or ""
    known = TEXTS["pages"].get(host, 404)
    if isinstance(known, int):
        return Answer("refused", known, HTML)
    return article(host, *known * 8) if known else Answer(SHELL, 200, HTML)


def searches(rounds: Any, aside: str, answer: str) -> Brain:
    """A model that searches for all of *rounds* at once, and answers."""
    calls = [search(query) for query in rounds]
    return script(Turn(text=[aside], calls=calls), Turn(text=[answer]))


def without_tools(asked: dict[str, Any]) -> Turn:
    refused = {"error": {"message": "scripted does not support tools"}}
    if asked.get("tools"):
        return Turn(status=400, error=refused)
    return Turn(text=["模板字符串与自由线程最值得一看[1][3]。"])


def finds(rounds: Any, *, slow: str = "", broken: str = "") -> Any:
    """A server that finds for each query its own; some slowly, some not at all."""

    def answer(request: Request) -> Answer:
        query = request.params.get("q", "")
        if broken and broken in query:
            return Answer("Bad Gateway", 502)
        delay = 3.5 if slow and slow in query else 0.4
        found = page(*rows(rounds.get(query) or CHAT["found"]))
        return Answer(found.body, found.status, found.headers, delay)

    return answer


def rows(found: Any) -> list[dict[str, Any]]:
    return [
        row(n, title=title, url=url, content=text)
        for n, (title, url, text) in enumerate(found, start=1)
    ]


@contextmanager
def shown(found: Any, brain: Brain, **settings: str) -> Iterator[Product]:
    """The product, with what its server finds and its model says."""
    with product(**settings) as running:
        running.search.script, running.model.brain = found, brain
        yield running


@contextmanager
def reading(pages: Any, **settings: str) -> Iterator[dict[str, str]]:
    """The pages have hosts of their own: a proxy on loopback serves all of them."""
    with served(pages) as web:
        yield {"WEB_FETCH_ENABLED": "true", "WEB_FETCH_PROXY": web.url, **settings}


def take(
    browser: Browser, running: Product, act: Any, *names: str, **options: Any
) -> None:
    """Pictures of one screen; the end of a name tells how it is looked at."""
    for name in names:
        if not name.startswith(ONLY):
            continue
        look = next((look for end, look in LOOKS.items() if name.endswith(end)), {})
        with chat(browser, running, **{"viewport": DESKTOP} | look | options) as tab:
            act(tab)
            if act not in POINTED:
                tab.page.mouse.move(5, 400)
            tab.page.wait_for_timeout(600)
            tab.page.screenshot(path=IMAGES / f"{name}.png")


def screen(height: int) -> Look:
    """A desktop that is high enough for a long page."""
    return {"viewport": {"width": 1100, "height": height}}


def welcome(tab: Chat) -> None:
    expect(tab.page.locator("#chat-input")).to_be_visible()
    tab.page.wait_for_timeout(500)


def asked(question: str, ends: str, on: str = "已开启") -> Callable[[Chat], None]:
    """A question with search, whose answer is complete with the words *ends*."""

    def act(tab: Chat) -> None:
        tab.ask("/search on", on)
        tab.ask(question, ends)

    return act


def asked_in_english(question: str) -> Callable[[Chat], None]:
    return asked(question, "References", "Web search: on")


answer = asked(CHAT["question"], "参考文献")
failed = asked(CHAT["question"], "模板字符串")
given = asked(GIVEN, "参考文献")
first_answer = asked("怎样连接搜索引擎？", "参考文献")
english_answer = asked_in_english(ENGLISH)
first_english_answer = asked_in_english("How do I connect a search engine?")


def read_pages(tab: Chat) -> None:
    answer(tab)
    tab.page.locator('[id^="step-"]', has_text="没读到").last.click()
    expect(tab.page.get_by_text("拒绝了请求")).to_be_visible()


def read_english(tab: Chat) -> None:
    english_answer(tab)
    tab.page.locator('[id^="step-"]', has_text="not read").last.click()


def preview(tab: Chat) -> None:
    answer(tab)
    hover(tab)


def hover(tab: Chat, number: int = 0) -> None:
    chip = tab.last.locator('a[title^="["]').nth(number)
    chip.scroll_into_view_if_needed()
    chip.hover()
    tab.page.wait_for_timeout(400)


def follow_up(tab: Chat) -> None:
    answer(tab)
    tab.send("它什么时候发布的？")
    expect(tab.page.get_by_role("button", name="按原文搜索")).to_be_visible()
    tab.wait_until_done()
    tab.page.wait_for_timeout(500)  # the page scrolls to its place
    tab.page.locator("button", has_text="按上文补全").last.scroll_into_view_if_needed()


def english_follow_up(tab: Chat) -> None:
    english_answer(tab)
    tab.send("When was it released?")
    expect(tab.page.get_by_role("button", name="Search my own words")).to_be_visible()


def evidence(tab: Chat, number: int = 0) -> None:
    evidence_answer(tab)
    hover(tab, number)


def evidence_missing(tab: Chat) -> None:
    evidence(tab, 1)


def evidence_sheet(tab: Chat) -> None:
    evidence_answer(tab)
    tab.last.locator('a[title^="["]').nth(1).tap()


def evidence_note(tab: Chat) -> None:
    evidence_answer(tab)
    tab.last.get_by_role("button", name="展开").click()


def evidence_answer(tab: Chat) -> None:
    asked(EVIDENCE["question"], "参考文献")(tab)
    expect(tab.last.locator("[data-ws-sources]").first).to_be_visible()


def english_evidence(tab: Chat) -> None:
    english_evidence_answer(tab)
    hover(tab, 1)


def english_sheet(tab: Chat) -> None:
    english_evidence_answer(tab)
    tab.last.locator('a[title^="["]').nth(1).tap()


def english_evidence_answer(tab: Chat) -> None:
    asked_in_english(EVIDENCE_ENGLISH["question"])(tab)
    expect(tab.last.locator("[data-ws-sources]").first).to_be_visible()
    tab.last.get_by_role("button", name="Show").click()


def plan(tab: Chat, question: str = REPORT["question"], struck: int = 4) -> None:
    tab.send(f"/report {question}")
    lines = tab.page.locator('button[id*="-line-"]')
    lines.nth(struck).click()
    expect(lines.nth(struck)).to_have_attribute("aria-pressed", "false")


def report_running(tab: Chat) -> None:
    tab.send(f"/report {REPORT['question']}")
    verb(tab, "start").click()
    expect(step(tab, "book-open")).to_contain_text("拒绝了请求")


def report(tab: Chat) -> None:
    tab.send(f"/report {REPORT['question']}")
    expect(line(tab, REPORT["plan"][0])).to_be_visible()
    verb(tab, "start").click()
    finished(tab)


def report_end(tab: Chat) -> None:
    report(tab)
    tab.page.locator("a.inline-file").first.scroll_into_view_if_needed()


def report_preview(tab: Chat) -> None:
    report(tab)
    hover(tab)


def english_plan(tab: Chat) -> None:
    plan(tab, REPORT_ENGLISH["question"], 3)


def english_report(tab: Chat) -> None:
    plan(tab, REPORT_ENGLISH["question"], 3)
    verb(tab, "start").click()
    finished(tab)


def settings(tab: Chat) -> None:
    tab.open_settings()


def agent_settings(tab: Chat) -> None:
    tab.open_settings()
    tab.choose("Agent 模式")
    expect(tab.switch).to_be_disabled()


def choose_agent(tab: Chat, name: str = "Agent 模式") -> None:
    tab.open_settings()
    tab.choose(name)
    expect(tab.switch).to_be_disabled()
    tab.confirm()
    expect(tab.page.locator("[data-sonner-toast]")).to_have_count(1)
    expect(tab.page.locator("[data-sonner-toast]")).to_have_count(0)


def agent_searching(tab: Chat) -> None:
    choose_agent(tab)
    tab.send(AGENT["question"])
    expect(tab.page.get_by_text("找到 3 条").first).to_be_visible(timeout=10_000)


def agent(tab: Chat) -> None:
    choose_agent(tab)
    tab.ask(AGENT["question"], "搜索来源")


def agent_unfolded(tab: Chat) -> None:
    agent(tab)
    tab.page.get_by_role("button", name="展开其余").click()
    tab.page.locator("h5").first.scroll_into_view_if_needed()


def agent_failed(tab: Chat) -> None:
    agent(tab)
    tab.page.get_by_text("搜索失败").first.scroll_into_view_if_needed()


def agent_limit(tab: Chat) -> None:
    agent(tab)
    tab.last.locator("blockquote").first.scroll_into_view_if_needed()


def no_tools(tab: Chat) -> None:
    choose_agent(tab)
    tab.ask("Python 3.14 新特性", "参考文献")


def english_agent(tab: Chat) -> None:
    choose_agent(tab, "Agent mode")
    tab.ask("Should we move to Python 3.14?", "Search results")


def doctor(tab: Chat) -> None:
    tab.ask("/doctor", "模型")


POINTED = {  # their mouse stays where it is
    preview,
    *(evidence, evidence_missing, evidence_sheet),
    *(english_evidence, english_sheet),
    report_preview,
}
REPORT_SCREENS = {
    "report-plan": plan,
    "report-running": report_running,
    "report": report,
    "report-end": report_end,
    "report-preview": report_preview,
}

if __name__ == "__main__":
    sys.exit(main())
