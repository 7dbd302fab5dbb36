"""
Write a picture of each screen into docs/images: `make screenshots`.

`python tests/screenshots.py first-run` takes only those whose names begin so.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from fakes.chat_page import DESKTOP, PHONE, Chat, Product, chat, product
from fakes.faults import FAULTS
from fakes.loopback import Answer, Request
from fakes.model_server import Brain, Turn, says, script, search
from fakes.searxng_pages import page, row
from playwright.sync_api import Browser, expect, sync_playwright

ONLY = sys.argv[1] if len(sys.argv) > 1 else ""
IMAGES = Path(__file__).parents[1] / "docs" / "images"
QUESTION = "Python 3.14 有哪些重要变化？"
ANSWER = (
    "**Python 3.14 带来三项主要变化**[1]：\n\n"
    '- **模板字符串**：`t"…"` 得到的是 `Template` 对象，便于安全地拼接 SQL 与 HTML[2]。\n'
    "- **自由线程构建获得正式支持**：多核上的 CPU 密集任务明显变快[1][3]。\n"
    "- **注解延迟求值**：前向引用不必再写成字符串[1]。\n\n"
    "升级前请核对依赖是否已支持自由线程[3]。"
)
FOUND = (
    ("Python 3.14 有什么新变化", "https://docs.python.example/zh-cn/3.14/whatsnew", "介绍 Python 3.14 相比 3.13 的新特性：模板字符串、注解的延迟求值、自由线程构建的正式支持。"),
    ("PEP 750：模板字符串", "https://peps.python.example/pep-0750/", "模板字符串求值得到 Template 对象，让库的作者在拼接之前拿到静态部分与插值。"),
    ("自由线程 Python 实测：多核性能提升多少", "https://blog.example.com/python-314-free-threading", "在 8 核机器上对比默认构建与自由线程构建：CPU 密集的多线程任务接近线性扩展。"),
    ("PEP 649：注解的延迟求值", "https://peps.python.example/pep-0649/", "注解在需要时才求值，前向引用因此不必再写成字符串。"),
    ("升级指南与不兼容变更", "https://guide.example.org/python-314", "升级前请检查已移除的接口，以及 multiprocessing 默认启动方式的变化。"),
)  # fmt: skip
AGENT_QUESTION = "Python 3.14 值得升级吗？请核对多个来源"
ROUNDS = {
    "Python 3.14 新特性": FOUND,
    "自由线程 Python 3.14 性能 实测": (
        FOUND[2],
        ("自由线程构建的现状与限制", "https://docs.python.example/zh-cn/3.14/howto/free-threading", "单线程速度比默认构建慢约 5%–10%，部分 C 扩展需要重新编译。"),
        ("主流扩展库对自由线程的支持情况", "https://wheels.example.org/free-threading", "截至本月，下载量最大的 360 个扩展库中有 182 个提供自由线程的安装包。"),
    ),
    "Python 3.14 升级 不兼容 依赖": (
        FOUND[4],
        ("从 3.13 升级到 3.14：一次真实的迁移记录", "https://eng.example.com/blog/upgrade-314", "两个依赖需要等新版本；其余测试全部通过，整体用时半天。"),
        ("Python 3.14.0 发行时间表", "https://peps.python.example/pep-0745/", "PEP 745：3.14.0 的发行时间、维护期与安全支持期。"),
    ),
}  # fmt: skip
AGENT_ANSWER = (
    "**值得升级，但先核对依赖。**\n\n"
    "- **新特性**：模板字符串便于安全拼接[2]，注解改为延迟求值[4]。\n"
    "- **性能**：CPU 密集的多线程任务接近线性扩展[3]；单线程慢约 5%–10%[6]。\n"
    "- **风险**：约一半的热门扩展库已支持自由线程[7]，一次真实迁移用了半天[8]。"
)
ENGLISH_ROUNDS = {
    "Python 3.14 new features": (
        ("What's new in Python 3.14", "https://docs.python.example/3.14/whatsnew", "Template strings, deferred annotations, and the free-threaded build that is officially supported."),
        ("PEP 750: Template Strings", "https://peps.python.example/pep-0750/", "A template string evaluates to a Template, so that libraries see its parts before they are joined."),
    ),
    "Python 3.14 free threading benchmark": (
        ("Free-threaded Python, measured", "https://blog.example.com/free-threading", "On eight cores CPU-bound threads scale almost linearly; a single thread is 5-10 % slower."),
    ),
}  # fmt: skip


def main() -> int:
    """Every screen, desktop and phone, light and dark, Chinese and English."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-background-networking"],
        )
        with product() as chinese:
            take_chinese(browser, chinese)
            take_agent(browser, chinese)
        with product(UI_LANGUAGE="en-US") as english:
            take_english(browser, english)
        with product() as plain:
            plain.model.brain = without_tools
            plain.search.script = finds(ROUNDS)
            take(browser, plain, "agent-no-tools", no_tools)
        with product(OPENAI_BASE_URL="") as bare:
            take(browser, bare, "no-model", welcome)
        take_first_run(browser)
        browser.close()
    sys.stdout.write(f"{len([*IMAGES.glob('*.png')])} pictures in {IMAGES}\n")
    return 0


