"""The steps above an answer or a report: their drawer, and the words they share."""

from ui.steps.lines import QUERY_SHOWN, joined, pages_line, search_line, seconds
from ui.steps.step import DrawnStep, StepView, current_run, new_step

__all__ = [
    "QUERY_SHOWN",
    "DrawnStep",
    "StepView",
    "current_run",
    "joined",
    "new_step",
    "pages_line",
    "search_line",
    "seconds",
]
