"""Counts of the source alone: lines, functions, helpers, settings, cycles."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.servers import ROOT

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the product: its dotted name, its lines, and its syntax."""

    name: str
    lines: int
    tree: ast.Module

    @property
    def imported(self) -> Iterator[str]:
        """The dotted names that it imports, with the name behind `from … import`."""
        for one in ast.walk(self.tree):
            if isinstance(one, ast.Import):
                yield from (alias.name for alias in one.names)
            elif isinstance(one, ast.ImportFrom):
                yield from (f"{one.module}.{alias.name}" for alias in one.names)


@cache
def modules(path: str) -> Sequence[Module]:
    """The modules of a package, or of a file."""
    whole = ROOT / path
    files = [whole] if path.endswith(".py") else sorted(whole.rglob("*.py"))
    return [_module(file) for file in files]


def in_cycles(package: str) -> list[str]:
    """The modules and folders right below *package* that import themselves in turn."""
    edges = _edges(package)
    return sorted(one for one in edges if one in _reached(one, edges))


def pairs(package: str) -> list[str]:
    """The pairs of modules and folders right below *package* that import each other."""
    edges = _edges(package)
    return sorted(
        f"{one} and {two}"
        for one in edges
        for two in edges[one]
        if one < two and one in edges[two]
    )


def _module(file: Path) -> Module:
    text = file.read_text("utf-8")
    parts = file.relative_to(ROOT).with_suffix("").parts
    return Module(".".join(parts), len(text.splitlines()), ast.parse(text))


def _functions(module: Module) -> list[str]:
    return [one.name for one in ast.walk(module.tree) if isinstance(one, _FUNCTIONS)]


def _helpers(module: Module) -> list[str]:
    names = _functions(module)
    return [one for one in names if one.startswith("_") and not one.startswith("__")]


def _used_once(module: Module) -> list[str]:
    """The helpers that are named once in their module, beside their definition."""
    every = [*ast.walk(module.tree)]
    names = Counter(one.id for one in every if isinstance(one, ast.Name))
    names += Counter(one.attr for one in every if isinstance(one, ast.Attribute))
    return [one for one in _helpers(module) if names[one] == 1]


def _settings(module: Module) -> int:
    """The number of fields that are made by `setting(…)`."""
    values = (
        one.value for one in ast.walk(module.tree) if isinstance(one, ast.AnnAssign)
    )
    calls = (one.func for one in values if isinstance(one, ast.Call))
    return sum(isinstance(one, ast.Name) and one.id == "setting" for one in calls)


def _edges(package: str) -> Mapping[str, set[str]]:
    """The imports between the modules and folders right below *package*."""
    every = [one for one in modules(package) if one.name != f"{package}.__init__"]
    edges: dict[str, set[str]] = {one.name.split(".")[1]: set() for one in every}
    for one in every:
        own = one.name.split(".")[1]
        for dotted in one.imported:
            top, _, rest = dotted.partition(".")
            sibling = rest.partition(".")[0]
            if top == package and sibling in edges and sibling != own:
                edges[own].add(sibling)
    return edges


def _reached(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [*edges[start]]
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += edges[one]
    return reached


COUNTS: Final[Mapping[str, Callable[[Module], int]]] = {
    "lines": lambda one: one.lines,
    "modules": lambda _: 1,
    "functions": lambda one: len(_functions(one)),
    "private helpers": lambda one: len(_helpers(one)),
    "private helpers used once in their module": lambda one: len(_used_once(one)),
    "classes": lambda one: sum(isinstance(n, ast.ClassDef) for n in ast.walk(one.tree)),
    "settings": _settings,
}
