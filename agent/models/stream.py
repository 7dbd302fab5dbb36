"""Read what a model writes, and estimate tokens."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from typing import Any, Final

from agent.causes import ModelProblem
from agent.events import Thought, Token
from agent.models.catalog import Model
from agent.models.errors import problem_at_end, problem_of

logger = logging.getLogger(__name__)

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_NARROW_PER_TOKEN: Final = 4


class Written:
    """
    The text of a model while it comes, the tokens that it counted, and its problem.

    It takes at most *most* characters, and at most *most_tokens* with the thoughts;
    where the model goes on, it *is_cut*.
    """

    def __init__(
        self, *, most: int | None = None, most_tokens: int | None = None
    ) -> None:
        self.usage: dict[str, int] = {}
        self.pieces: list[str] = []
        self.problem: ModelProblem | None = None
        self.is_cut = False
        self.tokens = 0  # estimated, of text and thoughts, where they are limited
        self._most = most
        self._most_tokens = most_tokens

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def add(self, chunk: Any) -> Iterator[Thought | Token]:
        """Take in a chunk of the model's stream, and yield its events."""
        if counted := chunk.usage_metadata:
            for name in ("input_tokens", "output_tokens"):
                self.usage[name] = self.usage.get(name, 0) + counted[name]
        thought, text = chunk.additional_kwargs.get("reasoning_content"), chunk.text
        if self._most_tokens is not None:
            tokens = count_tokens(thought or "") + count_tokens(text)
            if self.tokens + tokens > self._most_tokens:
                self.is_cut = True
                return
            self.tokens += tokens
        if self._most is not None:
            left = self._most - sum(map(len, self.pieces))
            self.is_cut = len(text) > left
            text = text[:left]
        if thought:
            yield Thought(thought)
        if text:
            self.pieces.append(text)
            yield Token(text)

    def fail(self, error: BaseException) -> None:
        """Note what *error* means; its own words are shown nowhere."""
        self.problem = problem_of(error, has_begun=bool(self.pieces))
        logger.warning("The model failed: %s (%s)", self.problem, type(error).__name__)


async def stream(
    model: Model, messages: Sequence[tuple[str, str]], written: Written
) -> AsyncGenerator[Thought | Token, None]:
    """
    Yield the model's answer to *messages* as it comes, and collect it in *written*.

    Nothing is raised: at the end *written* names the problem, if there was one.
    """
    whole: Any = None
    try:
        chunks: Any = (await model.load()).astream([*messages])
        async with aclosing(chunks):  # else the connection stays open
            async for chunk in chunks:
                whole = chunk if whole is None else whole + chunk
                for event in written.add(chunk):
                    yield event
                if written.is_cut:
                    return
    except Exception as error:  # noqa: BLE001  servers can cause any exception
        written.fail(error)
        return
    if problem := problem_at_end(whole):
        logger.warning("The model's answer ended badly: %s", problem)
        written.problem = problem


async def write(
    model: Model, messages: Sequence[tuple[str, str]], seconds: float, written: Written
) -> None:
    """Let the model write at most *seconds*; the stream is closed in this very task."""
    try:
        async with (
            asyncio.timeout(seconds),
            aclosing(stream(model, messages, written)) as events,
        ):
            async for _ in events:
                pass
    except TimeoutError as error:
        written.fail(error)


def count_tokens(text: str) -> int:
    """Estimate tokens: one for a Han character, one for four letters."""
    wide = len(_WIDE.findall(text))
    return wide - (wide - len(text)) // _NARROW_PER_TOKEN
