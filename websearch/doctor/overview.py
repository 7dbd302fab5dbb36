"""A table of the backends: their choice, the keys they need, their obstacles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from websearch.advice import advice_for, engine_title
from websearch.config import Settings
from websearch.engines import BACKENDS
from websearch.routing.limits import EngineLimits, key_variable
from websearch.routing.selection import chosen


@dataclass(frozen=True, slots=True)
class Entry:
    """
    A backend, and why it can't be used, as the title of an advice; '' if it can.

    Nothing is sent to find that: an engine without an obstacle may still be down.
    """

    name: str
    key: str | None
    chosen: str  # a label: first, then, unused
    why_not: str

    def as_dict(self) -> dict[str, Any]:
        """The entry as JSON for scripts."""
        return {
            "backend": self.name,
            "title": engine_title(self.name),
            "key": self.key,
            "chosen": self.chosen != "unused",
            "fallback": self.chosen == "then",
            "usable": not self.why_not,
            "why_not": self.why_not,
        }


def overview(settings: Settings, language: str) -> Sequence[Entry]:
    """All backends in the order of the registry."""
    limits, plan = EngineLimits(), chosen(settings)
    entries = []
    for name in BACKENDS:
        obstacle = limits.obstacle(name, settings)
        why_not = advice_for(obstacle, settings, language).title if obstacle else ""
        role = "then" if name in plan.fallback else "unused"
        role = "first" if name in plan.engines else role
        entries.append(Entry(name, key_variable(name), role, why_not))
    return entries
