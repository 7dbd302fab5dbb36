"""Agent mode with a model that searches twice at once, and what its events tell."""

from typing import Any

from support.model.model_server import Brain, Turn, script, search
from support.servers.searxng_pages import own_pages
from support.world import World

from agent import Mode
from agent.events import Event, SearchFinished

AGENT: dict[str, Any] = {"mode": Mode.AGENT, "search": own_pages, "on": False}
BOTH = script(
    Turn(["我先", "搜索。"], calls=[search("甲"), search("乙")]),
    Turn(["晴[1]", "雨[4]"]),
)


def found(events: list[Event]) -> list[SearchFinished]:
    return [event for event in events if isinstance(event, SearchFinished)]


def numbers(events: list[Event]) -> list[list[int]]:
    return [[source.number for source in one.sources] for one in found(events)]


async def asked(w: World, brain: Brain, question: str = "问") -> list[Event]:
    w.model.brain = brain
    return await w.ask(question)
