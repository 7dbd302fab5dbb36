"""Prompt, history and pages fit the context that a real server has."""

from collections.abc import Iterator

import pytest
from support.model.real_model import QUESTIONS, Start, beside, places
from support.pages.pages_web import PagesWeb
from support.world import answer_of

from agent import ConversationState, Mode
from agent.events import Answer, ReadingFinished
from agent.history import Turn

pytestmark = pytest.mark.slow

LONG = "The town has a market on every second Tuesday, and a fair in the autumn. " * 20


@pytest.fixture(scope="module")
def long_web() -> Iterator[PagesWeb]:
    """The same places, whose pages are longer than a small context."""
    with places(times=40) as served:
        yield served


def assert_fits(answer: Answer, context: int) -> None:
    """The prompt is in the context, and a fifth of it is left for the answer."""
    assert 0 < answer.usage["input_tokens"] <= context * 0.8
    assert answer.text.strip()


@pytest.mark.spec("Y2")
@pytest.mark.parametrize(
    ("context", "language"), [(2_048, "en"), (2_048, "zh"), (4_096, "zh")]
)
async def test_pages(
    context: int, language: str, start_llama: Start, long_web: PagesWeb
) -> None:
    """The first question is answered from pages that are cut to what fits."""
    with start_llama(n_ctx=context) as server:
        async with beside(server.base_url, long_web, WEB_READ_CHARS=12_000) as w:
            await w.resources.models.refresh()
            events = await w.ask(QUESTIONS[language])

    assert any(isinstance(event, ReadingFinished) for event in events)
    assert_fits(answer_of(events), context)


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("mode", Mode)
async def test_long_conversation(mode: Mode, start_llama: Start, web: PagesWeb) -> None:
    """After ten long turns a small context still has room for the next one."""
    turns = tuple(Turn(f"Tell me more, part {n}. {LONG}", LONG) for n in range(10))
    with start_llama(n_ctx=2_048) as server:
        async with beside(server.base_url, web, mode=mode, on=False) as w:
            await w.resources.models.refresh()
            w.session.state = ConversationState(mode, search=False, turns=turns)
            events = await w.ask("And what is sold there?")

    assert_fits(answer_of(events), 2_048)
