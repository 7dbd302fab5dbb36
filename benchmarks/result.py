"""Benchmarks, their goals and results, and the table of them."""

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

_COMPARE: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
}
_HEAD: Final = ("name", "value", "unit", "goal", "holds")


class Skipped(Exception):
    """A benchmark that can't be measured here, with the reason."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value, and the absolute numbers behind it."""

    value: float
    details: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A named measurement; without a goal, such as `<= 2.5`, it is only reported."""

    name: str
    unit: str
    goal: str
    measure: Callable[[], Figure]

    def result(self, value: float | None) -> "Result":
        """Compare *value* with the goal; None stands for a failed measurement."""
        rounded = None if value is None else round(value, 3)
        # The exact value counts: 1.6004 rounds to 1.6 and misses `<= 1.6`.
        return Result(self.name, rounded, self.unit, self.goal, self._holds(value))

    def _holds(self, value: float | None) -> bool:
        if value is None or not self.goal:
            return value is not None
        sign, limit = self.goal.split()
        return _COMPARE[sign](value, float(limit))


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the table and of the file."""

    name: str
    value: float | None
    unit: str
    goal: str
    holds: bool


def table(results: Sequence[Result]) -> str:
    """Format all results as a text table."""
    rows = [_HEAD, *(_cells(result) for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def write(results: Sequence[Result], path: Path) -> None:
    """Write the results to *path* as a JSON list."""
    rows = [asdict(result) for result in results]
    path.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


def _cells(result: Result) -> tuple[str, ...]:
    value = "failed" if result.value is None else f"{result.value:.3g}"
    holds = "yes" if result.holds else "NO"
    return (result.name, value, result.unit, result.goal, holds)
