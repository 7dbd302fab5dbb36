"""docs/tool-contract.md says what the code does."""

from pathlib import Path

import pytest

from websearch import errors
from websearch.backends import BACKENDS
from websearch.contract import INPUT_SCHEMA

PAGE = (Path(__file__).parents[2] / "docs" / "tool-contract.md").read_text("utf-8")


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| ")]


def section(heading: str) -> str:
    return PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def names(text: str) -> set[str]:
    """What the first column names."""
    return {row.split("`")[1] for row in rows(text)[2:]}


@pytest.mark.spec("H8")
def test_errors() -> None:
    """The table of errors is that of the code, row for row."""
    assert rows(section("Errors")) == rows(errors.__doc__ or "")


@pytest.mark.spec("H3")
def test_input() -> None:
    """Every argument has its row; `lang` stands beside `locale`."""
    assert names(section("Input")) == set(INPUT_SCHEMA["properties"]) - {"lang"}


def test_backends() -> None:
    """Every backend has its row."""
    assert names(section("Backends")) == set(BACKENDS)
