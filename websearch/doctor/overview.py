"""A table of the backends: their choice, the keys they need, their obstacles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from websearch.config.settings import Settings
from websearch.doctor.advice import (
    advise,
    engine_title,
    facts_of,
    facts_of_error,
    problem_of,
)
from websearch.engines import BACKENDS
from websearch.errors import SearchError
from websearch.routing.limits import EngineLimits, key_variable
from websearch.routing.selection import Plan, chosen


@dataclass(frozen=True, slots=True)
class Entry:
    """
    A backend with its settings; *obstacle* is the error of a search made now.

    Nothing is sent to find it: an engine without an obstacle may still be down.
    """

    name: str
    key: str | None
    chosen: str  # a label: first, then, unused
    obstacle: SearchError | None
    settings: Settings

    def why_not(self, language: str) -> str:
        """The title of the advice for its obstacle; '' without one."""
        if self.obstacle is None:
            return ""
        facts = facts_of(self.settings.searxng_base_url, self.settings.timeout)
        facts |= facts_of_error(self.obstacle)
        return advise(problem_of(self.obstacle), facts, language).title

    def as_dict(self, language: str) -> dict[str, Any]:
        """The entry as JSON for scripts."""
        return {
            "backend": self.name,
            "title": engine_title(self.name),
            "key": self.key,
            "chosen": self.chosen != "unused",
            "fallback": self.chosen == "then",
            "usable": self.obstacle is None,
            "why_not": self.why_not(language),
        }


def overview(settings: Settings, limits: EngineLimits | None = None) -> Sequence[Entry]:
    """All backends in the order of the registry; *limits* know the cool-downs."""
    known = limits or EngineLimits()
    plan = chosen(settings)
    return [
        Entry(
            name,
            key_variable(name),
            _role(name, plan),
            known.obstacle(name, settings),
            settings,
        )
        for name in BACKENDS
    ]


def _role(name: str, plan: Plan) -> str:
    if name in plan.engines:
        return "first"
    return "then" if name in plan.fallback else "unused"
