"""Stop: at any moment, upstream is left, searches end, and the next turn works."""

import asyncio
import random
from typing import Any

import pytest
from support.model.model_server import Turn, says, script, search
from support.servers.loopback import Answer as Reply
from support.servers.loopback import Request
from support.servers.searxng_pages import own_pages
from support.world import stopped, world

from agent import Mode
from agent.events import Answer, Token

_dice = random.Random(5)
MOMENTS = sorted(round(_dice.uniform(0, 0.7), 6) for _ in range(20))
BRAIN = script(
    Turn(["我先", "想想"], calls=[search("甲"), search("乙")], delay=0.02),
    Turn(calls=[search("丙")], delay=0.02),
    Turn(["答"] * 20, delay=0.02),
)


def slow_pages(request: Request) -> Reply:
    return Reply(own_pages(request).body, delay=0.1)


@pytest.mark.spec("M6")
@pytest.mark.parametrize("after", MOMENTS)
async def test_stop(after: float) -> None:
    """Stopped at a random moment, nothing goes on, and any next turn works."""
    options: dict[str, Any] = {"mode": Mode.AGENT, "search": slow_pages}
    async with world(BRAIN, **options) as w:
        await w.resources.load_agent()
        before = asyncio.all_tasks()
        seen = await stopped(w, after)
        await asyncio.sleep(0.01)  # connections are closed by tasks of their own

        assert asyncio.all_tasks() <= before
        assert await w.model.is_left_alone()
        queries, requests = len(w.search.queries), len(w.model.requests)
        await asyncio.sleep(0.15)
        assert (len(w.search.queries), len(w.model.requests)) == (queries, requests)

        w.model.brain = says("好")
        events = await w.ask("二")

    assert isinstance(events[-1], Answer)
    sent = w.model.requests[-1]["messages"]
    assert [m["role"] for m in sent[1:]] in (["user"], ["user", "assistant", "user"])
    assert not any(m.get("tool_calls") for m in sent)
    written = "".join(e.text for e in seen if isinstance(e, Token))
    assert len(sent) == 2 or sent[-2]["content"] in written


async def test_next_turn_in_chat_mode() -> None:
    """A stopped turn of Agent mode can be followed by Chat mode."""
    async with world(BRAIN, mode=Mode.AGENT, search=slow_pages) as w:
        await w.resources.load_agent()
        await stopped(w, 0.45)
        w.session.choose(Mode.CHAT, search=True)
        w.model.brain = says("好[1]")
        events = await w.ask("二")

    assert isinstance(events[-1], Answer)
