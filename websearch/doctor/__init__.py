"""Find out what is wrong with search, and say what to do."""

from websearch.doctor.advice import (
    Advice,
    Problem,
    advise,
    engine_title,
    facts_of,
    facts_of_error,
    label,
    problem_of,
)
from websearch.doctor.diagnose import adiagnose, finding_of
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State

__all__ = [
    "Advice",
    "Check",
    "Diagnosis",
    "Finding",
    "Problem",
    "Question",
    "State",
    "adiagnose",
    "advise",
    "engine_title",
    "facts_of",
    "facts_of_error",
    "finding_of",
    "label",
    "problem_of",
]
