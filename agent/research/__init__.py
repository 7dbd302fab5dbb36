"""Research reports: plan, search, read, quote, and let a model rewrite."""

from agent.research.budget import Budget, ResearchSettings, Spent
from agent.research.bundle import as_bundle
from agent.research.events import (
    GatheringEnded,
    PageEnded,
    PageStarted,
    PlanDecided,
    PlanProposed,
    QueryEnded,
    QueryStarted,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    ReportStarted,
    RewritingStarted,
    SectionQuoted,
    SectionRewritten,
)
from agent.research.html import as_html
from agent.research.markdown import as_markdown, body, references, summary
from agent.research.plan import MOST_LINES
from agent.research.report import (
    Difference,
    Ended,
    FailedSearch,
    Origin,
    Plan,
    Report,
    Section,
    Statement,
    SubQuestion,
    UnreadPage,
)
from agent.research.run import ReportRun

__all__ = [
    "MOST_LINES",
    "Budget",
    "Difference",
    "Ended",
    "FailedSearch",
    "GatheringEnded",
    "Origin",
    "PageEnded",
    "PageStarted",
    "Plan",
    "PlanDecided",
    "PlanProposed",
    "QueryEnded",
    "QueryStarted",
    "Report",
    "ReportEvent",
    "ReportFinished",
    "ReportQuoted",
    "ReportRun",
    "ReportStarted",
    "ResearchSettings",
    "RewritingStarted",
    "Section",
    "SectionQuoted",
    "SectionRewritten",
    "Spent",
    "Statement",
    "SubQuestion",
    "UnreadPage",
    "as_bundle",
    "as_html",
    "as_markdown",
    "body",
    "references",
    "summary",
]
