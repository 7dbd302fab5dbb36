"""Write a picture of each screen into docs/images: `make screenshots`."""

import shutil
import sys
from pathlib import Path
from typing import Any

from fakes.chat_page import DESKTOP, PHONE, Chat, Product, chat, product
from fakes.faults import FAULTS
from fakes.model_server import says
from fakes.searxng_pages import page, row
from playwright.sync_api import Browser, expect, sync_playwright

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
        with product(UI_LANGUAGE="en-US") as english:
            take_english(browser, english)
        with product(OPENAI_BASE_URL="") as bare:
            take(browser, bare, "no-model", welcome)
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


def take(
    browser: Browser, running: Product, name: str, act: Any, **options: Any
) -> None:
    options.setdefault("viewport", DESKTOP)
    with chat(browser, running, **options) as tab:
        act(tab)
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


def failed(tab: Chat) -> None:
    tab.ask("/search on", "已开启")
    tab.ask(QUESTION, "模板字符串")


def english_answer(tab: Chat) -> None:
    tab.ask("/search on", "Web search: on")
    tab.ask("What is new in Python 3.14?", "References")


if __name__ == "__main__":
    sys.exit(main())
