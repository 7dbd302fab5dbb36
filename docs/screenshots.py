"""
Write a picture of each screen into docs/images: `make screenshots`.

The screens, what leads to them and what the servers say are in screenshots.toml.
`python docs/screenshots.py first-run` takes only those whose names begin so.
"""

import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect, sync_playwright
from support.browser.chat_page import DESKTOP, PHONE, Chat, Product, chat, product
from support.model.model_server import Brain, Turn, says, script, search
from support.pages.pages_web import HTML, article
from support.report.report_page import finished, line, step, verb, writes
from support.servers.faults import FAULTS
from support.servers.loopback import Answer, Request, served
from support.servers.searxng_pages import page, row
from support.waiting import PATIENCE

HERE = Path(__file__).parent
IMAGES = HERE / "images"
TEXTS = tomllib.loads((HERE / "screenshots.toml").read_text("utf-8"))
AGENT = TEXTS["agent"]
REPORTS = {name: TEXTS[name] for name in ("report", "report_english")}
SHELL = "<title>App</title><body><div id=root></div><script src=a.js></script>"
SMALL = {"viewport": PHONE, "has_touch": True}
DARK = {"color_scheme": "dark"}
LOOKS: dict[str, dict[str, Any]] = {  # by the end of a picture's name
    "-dark-phone": DARK | SMALL,
    "-phone": SMALL,
    "-dark": DARK,
    "": {},
}


