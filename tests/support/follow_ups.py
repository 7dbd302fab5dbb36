"""A conversation in Chat mode whose searches are only noted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from support.search.engines import FakeEngine, Outcome
from support.sessions import offline_resources

from agent import Mode, Session
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from websearch import SearchItem, SearchResponse, SearchService


class Talk:
    """A session without a model, whose search answers as told, and its queries."""

    def __init__(self, *outcomes: Outcome, **settings: Any) -> None:
        self.engine = FakeEngine("google", *(outcomes or (found("Page"),)))
        self.resources = replace(
            offline_resources(),
            models=Models(ModelSettings(**settings)),
            search=SearchService(self.engine),
        )
        self.session = Session(self.resources)
        self.session.choose(Mode.CHAT, search=True)

    @property
    def queries(self) -> list[str]:
        return [request.query for request in self.engine.requests]

    async def ask(self, *questions: str, **options: Any) -> str:
        """Ask one question after the other; the query of the last one."""
        for question in questions:
            async for _ in self.session.ask(question, **options):
                pass
        return self.queries[-1]


async def searched(*questions: str, titles: Sequence[str] = ("Page",)) -> str:
    """The query of the last question, where each search finds pages of *titles*."""
    return await Talk(found(*titles)).ask(*questions)


def found(*titles: str, text: str = "") -> SearchResponse:
    """Pages of these titles; each says its title, or *text*."""
    items = [
        SearchItem(
            title, f"https://site{n}.example/", text or f"{title}。", "google", n
        )
        for n, title in enumerate(titles, start=1)
    ]
    return SearchResponse("q", "google", items)
