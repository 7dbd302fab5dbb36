"""docs/tool-contract.md says what the code does."""

import ast
import json
import re
from collections.abc import Iterator

import pytest
from support.paths import ROOT

from agent.tools import TOOLS
from websearch import errors
from websearch import tool_contract as contract
from websearch.engines import BACKENDS, Bocha, Brave, DuckDuckGo
from websearch.engines.searxng import status_error
from websearch.errors import BadGateway, SearchError
from websearch.models import SearchItem, SearchResponse
from websearch.network.client import HttpClient
from websearch.network.response import Reply
from websearch.tool_contract import SEARCH_SCHEMA

PAGE = (ROOT / "docs" / "tool-contract.md").read_text("utf-8")


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| ")]


def section(heading: str) -> str:
    return PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def names(text: str) -> set[str]:
    """The names in the first column."""
    return {row.split("`")[1] for row in rows(text)[2:]}


@pytest.mark.spec("H8")
def test_errors() -> None:
    """The table of errors is that of the code, row for row."""
    assert rows(section("Errors")) == rows(errors.__doc__ or "")


@pytest.mark.spec("H3")
def test_input() -> None:
    """Every argument has its row; `lang` stands beside `locale`."""
    assert names(section("Input")) == set(SEARCH_SCHEMA["properties"]) - {"lang"}


def test_report() -> None:
    """Every argument of a report has its row."""
    assert names(section("research_report")) == set(
        TOOLS["research_report"].schema["properties"]
    )


def test_backends() -> None:
    """Every backend has its row."""
    assert names(section("Backends")) == set(BACKENDS)


def test_tools() -> None:
    """Every tool has its row."""
    assert names(PAGE.partition("## Providers")[0]) == set(TOOLS)


def test_providers() -> None:
    """Every provider has its row."""
    kinds = [contract.WebProvider, *contract.WebProvider.__subclasses__()]

    assert names(section("Providers")) == {kind.__name__ for kind in kinds}


@pytest.mark.parametrize("key", ["items", "provider_meta", "errors"])
def test_result(key: str) -> None:
    """The example of a result has the keys of a real one, in their order."""
    example = json.loads(section("Result").partition("```json")[2].partition("```")[0])
    failed = BadGateway("…", detail_code="engines_failed")
    item = SearchItem("t", "https://example.org/", "s", "searxng")
    real = SearchResponse("q", "searxng", [item], errors=[failed]).as_items()

    assert list(example) == list(real)
    shown, given = (
        x[key][0] if key != "provider_meta" else x[key] for x in (example, real)
    )
    assert list(shown) == list(given)


def literals(tree: ast.AST) -> set[tuple[str, str]]:
    """Each error with a literal detail code: in a call, or as (class, code, …)."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            kind = ast.unparse(node.func)
            codes = [k.value for k in node.keywords if k.arg == "detail_code"]
            inner = [part for code in codes for part in ast.walk(code)]
        elif isinstance(node, ast.Tuple) and len(node.elts) > 1:
            kind, inner = ast.unparse(node.elts[0]), [node.elts[1]]
        else:
            continue
        texts = [str(i.value) for i in inner if isinstance(i, ast.Constant)]
        found |= {(kind, text) for text in texts if re.fullmatch("[a-z0-9_]+", text)}
    return {(kind, text) for kind, text in found if hasattr(errors, kind)}


def told() -> set[tuple[str, str]]:
    """Each class of error with each of its detail codes."""
    return {
        (row.split("`")[1], detail)
        for row in rows(section("Errors"))[2:]
        for detail in re.findall(r"`(\w+)`", row.split("|")[4])
    }


def is_told(error: SearchError) -> bool:
    """Tell if the table has this error; `xx` stands for two digits."""
    code = error.detail_code or ""
    return not {(error.code, code), (error.code, f"{code[:-2]}xx")}.isdisjoint(told())


@pytest.mark.spec("H8")
def test_every_detail_code_is_told() -> None:
    """No error is raised with a detail code that its row does not name."""
    # Those of pages to read stand in docs/reading.md.
    files = (ROOT / "websearch").rglob("*.py")
    sources = [file for file in files if file.parent.name != "fetch"]
    used = {pair for s in sources for pair in literals(ast.parse(s.read_text("utf-8")))}

    assert len(used) > 20
    assert used - told() == set()


@pytest.mark.spec("H8")
def test_no_detail_code_is_invented() -> None:
    """Every detail code of the table stands in the code, or is a status."""
    files = [f for f in (ROOT / "websearch").rglob("*.py") if f.name != "errors.py"]
    code = "".join(file.read_text("utf-8") for file in files)
    details = {detail for _, detail in told() if not detail.startswith("http_")}

    assert {detail for detail in details if f'"{detail}"' not in code} == set()


@pytest.mark.spec("H8")
def test_every_status_is_told() -> None:
    """Whatever status an engine answers with, the table has its error."""
    untold = [
        (status, type(error))
        for status in range(201, 600)
        for error in errors_of(Reply(status, {}, b""))
        if not is_told(error)
    ]

    assert untold == []


def errors_of(reply: Reply) -> Iterator[SearchError]:
    """The error that each engine makes of *reply*."""
    searxng = status_error(reply)
    assert searxng is not None
    yield searxng
    for engine in (DuckDuckGo(HttpClient()), Brave(HttpClient()), Bocha(HttpClient())):
        with pytest.raises(SearchError) as caught:
            engine.check(reply)
        yield caught.value
