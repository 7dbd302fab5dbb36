"""The progress of a report, read from its events."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from agent.research.events import (
    GatheringEnded,
    PageStep,
    PlanDecided,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    RewritingStarted,
    SearchStep,
    SectionRewritten,
    SectionsQuoted,
)
from agent.research.report import Ended

E = TypeVar("E")


class Progress:
    """The state that the steps on the page show."""

    def __init__(self, events: Sequence[ReportEvent]) -> None:
        self.plan = _newest(events, PlanDecided)
        self.searches = {one.call: one for one in _all(events, SearchStep)}
        self.pages = {one.call: one for one in _all(events, PageStep)}
        self.gathered = _newest(events, GatheringEnded)
        self.rewriting = _newest(events, RewritingStarted)
        self.rewritten = {one.number: one for one in _all(events, SectionRewritten)}
        self.finished = _newest(events, ReportFinished)
        # The number of times that the text has changed.
        kinds = (SectionsQuoted, ReportQuoted, SectionRewritten, ReportFinished)
        self.edition = sum(isinstance(event, kinds) for event in events)

    @property
    def ended(self) -> Ended | None:
        """The reason why searching and reading ended; None before."""
        return self.gathered.reason if self.gathered else None

    @property
    def writing_ms(self) -> int:
        """Milliseconds from the end of searching and reading to that of the report."""
        if self.gathered is None or self.finished is None:
            return 0
        return self.finished.took_ms - self.gathered.elapsed_ms


def span_ms(steps: Iterable[SearchStep | PageStep]) -> int:
    """Milliseconds from the start of the first step to the end of the last."""
    ended = [(one.started, one.took_ms) for one in steps if one.took_ms is not None]
    first = min((started for started, _ in ended), default=0.0)
    return max((round((at - first) * 1000) + took for at, took in ended), default=0)


def _all(events: Sequence[ReportEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _newest(events: Sequence[ReportEvent], kind: type[E]) -> E | None:
    return next(iter(_all(events[::-1], kind)), None)
