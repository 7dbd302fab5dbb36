"""A short call of a model: within its time, its characters and its tokens."""

import logging
from typing import Any

import pytest
from support.model.model_server import (
    ALIVE,
    Brain,
    Turn,
    fails,
    model_server,
    says,
)
from support.world import failure_of, world

from agent import Mode
from agent.events import Token
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.models.stream import Written, write


async def written(
    brain: Brain,
    *,
    seconds: float = 10,
    most: int = 100,
    most_tokens: int | None = None,
) -> Written:
    """What a model with this *brain* writes to `q`."""
    with model_server(brain) as server:
        models = Models(
            ModelSettings(OPENAI_BASE_URL=server.base_url, OPENAI_API_KEY="k")  # type: ignore[arg-type]
        )
        messages = [("user", "q")]
        try:
            await models.default.load()
            written = Written(most=most, most_tokens=most_tokens)
            await write(models.default, messages, seconds, written)
            return written
        finally:
            await models.aclose()


@pytest.mark.parametrize(
    ("brain", "limits", "text", "is_cut"),
    [
        (says("一", "二"), {}, "一二", False),
        (says("一", "二三", "四"), {"most": 2}, "一二", True),
        (says("一" * 500), {"most": 2}, "一一", True),
        (says("一", "二", "三"), {"most_tokens": 2}, "一二", True),
        (says("一", reasoning=["想" * 9]), {"most_tokens": 9}, "", True),
    ],
    ids=["whole", "characters", "one long piece", "tokens", "thoughts count too"],
)
async def test_limits(
    brain: Brain,
    limits: dict[str, int],
    text: str,
    caplog: pytest.LogCaptureFixture,
    *,
    is_cut: bool,
) -> None:
    """What is beyond a limit is cut off, and is no problem of the model or of ours."""
    got = await written(brain, **limits)

    assert (got.text, got.is_cut, got.problem) == (text, is_cut, None)
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    "more", [{}, {"reasoning": ["想" * 150_000] * 2}], ids=["text", "thoughts"]
)
async def test_an_endless_answer(mode: Mode, more: dict[str, Any]) -> None:
    """An answer, or a thought, ends at 200,000 characters, with its problem; and the
    server is left."""
    brain = says(*["好" * 150_000] * 2, alive=ALIVE, **more)
    async with world(brain, mode=mode, on=False) as w:
        events = await w.ask("问")
        is_left = await w.model.is_left_alone()

    assert failure_of(events).problem == "too_long_answer"
    assert sum(len(e.text) for e in events if isinstance(e, Token)) <= 200_000
    assert is_left


@pytest.mark.parametrize(
    ("brain", "text", "problem"),
    [
        (says("一", "二", delay=0.4), "一", "timeout"),
        (fails(401, "canary"), "", "wrong_key"),
        (lambda _: Turn(["一", "二"], cut_after=1), "一", "cut_off"),
    ],
    ids=["too slow", "refused", "cut"],
)
async def test_problems(
    brain: Brain, text: str, problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A failure has its name beside the words that came; nothing is raised."""
    got = await written(brain, seconds=0.6 if problem == "timeout" else 10)

    assert (got.text, got.problem) == (text, problem)
    assert "canary" not in caplog.text
