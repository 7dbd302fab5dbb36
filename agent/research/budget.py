"""The budget of a report: searches, pages, seconds, tokens; and what is spent of it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from agent.causes import ModelProblem
from agent.models.catalog import Model
from agent.models.context import count_tokens
from agent.models.stream import Written, write
from websearch import InvalidInput
from websearch.config import SettingsBase, setting

_MOST_PROBLEMS: Final = 2  # in a row; then the model is asked no more
_RESERVE: Final = 500  # tokens that an answer needs at least
_MOST_CHARS: Final = 4_000  # of an answer

LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "searches": (1, 50),
    "pages": (0, 100),
    "seconds": (1, 3_600),
    "tokens": (0, 1_000_000),
}


def check_limit(part: str, value: object, name: str = "") -> None:
    """Refuse a *value* that *part* of a budget can't have; *name* is its argument."""
    least, most = LIMITS[part]
    is_count = isinstance(value, int) and not isinstance(value, bool)
    if not is_count or not least <= value <= most:  # type: ignore[operator]  # a number by now
        raise InvalidInput(
            f"{name or part} must be a whole number from {least} to {most}"
        )


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that one report may spend."""

    searches: int = 12
    pages: int = 20
    seconds: int = 180
    tokens: int = 60_000

    def __post_init__(self) -> None:
        """Refuse a budget that is none."""
        for part in LIMITS:
            check_limit(part, getattr(self, part))


_USUAL: Final = Budget()


class ResearchSettings(SettingsBase):
    """Settings of research reports: their budget, and the time to change a plan."""

    searches: int = setting(
        "RESEARCH_SEARCHES",
        "Searches that one report may make.",
        default=_USUAL.searches,
        limits=LIMITS["searches"],
    )
    pages: int = setting(
        "RESEARCH_PAGES",
        "Pages that one report may open. "
        "With 0 it quotes the snippets of the search results.",
        default=_USUAL.pages,
        limits=LIMITS["pages"],
    )
    seconds: int = setting(
        "RESEARCH_SECONDS",
        "Seconds that searching and reading for one report may take. "
        "What was read by then is written down.",
        default=_USUAL.seconds,
        limits=LIMITS["seconds"],
    )
    tokens: int = setting(
        "RESEARCH_TOKENS",
        "Tokens that the model may read and write for one report. "
        "Sections that are left stay quotations.",
        default=_USUAL.tokens,
        limits=LIMITS["tokens"],
    )

    def budget(self, **changes: int | None) -> Budget:
        """The budget of one report, with those *changes* that are given."""
        usual = {part: getattr(self, part) for part in LIMITS}
        given = {part: value for part, value in changes.items() if value is not None}
        return Budget(**(usual | given))


@dataclass(frozen=True, slots=True)
class Spent:
    """Counts of one moment of a report."""

    searches: int = 0
    pages: int = 0
    seconds: float = 0.0
    tokens: int = 0


class Meter:
    """Counter of what a report spends."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._spent = Spent()
        self._gathering: float | None = None  # since when

    @property
    def spent(self) -> Spent:
        """The counts so far; the seconds are those of searching and reading."""
        if self._gathering is None:
            return self._spent
        seconds = time.monotonic() - self._gathering
        # A busy machine is late to stop.
        return replace(self._spent, seconds=min(seconds, self.budget.seconds))

    @property
    def pages_left(self) -> int:
        """The number of pages that may still be opened."""
        return self.budget.pages - self._spent.pages

    @property
    def tokens_left(self) -> int:
        """The number of tokens that the model may still use."""
        return max(self.budget.tokens - self._spent.tokens, 0)

    def begin_gathering(self) -> None:
        """Count the seconds of the budget from now on."""
        self._gathering = time.monotonic()

    def end_gathering(self) -> None:
        """Count no more seconds of the budget."""
        self._spent, self._gathering = self.spent, None

    def take_search(self) -> bool:
        """Count one search; False where none is left."""
        is_left = self._spent.searches < self.budget.searches
        self._spent = replace(self._spent, searches=self._spent.searches + is_left)
        return is_left

    def take_page(self) -> bool:
        """Count one page; False where none is left."""
        is_left = self.pages_left > 0
        self._spent = replace(self._spent, pages=self._spent.pages + is_left)
        return is_left

    def use_tokens(self, count: int) -> None:
        """Count tokens that the model has read and written."""
        self._spent = replace(self._spent, tokens=self._spent.tokens + max(count, 0))


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
        fits = cost <= self._model.context.room
        if not (self.are_possible and fits) or left < _RESERVE:
            return Written()
        messages = [("system", instructions), ("user", words)]
        written = Written(most=_MOST_CHARS, most_tokens=left)
        try:
            await write(self._model, messages, seconds, written)
        finally:
            counted = sum(written.usage.values())
            self._meter.use_tokens(counted or cost + written.tokens)
        # A prompt that was too long says nothing against a shorter one.
        is_harmless = written.problem in {
            None,
            ModelProblem.TOO_LONG_ANSWER,
            ModelProblem.CONTEXT_TOO_LONG,
        }
        self._problems = 0 if is_harmless else self._problems + 1
        written.is_cut = written.is_cut or written.problem is not None
        return written
