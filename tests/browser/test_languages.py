"""The page in Chinese and in English: every screen, nothing in the other language."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.browser.app_process import ROOT
from support.browser.chat_page import Chat, Product, chat, product
from support.browser.words import Words
from support.model.model_server import Turn, fails, says, script, search
from support.servers.faults import FAULTS
from support.servers.loopback import Answer
from support.servers.searxng_pages import healthy, row
from support.servers.searxng_pages import page as results

from agent.causes import ModelProblem
from ui.texts import page_words, text
from websearch.causes import advise

OTHER = {"zh-CN": "en-US", "en-US": "zh-CN"}
# The user's, the model's and the results' words, in the language of the page.
SAID = {
    "zh-CN": {
        "agents": ("研究助手", "写作助手"),
        "question": "北京天气",
        "other": "上海天气",
        "answer": "晴",
        "thought": "先想一想",
        "title": "标题",
    },
    "en-US": {
        "agents": ("Researcher", "Writer"),
        "question": "Paris weather",
        "other": "Rome weather",
        "answer": "Sunny",
        "thought": "Let me think",
        "title": "Title",
    },
}


class Walk:
    """One user, who meets everything there is to meet."""

    def __init__(self, tab: Chat, language: str) -> None:
        self.tab = tab
        self.page = tab.page
        self.language = language
        self.said: Any = SAID[language]
        self.words = Words(tab.page)

    def text(self, name: str, **values: object) -> str:
        return text(name, self.language, **values)

    def look(self, screen: str) -> None:
        self.page.wait_for_timeout(250)  # what opens slides in
        self.words.look(screen)

    def first(self) -> None:
        """The welcome screen and its help."""
        self.look("welcome")
        self.page.locator("#readme-button").click()
        expect(self.page.get_by_role("dialog")).to_contain_text("/doctor")
        self.look("help")
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def chrome(self) -> None:
        """The menus, dialogs and tooltips around the chat."""
        self.page.locator("#theme-toggle").click()
        expect(self.page.get_by_role("menuitem")).to_have_count(3)
        self.look("theme")
        self.page.keyboard.press("Escape")
        for button in ("#new-chat-button", "#chat-submit"):
            self.page.locator(button).hover(force=True)
            self.look(button)
        for picker in ("how", "model", "time"):
            self.tab.picker(picker).click()
            expect(self.page.locator("[cmdk-item]").first).to_be_visible()
            self.look(picker)
            self.page.keyboard.press("Escape")
        self.page.locator("#chat-input").press("/")
        expect(self.page.locator("[cmdk-item]").first).to_be_visible()
        self.look("commands")
        self.page.locator("#chat-input").fill("")

    def settings(self) -> None:
        """The panel in both modes, its lists, and the toast of its confirmation."""
        self.tab.open_settings()
        self.look("settings")
        for mode in ("agent_mode", "chat_mode", "agent_mode"):
            self.tab.choose(self.text(mode))
            if mode == "agent_mode":
                expect(self.tab.switch).to_be_disabled()
            else:
                expect(self.tab.switch).to_be_enabled()
        self.look("settings of the agent")
        sentence = self.text("evidence_sentence")
        chosen_ones = {0: self.said["agents"][1], 1: sentence, -1: "scripted-2"}
        for number, chosen in chosen_ones.items():
            self.page.get_by_role("combobox").nth(number).click()
            self.look("a list")
            self.page.get_by_role("option", name=chosen).click()
            expect(self.page.get_by_text(self.text("search_none"))).to_be_visible()
            self.look("no search")
        self.tab.choose(self.text("chat_mode"))
        self.tab.confirm()
        expect(self.tab.toast).to_be_visible()
        self.look("toast")

    def answers(self) -> None:
        """A thought, a search, an answer with its sources, and what can be done."""
        title = self.said["title"]
        rows = [row(n, title=f"{title} {n}", content=title) for n in range(1, 11)]
        self.tab.product.search.script = lambda _: results(*rows)
        self.tab.product.model.brain = says(
            f"{self.said['answer']}[1]\n\n```\nx\n```\n", reasoning=[title]
        )
        self.tab.ask("/search off", self.text("search_off"))
        self.tab.ask("/search on", self.text("search_on"))
        answer = self.tab.ask(self.said["question"], self.text("other_sources"))
        self.look("answer")
        answer.locator('a[title^="["]').hover()
        expect(self.page.locator("#ws-preview")).to_be_visible()
        self.look("preview")
        self.page.mouse.move(5, 400)
        self.look("folded")
        answer.locator(".ws-strip button").click()
        for folded in self.page.locator('button[id^="step-"]').all():
            folded.click()
        copy = page_words(self.language)["copy"]
        self.page.get_by_role("button", name=copy, exact=True).last.hover()
        self.look("unfolded")

    def failures(self) -> None:
        """Searches and models that fail, messages that can't be answered."""
        search_server, model = self.tab.product.search, self.tab.product.model
        model.brain = says(self.said["answer"])
        for name in ("json off", "limiter", "engines blocked", "hangs up"):
            search_server.script = FAULTS[name][0]
            self.tab.ask(f"/{self.said['other']}", self.said["answer"])
            self.look(name)
        self.tab.send("/doctor")
        expect(self.tab.last.get_by_role("link").last).to_be_visible()
        self.look("doctor")
        search_server.script = lambda _: Answer(results().body, delay=9.0)
        self.tab.send(self.said["question"])
        shimmer = self.page.locator(".loading-shimmer")
        expect(shimmer).to_be_visible()
        self.look("searching")
        self.page.locator("#stop-button").click()
        expect(
            self.page.get_by_text(self.text("stopped_empty").strip("*"))
        ).not_to_have_count(0)
        self.look("stopped")
        self.tab.wait_until_done()
        search_server.script = lambda _: results()
        model.brain = fails(401)
        refused = advise(ModelProblem.WRONG_KEY, {}, self.language).title
        self.tab.ask(self.said["other"], refused)
        self.look("refused key")
        too_long = self.text("too_long", most=20_000)
        self.tab.ask(self.said["answer"][0] * 20_001, too_long)
        self.tab.ask("\u200b", self.text("empty"))
        self.look("odd messages")

    def agent(self) -> None:
        """Two searches of the model's own, the same again, and the last screens."""
        self.tab.product.search.script = healthy_in(self.said["title"])
        calls = [search(self.said[name]) for name in ("question", "other")]
        self.tab.product.model.brain = script(
            Turn([self.said["thought"]], calls=calls),
            Turn([f"{self.said['answer']}[1]"]),
        )
        self.tab.open_settings()
        self.tab.choose(self.text("agent_mode"))
        expect(self.tab.switch).to_be_disabled()  # the panel is drawn anew
        self.page.get_by_role("combobox").first.click()
        self.page.get_by_role("option", name=self.said["agents"][0]).click()
        self.tab.confirm()
        for _ in range(2):
            self.tab.ask(self.said["question"], self.text("search_sources"))
        self.look("agent")
        self.page.locator("#new-chat-button").click()
        expect(self.page.get_by_role("dialog")).to_be_visible()
        self.look("new chat")
        self.page.keyboard.press("Escape")
        self.page.context.set_offline(True)
        lost = chainlit_words(self.language)["common"]["status"]["error"]
        expect(self.page.get_by_text(lost["serverConnection"])).to_be_visible()
        self.look("offline")


