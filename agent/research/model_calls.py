"""Short calls of the model for a report: within its tokens, time and length."""

from typing import Final

from agent.causes import ModelProblem
from agent.models.catalog import Model
from agent.models.stream import Written, count_tokens, write
from agent.research.budget import Meter

_MOST_PROBLEMS: Final = 2  # in a row; then the model is asked no more
_RESERVE: Final = 500  # tokens that an answer needs at least
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

    async def ask(self, instructions: str, words: str, seconds: float) -> Written:
        """Ask the model; what it writes beyond some length is not waited for."""
        cost = count_tokens(instructions) + count_tokens(words)
        left = self._meter.tokens_left - cost
        if not self.are_possible or left < _RESERVE:
            return Written()
        messages = [("system", instructions), ("user", words)]
        written = Written(most=_MOST_CHARS, most_tokens=left)
        try:
            await write(self._model, messages, seconds, written)
        finally:
            counted = sum(written.usage.values())
            self._meter.use_tokens(counted or cost + written.tokens)
        is_answered = written.problem in (None, ModelProblem.TOO_LONG_ANSWER)
        self._problems = 0 if is_answered else self._problems + 1
        written.is_cut = written.is_cut or written.problem is not None
        return written
