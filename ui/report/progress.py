"""The progress of a report, gathered from its events."""

from dataclasses import dataclass

from agent.research import (
    Ended,
    GatheringEnded,
    PageEnded,
    PageStarted,
    Plan,
    PlanDecided,
    PlanProposed,
    QueryEnded,
    QueryStarted,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    RewritingStarted,
    SectionQuoted,
    SectionRewritten,
)


@dataclass(slots=True)
class Span:
    """The time between the first and the last event of a step."""

    began: float | None = None
    ended: float | None = None

    def touch(self, now: float) -> None:
        """Let the span reach to *now*."""
        self.began = now if self.began is None else self.began
        self.ended = now

    @property
    def took_ms(self) -> int:
        """The length in milliseconds."""
        return round(((self.ended or 0) - (self.began or 0)) * 1000)


class Progress:
    """The state that the steps on the page show; events come in their order."""

    def __init__(self) -> None:
        self.proposed: PlanProposed | None = None
        self.starts_at = 0.0  # the plan by itself
        self.plan: Plan | None = None
        self.plan_ms = 0
        self.queries: dict[int, QueryStarted | QueryEnded] = {}
        self.pages: dict[int, PageStarted | PageEnded] = {}
        self.searching, self.reading, self.writing = Span(), Span(), Span()
        self.ended: Ended | None = None
        self.rewriting: int | None = None
        self.rewritten: dict[int, SectionRewritten] = {}
        self.edition = 0  # of the report's text; 0: there is none
        self.is_over = False

    @property
    def is_planning(self) -> bool:
        """True while the user can change the plan."""
        is_open = self.proposed is not None and self.plan is None
        return is_open and not self.is_over

    def add(self, event: ReportEvent, now: float) -> None:
        """Take in the next event, which came *now*."""
        match event:
            case PlanProposed():
                self.proposed, self.starts_at = event, now + event.seconds
            case PlanDecided(plan, took_ms):
                self.plan, self.plan_ms = plan, took_ms
            case QueryStarted() | QueryEnded():
                self.queries[event.call] = event
                self.searching.touch(now)
            case PageStarted() | PageEnded():
                self.pages[event.call] = event
                self.reading.touch(now)
            case GatheringEnded(reason):
                self.ended = reason
                self.writing.touch(now)
            case _:
                self._write(event, now)

    def _write(self, event: ReportEvent, now: float) -> None:
        match event:
            case RewritingStarted(number):
                self.rewriting = number
            case SectionRewritten(number):
                self.rewriting = None
                self.rewritten[number] = event
                self.edition += 1
            case SectionQuoted() | ReportQuoted():
                self.edition += 1
            case ReportFinished():
                self.edition += 1
                self.is_over = True
        if self.writing.began is not None:
            self.writing.touch(now)
