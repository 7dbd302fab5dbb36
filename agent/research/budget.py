"""The budget of a report: searches, pages, seconds, tokens; and what is spent of it."""

import time
from dataclasses import dataclass
from typing import Any, Final, Self

from pydantic import Field

from websearch import InvalidInput
from websearch.config import SettingsBase

MOST_SEARCHES: Final = 50
MOST_PAGES: Final = 100
MOST_SECONDS: Final = 3_600
MOST_TOKENS: Final = 1_000_000


class ResearchSettings(SettingsBase):
    """Settings of research reports: their budget, and the time to change a plan."""

    searches: int = Field(
        default=12,
        ge=1,
        le=MOST_SEARCHES,
        alias="RESEARCH_SEARCHES",
        description=f"Searches that one report may make, 1 to {MOST_SEARCHES}.",
    )
    pages: int = Field(
        default=20,
        ge=0,
        le=MOST_PAGES,
        alias="RESEARCH_PAGES",
        description=f"Pages that one report may open, 0 to {MOST_PAGES}. "
        "With 0 it quotes the snippets of the search results.",
    )
    seconds: int = Field(
        default=180,
        ge=1,
        le=MOST_SECONDS,
        alias="RESEARCH_SECONDS",
        description="Seconds that searching and reading for one report may take, "
        f"1 to {MOST_SECONDS}. What was read by then is written down.",
    )
    tokens: int = Field(
        default=60_000,
        ge=0,
        le=MOST_TOKENS,
        alias="RESEARCH_TOKENS",
        description="Tokens that the model may read and write for one report, "
        f"0 to {MOST_TOKENS}. Sections that are left stay quotations.",
    )
    plan_seconds: int = Field(
        default=10,
        ge=0,
        le=120,
        alias="RESEARCH_PLAN_SECONDS",
        description="Seconds in which the plan of a report can be changed on the page "
        "before it starts by itself, 0 to 120. With 0 it starts at once.",
    )


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that one report may spend."""

    searches: int = 12
    pages: int = 20
    seconds: float = 180
    tokens: int = 60_000

    def __post_init__(self) -> None:
        """Refuse a budget that is none."""
        _check("searches", self.searches, 1, MOST_SEARCHES)
        _check("pages", self.pages, 0, MOST_PAGES)
        _check("seconds", self.seconds, 1, MOST_SECONDS)
        _check("tokens", self.tokens, 0, MOST_TOKENS)

    @classmethod
    def of(cls, settings: ResearchSettings, **changes: Any) -> Self:
        """The budget of the settings, with those *changes* that are given."""
        usual = {
            "searches": settings.searches,
            "pages": settings.pages,
            "seconds": settings.seconds,
            "tokens": settings.tokens,
        }
        given = {name: value for name, value in changes.items() if value is not None}
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
        self._searches = self._pages = self._tokens = 0
        self._started = time.monotonic()
        self._gathering: float | None = None  # since when
        self._gathered: float | None = None  # the seconds that it took

    @property
    def spent(self) -> Spent:
        """The counts so far; the seconds are those of searching and reading."""
        seconds = self._gathered
        if seconds is None:
            since = self._gathering
            seconds = 0.0 if since is None else time.monotonic() - since
        seconds = min(seconds, self.budget.seconds)  # a busy machine is late to stop
        return Spent(self._searches, self._pages, seconds, self._tokens)

    @property
    def elapsed_ms(self) -> int:
        """Milliseconds since the start."""
        return round((time.monotonic() - self._started) * 1000)

    @property
    def pages_left(self) -> int:
        """The number of pages that may still be opened."""
        return self.budget.pages - self._pages

    @property
    def tokens_left(self) -> int:
        """The number of tokens that the model may still use."""
        return max(self.budget.tokens - self._tokens, 0)

    def begin_gathering(self) -> None:
        """Count the seconds of the budget from now on."""
        self._gathering = time.monotonic()

    def end_gathering(self) -> None:
        """Count no more seconds of the budget."""
        self._gathered = self.spent.seconds

    def take_search(self) -> bool:
        """Count one search; False where none is left."""
        if self._searches >= self.budget.searches:
            return False
        self._searches += 1
        return True

    def take_page(self) -> bool:
        """Count one page; False where none is left."""
        if self._pages >= self.budget.pages:
            return False
        self._pages += 1
        return True

    def use_tokens(self, count: int) -> None:
        """Count tokens that the model has read and written."""
        self._tokens += max(count, 0)


def _check(name: str, value: object, least: int, most: int) -> None:
    kinds = int | float if name == "seconds" else int
    is_number = isinstance(value, kinds) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:  # type: ignore[operator]  # a number by now
        kind = "number" if name == "seconds" else "whole number"
        raise InvalidInput(f"{name} must be a {kind} from {least} to {most}")
