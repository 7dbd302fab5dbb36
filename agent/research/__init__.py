"""Research reports: plan, search, read, quote, and let a model rewrite."""

from agent.research.budget import Budget
from agent.research.bundle import as_bundle
from agent.research.files import (
    as_html,
    as_markdown,
    body,
    ending,
    file_name,
    references,
)
from agent.research.plan import MOST_LINES, PlanDraft
from agent.research.report import (
    Ended,
    Progress,
    Report,
    span_ms,
)
from agent.research.run import ReportRun

__all__ = [
    "MOST_LINES",
    "Budget",
    "Ended",
    "PlanDraft",
    "Progress",
    "Report",
    "ReportRun",
    "as_bundle",
    "as_html",
    "as_markdown",
    "body",
    "ending",
    "file_name",
    "references",
    "span_ms",
]