def take_chinese(browser: Browser, running: Product) -> None:
    rows = [
        row(n, title=title, url=url, content=text)
        for n, (title, url, text) in enumerate(FOUND, start=1)
    ]
    running.search.script = lambda _: page(*rows)
    running.model.brain = says(ANSWER)
    dark: dict[str, Any] = {"color_scheme": "dark"}
    small: dict[str, Any] = {"viewport": PHONE, "has_touch": True}
    take(browser, running, "welcome", welcome)
    take(browser, running, "welcome-dark", welcome, **dark)
    take(browser, running, "welcome-phone", welcome, **small)
    take(browser, running, "answer", answer, viewport={"width": 1100, "height": 1130})
    take(browser, running, "answer-dark", answer, **dark)
    take(browser, running, "answer-phone", answer, **small)
    take(browser, running, "preview", preview)
    take(browser, running, "settings", settings)
    take(browser, running, "settings-agent", agent_settings)
    take(browser, running, "settings-phone", settings, **small)
    running.search.script = FAULTS["json off"][0]
    running.model.brain = says("根据已有知识：Python 3.14 引入了模板字符串。")
    take(browser, running, "search-failed", failed)
    take(browser, running, "search-failed-dark-phone", failed, **dark, **small)


def take_english(browser: Browser, running: Product) -> None:
    running.model.brain = says("Python 3.14 adds template strings[1].")
    take(browser, running, "welcome-english", welcome)
    take(browser, running, "answer-english", english_answer)
    running.search.script = finds(ENGLISH_ROUNDS)
    running.model.brain = searches(
        ENGLISH_ROUNDS,
        "Let me look that up in several places.",
        "**Yes, after a look at your dependencies.** Template strings are new[2]; "
        "threads scale almost linearly[3].",
    )
    take(browser, running, "agent-english", english_agent)


def take_agent(browser: Browser, running: Product) -> None:
    dark: dict[str, Any] = {"color_scheme": "dark"}
    small: dict[str, Any] = {"viewport": PHONE, "has_touch": True}
    tall: dict[str, Any] = {"viewport": {"width": 1100, "height": 1350}}
    running.model.brain = searches(ROUNDS, "我从三个方面查一下。", AGENT_ANSWER)
    running.search.script = finds(ROUNDS, slow="不兼容")
    take(browser, running, "agent-searching", agent_searching)
    take(
        browser, running, "agent-searching-dark-phone", agent_searching, **dark, **small
    )
    running.search.script = finds(ROUNDS)
    take(browser, running, "agent", agent, **tall)
    take(browser, running, "agent-dark", agent, **tall | dark)
    take(browser, running, "agent-phone", agent, **small)
    take(browser, running, "agent-unfolded", agent_unfolded, **tall)
    running.search.script = finds(ROUNDS, broken="性能")
    take(browser, running, "agent-failed", agent_failed)
    running.search.script = finds({})
    running.model.brain = script(
        Turn(calls=[search(f"Python 3.14 第 {n} 方面") for n in range(1, 10)]),
        Turn(text=["只找到了一部分[1]。"]),
    )
    take(browser, running, "agent-limit-phone", agent_limit, **small)


