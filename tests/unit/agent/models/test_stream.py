"""A short call of a model: within its time, its characters and its tokens."""

import logging

import pytest
from support.model.model_server import Brain, Turn, fails, model_server, says

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
