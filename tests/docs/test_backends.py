"""docs/backends.md tells of every engine, and of no other."""

import re
from pathlib import Path

import pytest

from websearch import errors
from websearch.backends import BACKENDS
from websearch.manners import key_variable

PAGE = (Path(__file__).parents[2] / "docs" / "backends.md").read_text("utf-8")
TABLE = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", PAGE, re.MULTILINE))


def section(name: str) -> str:
    return PAGE.partition(f"## `{name}`\n")[2].partition("\n## ")[0]


def test_headings() -> None:
    """Each backend has its heading, in the order of the registry."""
    assert re.findall(r"^## `(\w+)`$", PAGE, re.MULTILINE) == list(BACKENDS)


def test_table() -> None:
    """Each backend has its row, in the same order."""
    assert list(TABLE) == list(BACKENDS)


@pytest.mark.parametrize("name", BACKENDS)
def test_keys(name: str) -> None:
    """The table names the key that a backend needs, and none where it needs none."""
    variable = key_variable(name)

    assert (f"`{variable}`" in TABLE[name]) is (variable is not None)
    assert TABLE[name].startswith("none") is (variable is None)


@pytest.mark.parametrize("name", BACKENDS)
def test_errors(name: str) -> None:
    """Each error that is named is one of the tree, with a known detail code."""
    rows = {r.split("`")[1]: r for r in (errors.__doc__ or "").splitlines() if "`" in r}

    for code, detail in re.findall(r"`([A-Z]\w+) (\w+)`", section(name)):
        assert f"`{detail}`" in rows[code]
