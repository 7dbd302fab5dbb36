"""Rows of a page of results: their texts, attributes and marks."""

from typing import Any

import pytest

from websearch.parsing.result_page import read


def found(page: str | bytes, *, apart: str = "", **fields: str) -> dict[str, Any]:
    body = page if isinstance(page, bytes) else page.encode()
    return read(
        body,
        charset=None,
        rows=".row",
        apart=apart,
        fields=fields,
        blocks={"gate": ".gate", "wall": ".wall"},
        empty=".none",
    )


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("plain words", "plain words"),
        (" one\n  <b>two</b>\tthree ", "one two three"),
        ("a<b>b</b>c", "abc"),
        ("a\u3000b\u00a0c", "a b c"),
        ("\ue612icon \uf8ffletters", "icon letters"),
        ("北京 <em>天气</em>", "北京 天气"),
        ("&lt;b&gt; &amp;", "<b> &"),
        ("one<br>two", "one two"),
        ("<span>one</span><div>two</div>three", "one two three"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
        ("un<b>for</b><!-- x -->get<i>table</i>", "unforgettable"),
        ("a<style>b{}</style><script>c()</script><template>d</template>e", "ae"),
        ("", ""),
    ],
)
def test_text(markup: str, text: str) -> None:
    """A text is one line of words, without the letters of icon fonts."""
    page = found(f"<div class=row><b>{markup}</b></div>", words=".row > b")

    assert page["rows"] == [{"words": [text]}]


def test_deep_text() -> None:
    """Elements that are nested without an end can't exhaust the stack."""
    page = found(f"<div class=row>{'<div>' * 20_000}deep", words=".row > div")

    assert page["rows"][0]["words"] == ["deep"]


def test_attributes() -> None:
    """An attribute without a value is like an empty one; other nodes have none."""
    page = found("<div class=row y=2><a x></a><a x=1></a><b>z</b></div>", a="[x]@x")

    assert page["rows"] == [{"a": ["", "1"]}]


def test_own_attribute() -> None:
    """A selector matches the row itself too."""
    page = found("<div class=row x=1></div><p class=row></p>", own="[x]@x")

    assert [row["own"] for row in page["rows"]] == [["1"], []]


@pytest.mark.parametrize(
    ("end", "is_whole"),
    [
        ("</html>", True),
        ("</HTML\n >\n<!-- x -->", True),
        ("", False),
        ("</htm", False),
    ],
)
def test_whole(end: str, is_whole: bool) -> None:
    """A page is whole where its end has come, however it is written."""
    assert found(f"<html>x{end}")["is_whole"] is is_whole


def test_marks() -> None:
    """The title, the blocks and the words of an empty page are found."""
    page = found("<title> A  page </title><p class=none>")

    assert page["title"] == "A page"
    assert (page["blocks"], page["is_empty"]) == ([], True)
    assert found("<p class=wall>")["blocks"] == ["wall"]


def test_many() -> None:
    """Rows, values and texts are bounded."""
    page = found("<div class=row><i>x</i></div>" * 100 + "<div class=row>", i="i")
    wide = found(f"<div class=row>{'<i>x</i>' * 500}<b>{'y' * 30_000}", i="i", b="b")

    assert len(page["rows"]) == 60
    assert len(wide["rows"][0]["i"]) == 400
    assert len(wide["rows"][0]["b"][0]) == 20_000


NODE = "<p><i class=row></i></p>"


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        (f"<div>{NODE}<b>1</b></div><div>{NODE}<b>2</b></div>", ["1", "2"]),
        (f"<div>{NODE}<b>1</b>{NODE}<b>2</b></div>", ["", ""]),
        (f"<div>{NODE}<b>1</b></div><h1 class=x></h1>", ["1"]),
        (f"<div>{NODE}<b class=x>1</b></div>", [""]),
        (f"<div class=x>{NODE}<b>1</b></div>", [""]),
    ],
    ids=["siblings", "shared", "beside", "with one apart", "in one apart"],
)
def test_apart(markup: str, texts: list[str]) -> None:
    """A row is the largest element around its node, without others and those apart."""
    page = found(f"<body><main class=x>{markup}</main>", apart="body, .x", b="b")

    assert ["".join(row["b"]) for row in page["rows"]] == texts