def main() -> int:
    """Every screen, desktop and phone, light and dark, Chinese and English."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE * 1000)
    only = "".join(sys.argv[1:2])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-background-networking"],
        )
        for world in TEXTS["worlds"]:
            names = " ".join(screen["names"] for screen in world["screens"]).split()
            if not any(name.startswith(only) for name in names):
                continue
            with started(world) as running:
                for screen in world["screens"]:
                    take(browser, running, screen, only)
        browser.close()
    sys.stdout.write(f"{len([*IMAGES.glob('*.png')])} pictures in {IMAGES}\n")
    return 0


@contextmanager
def started(world: Mapping[str, Any]) -> Iterator[Product]:
    """The app; one proxy on loopback serves the pages of all hosts that it reads."""
    settings = world.get("settings", {})
    with served(PAGES[world.get("pages", "read")]) as web:
        if "pages" in world:
            reading = {"WEB_FETCH_ENABLED": "true", "WEB_FETCH_PROXY": web.url}
            settings = settings | reading
        with product(**settings) as running:
            yield running


def take(
    browser: Browser, running: Product, screen: Mapping[str, Any], only: str
) -> None:
    """Take the pictures of a screen; the end of a name tells how it is looked at."""
    if "says" in screen:
        running.model.brain = says(screen["says"])
    elif "model" in screen:
        running.model.brain = MODELS[screen["model"]]
    if "finds" in screen:
        running.search.script = SEARCHES[screen["finds"]]
    size = {**DESKTOP, "height": screen.get("height", DESKTOP["height"])}
    for name in screen["names"].split():
        if not name.startswith(only):
            continue
        end = next(end for end in LOOKS if name.endswith(end))
        look = {"viewport": size} | LOOKS["-dark" if "dark" in screen else end]
        with chat(browser, running, **look) as tab:
            tab.page.wait_for_timeout(500)
            for act in screen.get("acts", []):
                does, _, what = act.partition(" ")
                VERBS[does](tab, what)
            if "points" in screen:
                point(tab, screen["points"], taps="has_touch" in look)
            else:
                tab.page.mouse.move(5, 400)
            tab.page.wait_for_timeout(800)
            tab.page.screenshot(path=IMAGES / f"{name}.png")


# What a user does.


def point(tab: Chat, number: int, *, taps: bool) -> None:
    """Hold the mouse over a citation, or tap it."""
    expect(tab.last.locator(".ws-strip").first).to_be_visible()
    chip = tab.last.locator('a[title^="["]').nth(number)
    chip.scroll_into_view_if_needed()
    (chip.tap if taps else chip.hover)()


def ask(tab: Chat, name: str) -> None:
    """Ask a question of the table with search, and wait for the end of its answer."""
    question, ends = TEXTS["questions"][name]
    tab.ask(question, ends)


def ask_agent(tab: Chat, name: str) -> None:
    """Ask a question of the table in Agent mode, up to words of its answer."""
    question, ends = TEXTS["questions"][name]
    choose_agent(tab, "Agent mode" if question.isascii() else "Agent 模式")
    tab.ask(question, ends)


def choose_agent(tab: Chat, mode: str) -> None:
    """Confirm Agent mode in the panel, and wait until its toast is gone."""
    open_panel(tab, mode)
    tab.confirm()
    expect(tab.page.locator("[data-sonner-toast]")).to_have_count(1)
    expect(tab.page.locator("[data-sonner-toast]")).to_have_count(0)


def send(tab: Chat, name: str) -> None:
    """Ask a question of the table, and wait only for words of a step or a button."""
    question, shows = TEXTS["questions"][name]
    tab.send(question)
    expect(tab.page.get_by_text(shows).first).to_be_visible()


def settle(tab: Chat, _: str) -> None:
    """Wait until the answer is complete, and the page has scrolled to its place."""
    tab.wait_until_done()
    tab.page.wait_for_timeout(500)


def open_panel(tab: Chat, mode: str) -> None:
    """Open the settings panel, and choose a mode in it."""
    tab.open_settings()
    if mode:
        tab.choose(mode)
        expect(tab.switch).to_be_disabled()


def click(tab: Chat, name: str) -> None:
    """Click the last button with these words, once the answer has its shape."""
    expect(tab.last.locator(".ws-strip").first).to_be_visible()
    tab.page.get_by_role("button", name=name).last.click()


def visit(tab: Chat, path: str) -> None:
    """Open another page of the app."""
    tab.page.goto(f"{tab.product.url}{path}")


def scroll(tab: Chat, selector: str) -> None:
    """Scroll to the last element of a selector."""
    tab.page.locator(selector).last.scroll_into_view_if_needed()


def plan(tab: Chat, name: str) -> None:
    """Ask for a report, and wait for its plan."""
    tab.send(f"/report {REPORTS[name]['question']}")
    expect(line(tab, REPORTS[name]["plan"][0])).to_be_visible()


def strike(tab: Chat, number: str) -> None:
    """Strike a line of the plan."""
    lines = tab.page.locator('button[id*="-line-"]')
    lines.nth(int(number)).click()
    expect(lines.nth(int(number))).to_have_attribute("aria-pressed", "false")


def start(tab: Chat, _: str) -> None:
    """Start a planned report, up to the first page that refuses."""
    verb(tab, "start").click()
    expect(step(tab, "book-open")).to_contain_text("拒绝了请求")


def finish(tab: Chat, _: str) -> None:
    """Start a planned report, and wait until it is complete."""
    verb(tab, "start").click()
    finished(tab)


VERBS: dict[str, Callable[[Chat, str], None]] = {
    "ask": ask,
    "agent": ask_agent,
    "choose": choose_agent,
    "click": click,
    "finish": finish,
    "panel": open_panel,
    "plan": plan,
    "scroll": scroll,
    "send": send,
    "settle": settle,
    "start": start,
    "strike": strike,
    "visit": visit,
}


# What the servers say.


def finds(rounds: Any, *, slow: str = "", broken: str = "") -> Any:
    """A server that finds for each query its own; some slowly, some not at all."""

    def answer(request: Request) -> Answer:
        query = request.params.get("q", "")
        if broken and broken in query:
            return Answer("Bad Gateway", 502)
        results = page(
            *(
                row(n, title=title, url=url, content=text)
                for n, (title, url, text) in enumerate(
                    rounds.get(query) or TEXTS["chat"]["found"], start=1
                )
            )
        )
        delay = 3.5 if slow and slow in query else 0.4
        return Answer(results.body, results.status, results.headers, delay)

    return answer


def searches(rounds: Any, aside: str, answer: str) -> Brain:
    """A model that searches for all of *rounds* at once, and answers."""
    calls = [search(query) for query in rounds]
    return script(Turn(text=[aside], calls=calls), Turn(text=[answer]))


def without_tools(asked: dict[str, Any]) -> Turn:
    """A model that takes no tools."""
    refused = {"error": {"message": "scripted does not support tools"}}
    if asked.get("tools"):
        return Turn(status=400, error=refused)
    return Turn(text=["模板字符串与自由线程最值得一看[1][3]。"])


def read_page(request: Request) -> Answer:
    """The page of a host, as a proxy delivers it."""
    host = urlsplit(request.target).hostname or ""
    known = TEXTS["pages"].get(host, 404)
    if isinstance(known, int):
        return Answer("refused", known, HTML)
    return article(host, *known * 8) if known else Answer(SHELL, 200, HTML)


def read_slowly(request: Request) -> Answer:
    """A page after a time in which a picture can be taken."""
    page = read_page(request)
    is_slow = "org" in request.target or "com" in request.target
    return Answer(page.body, page.status, page.headers, 1.8 if is_slow else 0.2)


PLAIN = [  # without TLS the proxy can serve them
    (title, url.replace("https:", "http:"), text)
    for title, url, text in TEXTS["chat"]["found"]
]
NINE = [search(f"Python 3.14 第 {n} 方面") for n in range(1, 10)]
PAGES = {"read": read_page, "slow": read_slowly}
SEARCHES = {
    "same": finds({}),
    "json off": FAULTS["json off"][0],
    "agent": finds(AGENT["rounds"]),
    "agent slow": finds(AGENT["rounds"], slow="不兼容"),
    "agent broken": finds(AGENT["rounds"], broken="性能"),
    "agent english": finds(AGENT["english_rounds"]),
    "plain": finds({question: PLAIN for question, _ in TEXTS["questions"].values()}),
    "evidence": finds(
        {TEXTS["questions"][name][0]: found for name, found in TEXTS["results"].items()}
    ),
    "report": finds({q: one["found"] for one in REPORTS.values() for q in one["plan"]}),
}
MODELS = {
    "agent": searches(AGENT["rounds"], "我从三个方面查一下。", AGENT["answer"]),
    "agent english": searches(
        AGENT["english_rounds"],
        "Let me look that up in several places.",
        "**Yes, after a look at your dependencies.** Template strings are new[2]; "
        "threads scale almost linearly[3].",
    ),
    "limit": script(Turn(calls=NINE), Turn(text=["只找到了一部分[1]。"])),
    "without tools": without_tools,
    **{name: says(answer) for name, answer in TEXTS["answers"].items()},
    **{name: writes(one["plan"], delay=0.5) for name, one in REPORTS.items()},
}

if __name__ == "__main__":
    sys.exit(main())
