"""Read what a model writes."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from typing import Any, Final

from agent.causes import ModelProblem
from agent.events import Aside, Thought, Token
from agent.models.catalog import Model
from agent.models.context import count_tokens
from agent.models.errors import problem_at_end, problem_of
from agent.models.text_parts import TAKES_BACK

logger = logging.getLogger(__name__)

MOST_WRITTEN: Final = 200_000  # characters


class Written:
    """
    The text of a model while it comes, the tokens that it counted, and its problem.

    It takes at most *most* characters, and at most *most_tokens* with the thoughts;
    where the model goes on, it *is_cut*. An answer of `MOST_WRITTEN` characters, or
    thoughts of as many, have a problem.
    """

    def __init__(
        self, *, most: int = MOST_WRITTEN, most_tokens: int | None = None
    ) -> None:
        self.usage: dict[str, int] = {}
        self.pieces: list[str] = []
        self.problem: ModelProblem | None = None
        self.is_cut = False
        self.tokens = 0  # estimated, of text and thoughts, where they are limited
        self._most = most
        self._most_tokens = most_tokens
        self._written = self._thought = 0  # characters

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def add(self, chunk: Any) -> Iterator[Thought | Token | Aside]:
        """Take in a chunk of the model's stream, and yield its events."""
        if counted := chunk.usage_metadata:
            for name in ("input_tokens", "output_tokens"):
                self.usage[name] = self.usage.get(name, 0) + counted[name]
        thought, text = chunk.additional_kwargs.get("reasoning_content"), chunk.text
        if chunk.additional_kwargs.get(TAKES_BACK):  # all of it were thoughts
            thought, self._written = self.text + (thought or ""), 0
            self.pieces.clear()
            yield Aside("")
        if self._most_tokens is not None:
            tokens = count_tokens(thought or "") + count_tokens(text)
            if self.tokens + tokens > self._most_tokens:
                self.is_cut = True
                return
            self.tokens += tokens
        left = self._most - self._written
        self._written += len(text)
        self._thought += len(thought or "")
        if len(text) > left or self._thought > MOST_WRITTEN:
            self.is_cut = True
            if self._most == MOST_WRITTEN:
                self.problem = ModelProblem.TOO_LONG_ANSWER
        if thought:
            yield Thought(thought)
        if text := text[: max(left, 0)]:
            self.pieces.append(text)
            yield Token(text)

    def end(self) -> None:
        """Note that nothing is left, also where all of it was taken back."""
        if not self.text.strip():
            self.problem = self.problem or ModelProblem.SILENT

    def fail(self, error: BaseException) -> None:
        """Note what *error* means; its own words are shown nowhere."""
        self.problem = problem_of(error, has_begun=bool(self.pieces))
        logger.warning("The model failed: %s (%s)", self.problem, type(error).__name__)


async def stream(
    model: Model, messages: Sequence[tuple[str, str]], written: Written
) -> AsyncGenerator[Thought | Token | Aside, None]:
    """
    Yield the model's answer to *messages* as it comes, and collect it in *written*.

    Nothing is raised: at the end *written* names the problem, if there was one. The
    answer is read in a task of its own, which is cancelled where nobody wants the rest:
    generators that are left early would be closed by another task, at some time.
    """
    events: asyncio.Queue[Thought | Token | Aside | None] = asyncio.Queue()

    async def read() -> None:
        whole: Any = None
        sent = sum(count_tokens(text) for _, text in messages)
        try:
            async for chunk in (await model.load()).astream([*messages]):
                whole = chunk if whole is None else whole + chunk
                for event in () if written.is_cut else written.add(chunk):
                    events.put_nowait(event)
                if written.is_cut:
                    reading.cancel()
            model.context.learn(sent, written.usage.get("input_tokens", 0))
            if problem := problem_at_end(whole):
                logger.warning("The model's answer ended badly: %s", problem)
                written.problem = problem
            written.end()
        except Exception as error:  # noqa: BLE001  servers can cause any exception
            written.fail(error)
            if written.problem is ModelProblem.CONTEXT_TOO_LONG:
                model.context.refuse(sent, error)
        finally:
            events.put_nowait(None)

    reading = asyncio.create_task(read())
    try:
        while (event := await events.get()) is not None:
            yield event
    finally:
        reading.cancel()
        await asyncio.wait([reading])


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
