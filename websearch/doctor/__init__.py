"""Diagnose search and reading, and give advice for each problem."""

from typing import TYPE_CHECKING, Any

from websearch.doctor.advice import (
    Advice,
    AnyProblem,
    Documented,
    Problem,
    advise,
    engine_title,
    facts_of,
    facts_of_error,
    label,
    language_of_terminal,
    page_error_text,
    problem_of,
    reason_text,
)
from websearch.doctor.diagnose import adiagnose, finding_of
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State
from websearch.doctor.reading import ReadingCheck, adiagnose_reading

if TYPE_CHECKING:
    from websearch.doctor.report import print_report

__all__ = [
    "Advice",
    "AnyProblem",
    "Check",
    "Diagnosis",
    "Documented",
    "Finding",
    "Problem",
    "Question",
    "ReadingCheck",
    "State",
    "adiagnose",
    "adiagnose_reading",
    "advise",
    "engine_title",
    "facts_of",
    "facts_of_error",
    "finding_of",
    "label",
    "language_of_terminal",
    "page_error_text",
    "print_report",
    "problem_of",
    "reason_text",
]


def __getattr__(name: str) -> Any:
    if name == "print_report":
        from websearch.doctor.report import print_report  # noqa: PLC0415  rich is heavy

        return print_report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