def healthy_in(title: str) -> Any:
    rows = [row(n, title=f"{title} {n}", content=title) for n in range(1, 4)]
    return lambda asked: results(*rows) if "q" in asked.params else healthy(asked)


def chainlit_words(language: str) -> Any:
    file = ROOT / ".chainlit" / "translations" / f"{language}.json"
    return json.loads(file.read_text("utf-8"))


@contextmanager
def speaking(language: str) -> Iterator[Product]:
    """The product with a mistake in a file, two agents and two models."""
    first, second = SAID[language]["agents"]
    agents = [
        {"id": "a", "name": first, "webSearch": {"enabled": True}},
        {"id": "b", "name": second},
    ]
    files = {
        "agents.json": json.dumps({"agents": agents}),
        "config.json": '{"tools": {,}}',
    }
    settings = {"UI_LANGUAGE": language, "WEB_SEARCH_MAX_RESULTS": "10"}
    with product(files, ["scripted", "scripted-2"], **settings) as started:
        yield started


@pytest.mark.slow
@pytest.mark.spec("M5")
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_every_screen(browser: Browser, language: str) -> None:
    """The setting rules every word of every screen, whatever the browser speaks."""
    with (
        speaking(language) as started,
        chat(browser, started, locale=OTHER[language]) as tab,
    ):
        walk = Walk(tab, language)
        walk.first()
        walk.chrome()
        walk.settings()
        walk.answers()
        walk.failures()
        walk.agent()

    assert walk.words.foreign(language) == {}


@pytest.fixture(scope="module")
def automatic() -> Iterator[Product]:
    with product() as started:
        yield started


@pytest.mark.spec("M5")
@pytest.mark.parametrize(
    ("tag", "language"),
    [("en-GB", "en-US"), ("zh-HK", "zh-CN"), ("ja-JP", "en-US")],
)
def test_the_browser_chooses(
    browser: Browser, automatic: Product, tag: str, language: str
) -> None:
    """Chainlit's words and ours are in one language, also where nothing is set."""
    with chat(browser, automatic, locale=tag) as opened:
        walk = Walk(opened, language)
        walk.first()
        opened.ask("/search", walk.text("search_on"))
        opened.open_settings()
        walk.look("settings")
        cookies = {c["name"]: c["value"] for c in opened.page.context.cookies()}

    assert walk.words.foreign(language) == {}
    assert cookies["websearch-language"] == language
