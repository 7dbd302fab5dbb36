"""docs/backends.md tells of every engine, and of no other."""

import re

import pytest
from support.paths import ROOT

from websearch import errors
from websearch.config.settings import Settings, is_page_engine
from websearch.engines import BACKENDS
from websearch.routing.limits import key_variable

PAGE = (ROOT / "docs" / "backends.md").read_text("utf-8")
TABLE = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", PAGE, re.MULTILINE))


def section(name: str, mark: str = "`") -> str:
    return PAGE.partition(f"## {mark}{name}{mark}\n")[2].partition("\n## ")[0]


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


def test_errors() -> None:
    """Each error that is named is one of the tree, with a known detail code."""
    rows = {r.split("`")[1]: r for r in (errors.__doc__ or "").splitlines() if "`" in r}
    named = re.findall(r"`([A-Z]\w+) (\w+)`", PAGE)

    assert len(named) > 20
    assert [f"{c} {d}" for c, d in named if f"`{d}`" not in rows[c]] == []


@pytest.mark.parametrize("name", BACKENDS)
def test_settings(name: str) -> None:
    """The section of a backend names every setting of its own."""
    stem = "WEB_FETCH_PROXY" if is_page_engine(name) else f"{name.upper()}_"
    own = {str(f.alias) for f in Settings.model_fields.values()}
    text = section(name) + TABLE[name]

    missing = {a for a in own if a.startswith(stem) and f"`{a}" not in text}
    assert missing == set()


def test_network_settings() -> None:
    """The settings of reading pages are named, and every error of a proxy."""
    network = section("Proxy, time limit, User-Agent", mark="")
    fields = [str(f.alias) for f in Settings.model_fields.values()]
    codes = re.findall(r"`(proxy_\w+)`", errors.__doc__ or "")

    assert len(codes) == 6
    assert [a for a in fields if a.startswith("WEB_FETCH_") and a not in network] == []
    assert [code for code in codes if f" {code}`" not in network] == []
