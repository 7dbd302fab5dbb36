"""The whole product in a browser: the app, a scripted model and SearXNG."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from support.browser.app_process import App, running_app
from support.model.model_server import ModelServer, model_server, says
from support.servers.loopback import Loopback, served
from support.servers.searxng_pages import healthy
from support.waiting import PATIENCE

from ui.panel.preferences import COOKIE
from websearch.doctor.engine import TEST_QUERY

DESKTOP = {"width": 1100, "height": 800}
PHONE = {"width": 390, "height": 780}

# Options of the picker of the way to answer.
QUICK, AGENT, REPORT, OFFLINE = "快速搜索", "深入搜索 Agent", "研究报告", "不联网"


@dataclass(slots=True)
class Product:
    """The addresses of the app and of the servers behind it."""

    app: App
    model: ModelServer
    search: Loopback

    @property
    def url(self) -> str:
        return self.app.url

    @property
    def queries(self) -> list[str]:
        """The users' queries; the app's own check of search may come at any time."""
        return [query for query in self.search.queries if query != TEST_QUERY]

    def reset(self) -> None:
        """As at the start: a model that says one word, a healthy search."""
        self.model.brain = says("好")
        self.search.script = healthy
        self.search.requests.clear()


@contextmanager
def product(
    files: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    **environment: str,
) -> Iterator[Product]:
    """The product beside *files*, such as agents.json; the model server has *names*."""
    with model_server() as model, served(healthy) as search:
        model.names = names
        settings = {
            "SEARXNG_BASE_URL": search.url,
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_MODEL": "scripted",
            **environment,
        }
        with running_app(files, **settings) as app:
            yield Product(app, model, search)


class Chat:
    """A tab with the page, used as a person uses it."""

    def __init__(self, page: Page, product: Product) -> None:
        self.page = page
        self.product = product
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(product.url)
        expect(self.gear).to_be_visible()

    @property
    def gear(self) -> Locator:
        return self.page.locator("#chat-settings-header-button")

    @property
    def switch(self) -> Locator:
        """The search switch of the panel."""
        return self.page.locator('[role="switch"][id^="search"]')

    @property
    def reading(self) -> Locator:
        """The switch of the panel for reading pages."""
        return self.page.locator('[role="switch"][id^="reading"]')

    @property
    def agents(self) -> Locator:
        """The list of agents, the first of the panel."""
        return self.page.get_by_role("combobox").first

    @property
    def models(self) -> Locator:
        """The list of models, the last of the panel."""
        return self.page.get_by_role("combobox").last

    @property
    def toast(self) -> Locator:
        return self.page.locator("[data-sonner-toast]").first

    @property
    def messages(self) -> Locator:
        return self.page.locator(".message-content")

    @property
    def last(self) -> Locator:
        return self.messages.last

    @property
    def how(self) -> Locator:
        """The composer's picker of the way to answer."""
        return self.picker("how")

    def picker(self, name: str) -> Locator:
        return self.page.locator(f"#mode-picker-trigger-{name}")

    def pick(self, option: str, picker: str = "how") -> None:
        """Pick an option by its name; the page shows it when the server knows it."""
        self.picker(picker).click()
        popover = self.page.locator(f"#mode-picker-popover-{picker}")
        popover.locator("[cmdk-item]").filter(has_text=option).first.click()
        expect(self.picker(picker)).to_contain_text(option)

    def send(self, words: str) -> None:
        self.page.locator("#chat-input").fill(words)
        expect(self.page.locator("#chat-submit")).to_be_enabled()
        self.page.locator("#chat-submit").click()

    def ask(self, words: str, answer: str) -> Locator:
        """Send a question, and wait until its answer stands there complete."""
        self.send(words)
        expect(self.last).to_contain_text(answer)
        self.wait_until_done()
        return self.last

    def wait_until_done(self) -> None:
        expect(self.page.locator("#stop-button")).to_have_count(0)

    def open_settings(self) -> None:
        self.gear.click()
        expect(self.switch).to_be_visible()

    def choose(self, mode: str) -> None:
        self.page.get_by_role("radio", name=mode).click()

    def new_chat(self) -> None:
        self.page.locator("#new-chat-button").click()
        self.page.locator("#confirm").click()
        expect(self.messages).to_have_count(0)

    def confirm(self) -> None:
        self.page.locator("#confirm-sidebar, #confirm").first.click()


@contextmanager
def fresh_context(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A browser without memory, of a reader of Chinese where nothing else is said."""
    options.setdefault("locale", "zh-CN")
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    try:
        yield context
    finally:
        context.close()


@contextmanager
def chat(
    browser: Browser,
    product: Product,
    kept: Mapping[str, Any] | None = None,
    **options: Any,
) -> Iterator[Chat]:
    """A tab of its own; *kept* are choices of a visit before, such as the mode."""
    options.setdefault("viewport", DESKTOP)
    with fresh_context(browser, **options) as context:
        if kept:
            value = quote(json.dumps(kept))
            context.add_cookies([{"name": COOKIE, "value": value, "url": product.url}])
        opened = Chat(context.new_page(), product)
        yield opened
        assert opened.errors == []
