"""
LiteLLM's proxy between the product and a real model.

Its 118 packages take 400 MB: `make test-model` runs this, `make test-slow` does not.
"""

from collections.abc import Iterator

import pytest
from support.model.litellm_proxy import MODEL, litellm_proxy
from support.model.real_model import QUESTIONS, Start, beside, cancelled, until_idle
from support.pages.pages_web import PagesWeb
from support.world import answer_of, failure_of

from agent.causes import ModelProblem
from agent.events import Event, Token
from benchmarks.models import Llama, Unavailable

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small(start_llama: Start) -> Iterator[Llama]:
    """A server with a small context, behind which a prompt can be too long."""
    with start_llama(n_ctx=1_024) as started:
        yield started


@pytest.fixture(scope="module")
def gateway(small: Llama, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the proxy, which is started once."""
    try:
        with litellm_proxy(small, tmp_path_factory.mktemp("litellm")) as url:
            yield url
    except Unavailable as reason:
        pytest.skip(str(reason))


async def test_chat_mode(gateway: str, web: PagesWeb) -> None:
    """An answer comes through it, with what it has cost."""
    async with beside(gateway, web, model={"OPENAI_MODEL": MODEL}) as w:
        events = await w.ask(QUESTIONS["en"])

    answer = answer_of(events)
    assert "".join(e.text for e in events if isinstance(e, Token)) == answer.text
    assert answer.usage["output_tokens"] > 0


async def test_too_long(gateway: str, web: PagesWeb) -> None:
    """A question beyond the context of the model behind it is named as that."""
    async with beside(gateway, web, on=False, model={"OPENAI_MODEL": MODEL}) as w:
        events = await w.ask("How are you today, and how were you before? " * 300)

    assert failure_of(events).problem is ModelProblem.CONTEXT_TOO_LONG


async def test_stop(gateway: str, small: Llama, web: PagesWeb) -> None:
    """Stop ends the computing of the server behind it."""

    def has_begun(events: list[Event]) -> bool:
        return any(isinstance(event, Token) for event in events)

    async with beside(gateway, web, on=False, model={"OPENAI_MODEL": MODEL}) as w:
        await cancelled(w, "Write a story about a cat.", has_begun)
        await until_idle(small)
