"""Short calls of the model for a report: within its tokens, time and length."""

import asyncio
import logging
from contextlib import aclosing
from typing import Any, Final

from agent.causes import ModelProblem
from agent.models.catalog import Model
from agent.models.errors import problem_at_end, problem_of
from agent.research.budget import Meter

logger = logging.getLogger(__name__)

_MOST_PROBLEMS: Final = 2  # in a row; then the model is asked no more
_RESERVE: Final = 500  # tokens that an answer needs at least
_HIDDEN: Final = "reasoning_content"  # what a model thinks, which costs tokens too
_CHARS_A_TOKEN: Final = 3  # of words with Latin letters, roughly
_MOST_CHARS: Final = 4_000  # of an answer


class ModelCalls:
    """Calls of one report; after two problems in a row the model is left alone."""

    def __init__(self, model: Model, meter: Meter) -> None:
        self._model = model
        self._meter = meter
        self._problems = 0

    @property
    def are_possible(self) -> bool:
        """False without a model, without tokens, and after problems."""
        return (
            not self._model.is_built_in
            and self._problems < _MOST_PROBLEMS
            and self._meter.tokens_left > _RESERVE
        )

    async def ask(self, instructions: str, words: str, seconds: float) -> "Answer":
        """Ask the model; what it writes beyond some length is not waited for."""
        cost = estimated(instructions) + estimated(words)
        answer = Answer(self._meter.tokens_left - cost)
        if not self.are_possible or answer.most_tokens < _RESERVE:
            return answer
        try:
            async with asyncio.timeout(seconds):
                await self._read(instructions, words, answer)
        except Exception as error:  # noqa: BLE001  servers can cause any exception
            problem = problem_of(error)
            if problem is ModelProblem.UNREACHABLE and answer.text:
                problem = ModelProblem.CUT_OFF
            logger.warning("The model failed: %s (%s)", problem, type(error).__name__)
            answer.problem = problem
        else:
            answer.problem = None if answer.is_cut else problem_at_end(answer.whole)
        finally:
            self._meter.use_tokens(answer.tokens or cost + answer.cost)
        is_answered = answer.problem in (None, ModelProblem.TOO_LONG_ANSWER)
        self._problems = 0 if is_answered else self._problems + 1
        answer.is_cut = answer.is_cut or answer.problem is not None
        return answer

    async def _read(self, instructions: str, words: str, into: "Answer") -> None:
        messages = [("system", instructions), ("user", words)]
        chunks: Any = (await self._model.load()).astream(messages)
        async with aclosing(chunks):  # else the connection stays open
            async for chunk in chunks:
                into.add(chunk)
                if into.is_cut:
                    return


class Answer:
    """The words of a model; they are cut at a number of characters and of tokens."""

    def __init__(self, most_tokens: int) -> None:
        self.text = ""
        self.problem: ModelProblem | None = None  # that ended it
        self.is_cut = False  # it goes on behind the text
        self.whole: Any = None
        self.cost = 0  # the tokens so far, estimated
        self.most_tokens = most_tokens

    def add(self, chunk: Any) -> None:
        """Keep a chunk, unless it is beyond what may be written."""
        self.whole = chunk if self.whole is None else self.whole + chunk
        hidden = chunk.additional_kwargs.get(_HIDDEN)
        cost = estimated(chunk.text) + estimated(
            hidden if isinstance(hidden, str) else ""
        )
        if self.cost + cost > self.most_tokens:
            self.is_cut = True
            return
        self.cost += cost
        self.is_cut = len(self.text) + len(chunk.text) > _MOST_CHARS
        self.text = (self.text + chunk.text)[:_MOST_CHARS]

    @property
    def tokens(self) -> int:
        """The count of the server; 0 where it gave none."""
        counted = getattr(self.whole, "usage_metadata", None) or {}
        count = counted.get("total_tokens", 0)
        return count if isinstance(count, int) else 0


def estimated(text: str) -> int:
    """Estimate the tokens of *text*: a Chinese character is one."""
    latin = sum(map(str.isascii, text))
    return len(text) - latin - (-latin // _CHARS_A_TOKEN)
