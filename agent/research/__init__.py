"""Research reports: plan, search, read, quote, and let a model rewrite."""

from agent.research.budget import Budget, ResearchSettings
from agent.research.bundle import as_bundle
from agent.research.draft import PlanDraft
from agent.research.events import (
    GatheringEnded,
    PageStep,
    PlanDecided,
    PlanProposed,
    ReportEvent,
    ReportFinished,
    ReportQuoted,
    RewritingStarted,
    SearchStep,
    SectionRewritten,
    SectionsQuoted,
)
from agent.research.html import as_html
from agent.research.markdown import as_markdown, body, references, summary
from agent.research.plan import MOST_LINES
from agent.research.report import Ended, Origin, Plan, Report
from agent.research.run import ReportRun

__all__ = [
    "MOST_LINES",
    "Budget",
    "Ended",
    "GatheringEnded",
    "Origin",
    "PageStep",
    "Plan",
    "PlanDecided",
    "PlanDraft",
    "PlanProposed",
    "Report",
    "ReportEvent",
    "ReportFinished",
    "ReportQuoted",
    "ReportRun",
    "ResearchSettings",
    "RewritingStarted",
    "SearchStep",
    "SectionRewritten",
    "SectionsQuoted",
    "as_bundle",
    "as_html",
    "as_markdown",
    "body",
    "references",
    "summary",
]
