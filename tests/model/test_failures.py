"""Each failure of a real server is named as what it is."""

import asyncio

import pytest
from support.model.real_model import Start, beside
from support.pages.pages_web import PagesWeb
from support.world import failure_of

from agent.causes import ModelProblem
from agent.events import Event, Token

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("options", "settings", "problem"),
    [
        ({"api_keys": ["right"]}, {"OPENAI_API_KEY": "wrong"}, "wrong_key"),
        ({"n_predict": 4}, {}, "too_long_answer"),
    ],
)
async def test_refusals(
    options: dict[str, object],
    settings: dict[str, str],
    problem: str,
    start_llama: Start,
    web: PagesWeb,
) -> None:
    """A wrong key and an answer that the server cuts are named."""
    with start_llama(n_ctx=1_024, **options) as server:
        async with beside(server.base_url, web, on=False, model=settings) as w:
            events = await w.ask("Hello!")

    assert failure_of(events).problem is ModelProblem(problem)


async def test_death(start_llama: Start, web: PagesWeb) -> None:
    """A server that dies while it writes leaves an answer that is told to be cut."""
    events: list[Event] = []
    with start_llama(n_ctx=1_024) as server:
        async with beside(server.base_url, web, on=False) as w:
            async for event in w.session.ask("Write a story about a cat."):
                events.append(event)
                if isinstance(event, Token):
                    await asyncio.to_thread(server.end)

    assert failure_of(events).problem is ModelProblem.CUT_OFF
