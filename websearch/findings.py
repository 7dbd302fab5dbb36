"""The shape of a diagnosis: what was checked, what was found, and its cure."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from websearch.advice import Advice, Problem, advise

logger = logging.getLogger(__name__)

# Searches go on with these.
HARMLESS: Final = frozenset(
    {
        Problem.HEALTHY,
        Problem.SAMPLES,
        Problem.DEGRADED,
        Problem.ADDRESS_INVALID,
        Problem.VALUE_INVALID,
    }
)


class State(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    SKIPPED = "skipped"


class Question(StrEnum):
    """What is checked, in this order; each needs the one before."""

    REACHABLE = "reachable"
    SEARXNG = "searxng"
    JSON = "json"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Check:
    """One question and its answer."""

    question: Question
    state: State
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem and the facts of the case."""

    problem: Problem
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_harmless(self) -> bool:
        """Whether searches go on all the same."""
        return self.problem in HARMLESS

    def advice(self, language: str, escape: Callable[[str], str] = str) -> Advice:
        """What to tell the user; *escape* for where it is shown."""
        return advise(self.problem, self.facts, language, escape)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found out about a backend."""

    backend: str
    address: str | None
    checks: Sequence[Check]
    findings: Sequence[Finding]

    @property
    def is_usable(self) -> bool:
        """Whether a search can be expected to work."""
        return all(finding.is_harmless for finding in self.findings)

    @property
    def main(self) -> Finding:
        """The finding that says most: the first that stops searches, else the last."""
        stopping = (finding for finding in self.findings if not finding.is_harmless)
        return next(stopping, self.findings[-1])

    def as_dict(self, language: str) -> dict[str, Any]:
        """The diagnosis as JSON for scripts."""
        return {
            "backend": self.backend,
            "address": self.address,
            "ok": self.is_usable,
            "checks": [
                {"check": check.question, "state": check.state, "note": check.note}
                for check in self.checks
            ],
            "findings": [_as_dict(finding, language) for finding in self.findings],
        }

    def log(self) -> None:
        """Tell the log in one line a finding, in English."""
        for finding in self.findings:
            level = logging.INFO if finding.is_harmless else logging.WARNING
            advice = finding.advice("en-US")
            logger.log(level, "%s: %s. %s", self.backend, advice.title, advice.cause)


def _as_dict(finding: Finding, language: str) -> dict[str, Any]:
    advice = finding.advice(language)
    return {
        "problem": finding.problem,
        "title": advice.title,
        "cause": advice.cause,
        "cure": list(advice.cure),
        "check": list(advice.check),
        "link": advice.link,
    }
