"""The words that are searched for a question of a conversation."""

from collections.abc import Sequence
from typing import Final

from agent.events import Completion
from agent.follow_up import by_model, rule
from agent.history import Turn
from agent.models.catalog import Model
from agent.models.settings import FollowUpMode

_MOST_FAILURES: Final = 2  # in a row: a model that is too slow is not asked again


class FollowUps:
    """Completes questions from the turns before; *mode* may change at any time."""

    def __init__(self, mode: FollowUpMode = "auto") -> None:
        self.mode = mode
        self._failures = 0

    def asks_model(self, question: str, turns: Sequence[Turn], model: Model) -> bool:
        """Tell if *model* writes the query, which takes a moment."""
        is_quick = self._failures < _MOST_FAILURES and len(question) <= rule.MOST_READ
        return (
            self.mode == "auto" and bool(turns) and is_quick and not model.is_built_in
        )

    async def complete(
        self, question: str, turns: Sequence[Turn], model: Model
    ) -> Completion:
        """Return the words to be searched for *question*, which follows *turns*."""
        if self.mode == "off":
            return Completion.typed(question)
        if self.asks_model(question, turns, model):
            line = await by_model.ask(model, question, turns)
            self._failures = 0 if line is not None else self._failures + 1
            if line and (written := by_model.checked(question, line, turns)):
                return written
        return rule.complete(question, [turn.question for turn in turns])
