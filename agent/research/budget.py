"""The budget of a report: searches, pages, seconds, tokens; and what is spent of it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from websearch import InvalidInput
from websearch.config import SettingsBase, setting

LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "searches": (1, 50),
    "pages": (0, 100),
    "seconds": (1, 3_600),
    "tokens": (0, 1_000_000),
}


class ResearchSettings(SettingsBase):
    """Settings of research reports: their budget, and the time to change a plan."""

    searches: int = setting(
        "RESEARCH_SEARCHES",
        "Searches that one report may make.",
        default=12,
        limits=LIMITS["searches"],
    )
    pages: int = setting(
        "RESEARCH_PAGES",
        "Pages that one report may open. "
        "With 0 it quotes the snippets of the search results.",
        default=20,
        limits=LIMITS["pages"],
    )
    seconds: int = setting(
        "RESEARCH_SECONDS",
        "Seconds that searching and reading for one report may take. "
        "What was read by then is written down.",
        default=180,
        limits=LIMITS["seconds"],
    )
    tokens: int = setting(
        "RESEARCH_TOKENS",
        "Tokens that the model may read and write for one report. "
        "Sections that are left stay quotations.",
        default=60_000,
        limits=LIMITS["tokens"],
    )


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

    @classmethod
    def of(cls, settings: ResearchSettings, **changes: Any) -> Self:
        """The budget of the settings, with those *changes* that are given."""
        usual = {part: getattr(settings, part) for part in LIMITS}
        given = {part: value for part, value in changes.items() if value is not None}
        return cls(**(usual | given))


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