def take_first_run(browser: Browser) -> None:
    """Nothing is set, and nothing can be reached: not even DuckDuckGo, by its proxy."""
    nothing = {
        "SEARXNG_BASE_URL": "",
        "OPENAI_BASE_URL": "",
        "WEB_FETCH_PROXY": "http://127.0.0.1:9",
    }
    dark: dict[str, Any] = {"color_scheme": "dark"}
    small: dict[str, Any] = {"viewport": PHONE, "has_touch": True}
    with product(**nothing) as chinese:
        take(browser, chinese, "first-run", welcome)
        take(browser, chinese, "first-run-answer", first_answer)
        take(browser, chinese, "first-run-doctor", doctor)
        take(browser, chinese, "first-run-dark-phone", welcome, **dark, **small)
        take(
            browser,
            chinese,
            "first-run-answer-dark-phone",
            first_answer,
            **dark,
            **small,
        )
    with product(UI_LANGUAGE="en-US", **nothing) as english:
        take(browser, english, "first-run-english", welcome)
        take(browser, english, "first-run-answer-english", first_english_answer)


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
        rows = [
            row(n, title=title, url=url, content=text)
            for n, (title, url, text) in enumerate(rounds.get(query, FOUND), start=1)
        ]
        delay = 3.5 if slow and slow in query else 0.4
        found = page(*rows)
        return Answer(found.body, found.status, found.headers, delay)

    return answer


def take(
    browser: Browser, running: Product, name: str, act: Any, **options: Any
) -> None:
    if not name.startswith(ONLY):
        return
    options.setdefault("viewport", DESKTOP)
    with chat(browser, running, **options) as tab:
        act(tab)
        if act is not preview:
            tab.page.mouse.move(5, 400)
        tab.page.wait_for_timeout(600)
        tab.page.screenshot(path=IMAGES / f"{name}.png")


def welcome(tab: Chat) -> None:
    expect(tab.page.locator("#chat-input")).to_be_visible()
    tab.page.wait_for_timeout(500)


def answer(tab: Chat) -> None:
    tab.ask("/search on", "已开启")
    tab.ask(QUESTION, "参考文献")


def preview(tab: Chat) -> None:
    answer(tab)
    chip = tab.last.locator('a[title^="["]').first
    chip.scroll_into_view_if_needed()
    chip.hover()
    tab.page.wait_for_timeout(400)


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
    expect(tab.page.locator("[data-sonner-toast]")).to_have_count(0, timeout=10_000)


def agent_searching(tab: Chat) -> None:
    choose_agent(tab)
    tab.send(AGENT_QUESTION)
    expect(tab.page.get_by_text("找到 3 条").first).to_be_visible(timeout=10_000)


def agent(tab: Chat) -> None:
    choose_agent(tab)
    tab.ask(AGENT_QUESTION, "搜索来源")


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


def failed(tab: Chat) -> None:
    tab.ask("/search on", "已开启")
    tab.ask(QUESTION, "模板字符串")


def english_answer(tab: Chat) -> None:
    tab.ask("/search on", "Web search: on")
    tab.ask("What is new in Python 3.14?", "References")


def first_answer(tab: Chat) -> None:
    tab.ask("/search on", "已开启")
    tab.ask("怎样连接搜索引擎？", "参考文献")


def first_english_answer(tab: Chat) -> None:
    tab.ask("/search on", "Web search: on")
    tab.ask("How do I connect a search engine?", "References")


def doctor(tab: Chat) -> None:
    tab.ask("/doctor", "模型")


if __name__ == "__main__":
    sys.exit(main())
