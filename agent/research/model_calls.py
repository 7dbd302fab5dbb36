"""Short calls of the model for a report: within its tokens, time and length."""

import asyncio
import logging
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from agent.events import ModelProblem
from agent.models.catalog import Model
from agent.models.errors import problem_at_end, problem_of
from agent.research.budget import Meter

logger = logging.getLogger(__name__)

_MOST_PROBLEMS: Final = 2  # in a row; then the model is asked no more
_RESERVE: Final = 500  # tokens that an answer needs at least
_HIDDEN: Final = "reasoning_content"  # what a model thinks, which costs tokens too
_CHARS_A_TOKEN: Final = 3  # of words with Latin letters, roughly
_CUT: Final = frozenset({ModelProblem.TOO_LONG_ANSWER})


@dataclass(frozen=True, slots=True)
class Written:
    """The words of a model, and the problem that ended them, if any."""

    text: str = ""
    problem: ModelProblem | None = None
    is_cut: bool = False  # it goes on behind the text


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

    async def ask(
        self, instructions: str, words: str, *, most_chars: int, seconds: float
    ) -> Written:
        """Ask the model; what it writes beyond *most_chars* is not waited for."""
        cost = estimated(instructions) + estimated(words)
        left = self._meter.tokens_left - cost
        if not self.are_possible or left < _RESERVE:
            return Written()
        written = _Answer(most_chars, left)
        problem: ModelProblem | None = None
        try:
            async with asyncio.timeout(seconds):
                await self._read(instructions, words, written)
        except Exception as error:  # noqa: BLE001  servers can cause any exception
            problem = problem_of(error)
            if problem is ModelProblem.UNREACHABLE and written.text:
                problem = ModelProblem.CUT_OFF
            logger.warning("The model failed: %s (%s)", problem, type(error).__name__)
        else:
            problem = None if written.is_cut else problem_at_end(written.whole)
        finally:
            self._meter.use_tokens(written.tokens or cost + written.cost)
        self._problems = 0 if problem is None or problem in _CUT else self._problems + 1
        is_cut = written.is_cut or problem is not None
        return Written(written.text, problem, is_cut)

    async def _read(self, instructions: str, words: str, into: "_Answer") -> None:
        messages = [("system", instructions), ("user", words)]
        chunks: Any = (await self._model.load()).astream(messages)
        async with aclosing(chunks):  # else the connection stays open
            async for chunk in chunks:
                into.add(chunk)
                if into.is_cut:
                    return


class _Answer:
    """An answer while it comes; it is cut at a number of characters and of tokens."""

    def __init__(self, most_chars: int, most_tokens: int) -> None:
        self.whole: Any = None
        self.is_cut = False
        self._most_chars, self._most_tokens = most_chars, most_tokens
        self._pieces: list[str] = []
        self._chars = self._others = self._latin = 0

    @property
    def text(self) -> str:
        """The words so far."""
        return "".join(self._pieces)

    @property
    def cost(self) -> int:
        """The tokens so far, estimated."""
        return self._others + _tokens(self._latin)

    def add(self, chunk: Any) -> None:
        """Keep a chunk, unless it is beyond what may be written."""
        self.whole = chunk if self.whole is None else self.whole + chunk
        hidden = chunk.additional_kwargs.get(_HIDDEN)
        said = chunk.text + (hidden if isinstance(hidden, str) else "")
        if self.cost + estimated(said) > self._most_tokens:
            self.is_cut = True
            return
        latin = sum(map(str.isascii, said))
        self._latin += latin
        self._others += len(said) - latin
        self._pieces.append(chunk.text[: self._most_chars - self._chars])
        self._chars += len(chunk.text)
        self.is_cut = self._chars > self._most_chars

    @property
    def tokens(self) -> int:
        """The count of the server; 0 where it gave none."""
        counted = getattr(self.whole, "usage_metadata", None) or {}
        count = counted.get("total_tokens", 0)
        return count if isinstance(count, int) else 0


def estimated(text: str) -> int:
    """Estimate the tokens of *text*: a Chinese character is one."""
    latin = sum(map(str.isascii, text))
    return len(text) - latin + _tokens(latin)


def _tokens(characters: int) -> int:
    return -(-characters // _CHARS_A_TOKEN)
