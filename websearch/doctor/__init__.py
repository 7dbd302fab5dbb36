"""Examine search and reading; the words for what is found are those of `causes`."""

from typing import TYPE_CHECKING, Any

from websearch.doctor.diagnose import adiagnose, finding_of
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State
from websearch.doctor.reading import ReadingCheck, adiagnose_reading

if TYPE_CHECKING:
    from websearch.doctor.report import print_report

__all__ = [
    "Check",
    "Diagnosis",
    "Finding",
    "Question",
    "ReadingCheck",
    "State",
    "adiagnose",
    "adiagnose_reading",
    "finding_of",
    "print_report",
]


def __getattr__(name: str) -> Any:
    if name == "print_report":
        from websearch.doctor.report import print_report  # noqa: PLC0415  rich is heavy

        return print_report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
