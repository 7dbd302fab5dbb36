"""`agents.json`: the agents that can be chosen, each with its own search."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from websearch.config import engines_named
from websearch.config.json_check import Entries, Mistake
from websearch.config.json_file import read
from websearch.config.json_words import Words

logger = logging.getLogger(__name__)

FILE: Final = Path("agents.json")
SCHEMA: Final = Path(__file__).with_name("agents.schema.json")


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """What tells one agent from another; keys are never in here."""

    id: str = "default"
    name: str = ""
    instructions: str = ""
    can_search: bool = True
    provider: str | None = None
    place: str = ""  # of its provider in the file


DEFAULT: Final = AgentProfile()


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents of the file, at least one, and what was left out."""

    profiles: tuple[AgentProfile, ...] = (DEFAULT,)
    mistakes: tuple[Mistake, ...] = ()

    @classmethod
    def load(cls) -> "Agents":
        """
        Read the file in the folder where the program starts, where there is one.

        Of a file that can't be read nobody knows what it forbade: then the one agent
        that is left can't search.
        """
        file = read(FILE, SCHEMA)
        profiles, twins = _unique(_profiles(file.data))
        mistakes = (*file.mistakes, *twins)
        for mistake in mistakes:
            logger.warning("%s; it is left out", mistake)
        if not profiles:
            profiles = [AgentProfile(can_search=not file.mistakes)]
        return cls(tuple(profiles), mistakes)


def _profiles(data: Mapping[str, Any]) -> Iterator[tuple[int, AgentProfile]]:
    """Each with its position in the file."""
    entries = data.get("agents", Entries([]))
    for number, entry in zip(entries.places, entries, strict=True):
        search = entry.get("webSearch", {})
        named = search.get("provider")
        profile = AgentProfile(
            id=entry["id"],
            name=entry.get("name", entry["id"]),
            instructions=entry.get("instructions", ""),
            can_search=search.get("enabled", False),
            provider=engines_named(named) if named else None,
            place=f"{FILE.name}: agents[{number}].webSearch.provider",
        )
        yield number, profile


def _unique(
    profiles: Iterable[tuple[int, AgentProfile]],
) -> tuple[list[AgentProfile], list[Mistake]]:
    kept: dict[str, AgentProfile] = {}
    twins = []
    for number, profile in profiles:
        if kept.setdefault(profile.id, profile) is not profile:
            path, shown = f"agents[{number}].id", Words.same(f'"{profile.id}"')
            twins.append(Mistake(FILE.name, path, shown, Words.of("twin")))
    return [*kept.values()], twins
