"""The follow-up questions of one conversation, by rule or with a model."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from agent.events import Completion
from agent.follow_up.by_model import ask, checked
from agent.follow_up.rule import MOST_READ, Rule
from agent.models.catalog import Model
from agent.models.settings import FollowUpMode

_EARLIER: Final = 6  # questions that a model gets
_TITLES: Final = 5
_MOST_FAILURES: Final = 2  # in a row: a model that is too slow is not asked again


class FollowUps:
    """Completes the questions of a conversation; *mode* may change at any time."""

    def __init__(self, mode: FollowUpMode = "rule") -> None:
        self.mode = mode
        self._rule = Rule()
        self._earlier: deque[str] = deque(maxlen=_EARLIER)
        self._titles: Sequence[str] = ()
        self._failures = 0

    def asks_model(self, model: Model) -> bool:
        """Tell if *model* writes the next query, which takes a moment."""
        is_quick = self._failures < _MOST_FAILURES
        return bool(
            self.mode == "model"
            and self._earlier
            and is_quick
            and not model.is_built_in
        )

    async def complete(self, question: str, model: Model) -> Completion:
        """Return the words to be searched for *question*."""
        if self.mode == "off":
            return Completion.typed(question)
        if len(question) <= MOST_READ and self.asks_model(model):
            answer = await ask(model, question, [*self._earlier], self._titles)
            self._failures = 0 if answer is not None else self._failures + 1
            known = [*self._earlier, *self._titles]
            if answer and (written := checked(question, answer, known)):
                return written
        return self._rule.complete(question)

    def follow(
        self, completion: Completion, titles: Sequence[str] | None = None
    ) -> None:
        """Take in a question that was asked, and the *titles* that its answer cites."""
        if titles is not None:
            self._titles = titles[:_TITLES]
        if self._earlier and completion.asked[:MOST_READ] == self._earlier[-1]:
            # Asked again, perhaps to be searched as typed: it meant the same before.
            self._rule.cite(titles)
            return
        if not completion.is_changed:
            # Also where it was searched as typed, it may speak of something earlier.
            completion = self._rule.complete(completion.asked)
        self._rule.follow(completion, titles)
        self._earlier.append(completion.asked[:MOST_READ])
