"""The result of a diagnosis: checks, and findings with advice."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Self

from websearch.causes import Advice, AnyCause, Cause, Described, advise

logger = logging.getLogger(__name__)

# These findings name no cause; another finding may be more precise.
_VAGUE: Final[frozenset[AnyCause]] = frozenset(
    {
        Cause.ENGINE_FAILS,
        Cause.FAILED,
        Cause.SLOW,
        Cause.TIMEOUT,
        Cause.UNREACHABLE,
    }
)


class State(StrEnum):
    """The result of a check."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    SKIPPED = "skipped"

    @property
    def sign(self) -> str:
        """The sign of the result in a report."""
        return _SIGNS[self]


_SIGNS: Final = dict(zip(State, "✓!✗–", strict=True))


class Question(Described):
    """The checks in their order; each requires the one before it."""

    KEY = "key"
    BROWSER = "browser"
    REACHABLE = "reachable"
    SEARXNG = "searxng"
    JSON = "json"
    ADMITTED = "admitted"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Check:
    """A check with its result."""

    question: Described
    state: State
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A cause and the facts of the case."""

    cause: AnyCause
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_harmless(self) -> bool:
        """True if searches still work."""
        return self.cause.is_harmless

    def advice(self, language: str, escape: Callable[[str], str] = str) -> Advice:
        """The advice for the user; *escape* makes foreign text safe."""
        return advise(self.cause, self.facts, language, escape)

    def as_dict(self, language: str) -> dict[str, Any]:
        """The finding as JSON for scripts."""
        advice = self.advice(language)
        return {
            "problem": self.cause,
            "title": advice.title,
            "cause": advice.cause,
            "cure": list(advice.cure),
            "check": [advice.command] if advice.command else [],
            "link": advice.link,
        }


Result = tuple[State, str]  # of a check, with its note


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The checks and findings of a backend; *parts* are those of many engines."""

    backend: str
    address: str | None
    checks: Sequence[Check]
    findings: Sequence[Finding]
    parts: Sequence["Diagnosis"] = ()

    @classmethod
    def of(
        cls,
        backend: str,
        questions: Sequence[Described],
        results: Sequence[Result],
        *findings: Finding,
        address: str | None = None,
    ) -> Self:
        """Make it of the results; the checks after the last of them were skipped."""
        skipped = [(State.SKIPPED, "")] * (len(questions) - len(results))
        pairs = zip(questions, [*results, *skipped], strict=True)
        checks = [Check(question, state, note) for question, (state, note) in pairs]
        return cls(backend, address, checks, findings)

    @property
    def is_usable(self) -> bool:
        """True if searches should work: one working engine is enough."""
        if self.parts:
            return any(part.is_usable for part in self.parts)
        return all(finding.is_harmless for finding in self.findings)

    @property
    def main(self) -> Finding:
        """
        The most important finding: the first that stops searches, else the last.

        A finding that names its cause goes before one that does not.
        """
        stopping = [finding for finding in self.findings if not finding.is_harmless]
        plain = [finding for finding in stopping if finding.cause not in _VAGUE]
        return next(iter([*plain, *stopping]), self.findings[-1])

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
            "findings": [finding.as_dict(language) for finding in self.findings],
        }

    def log(self) -> None:
        """Log each finding as one line, in English."""
        for finding in self.findings:
            level = logging.INFO if finding.is_harmless else logging.WARNING
            advice = finding.advice("en-US")
            logger.log(level, "%s: %s. %s", self.backend, advice.title, advice.cause)


def together(name: str, parts: Sequence[Diagnosis]) -> Diagnosis:
    """One diagnosis of many engines: a check for each engine, and all findings."""
    checks = []
    for part in parts:  # the test search, or the check that failed before it
        note = next((check.note for check in reversed(part.checks) if check.note), "")
        state = part.checks[-1].state if part.is_usable else State.FAILED
        checks.append(Check(Question.SEARCH, state, f"{part.backend} {note}".strip()))
    findings = [finding for part in parts for finding in part.findings]
    return Diagnosis(name, None, checks, findings, parts)
