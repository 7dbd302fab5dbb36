"""The words of causes, in Chinese and in English."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Final

from text.language import supported

# Facts with the text of a server, a page or a settings file.
_FOREIGN: Final = frozenset(
    {"engines", "kind", "location", "model", "server", "title", "wanted"}
)
_PAGES: Final = {
    "zh-CN": "docs/troubleshooting.zh-CN.md",
    "en-US": "docs/troubleshooting.md",
}


class Described(StrEnum):
    """An enum with its words in the folder `causes` of its package."""

    @classmethod
    def words(cls, language: str) -> Mapping[str, Mapping[str, Any]]:
        """The labels of the package, and the words of its causes."""
        return _words(cls.__module__.partition(".")[0], supported(language))


class AnyCause(Described):
    """A cause with advice; a package with causes of its own makes a subclass."""

    @property
    def is_harmless(self) -> bool:
        """True if searches and answers still work."""
        return False


@dataclass(frozen=True, slots=True)
class Advice:
    """A cause in the user's language, its cure, and a command that shows it."""

    title: str
    cause: str
    cure: tuple[str, ...]
    command: str
    link: str


def advise(
    cause: AnyCause,
    facts: Mapping[str, object],
    language: str,
    escape: Callable[[str], str] = str,
) -> Advice:
    """
    The advice for *cause*, filled with the *facts* of the case.

    Some facts are foreign text; *escape* makes them safe for the output.
    """
    entry = cause.words(language)[cause]
    known = defaultdict(lambda: "…", facts)  # a missing fact is an ellipsis
    known |= {name: escape(str(facts[name])) for name in _FOREIGN & facts.keys()}
    for name, fact in facts.items():
        if isinstance(fact, AnyCause):  # shown with its title
            known[name] = fact.words(language)[fact]["title"].format_map(known)
    return Advice(
        title=entry["title"].format_map(known),
        cause=entry.get("cause", "").format_map(known),
        cure=tuple(step.format_map(known) for step in entry.get("cure", ())),
        command=entry.get("command", "").format_map(known),
        link=f"{_PAGES[supported(language)]}#{cause}",
    )


def label(name: str, language: str) -> str:
    """A label of the doctor's report, such as the name of a check."""
    owner = type(name) if isinstance(name, Described) else Described
    return str(owner.words(language)["labels"][name])


@cache
def _words(package: str, language: str) -> Mapping[str, Mapping[str, Any]]:
    file = resources.files(package).joinpath("causes", f"{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
