"""A page that was made to cost time or memory is refused before it is parsed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engine_pages import baidu_card, baidu_page, ddg_page, ddg_row

from websearch.engines.page_bounds import (
    MAX_ATTRIBUTES,
    MAX_OPENED,
    MAX_TAGS,
    _is_modest,
    is_bounded,
)

FILLER = "x" * 50_000  # a page of some length, whose tags are looked at
FORMATS = "".join(f"<font size={n}>" for n in range(400))


def attributes(count: int, value: str = "", *, since: int = 0) -> str:
    return " ".join(f"a{number}{value}" for number in range(since, since + count))


def tags(name: str, count: int, each: int = 20, *, value: str = "") -> str:
    """*count* tags with *each* attributes, whose names are all different."""
    return "".join(
        f"<{name} {attributes(each, value, since=number * each)}>"
        for number in range(count)
    )


@pytest.mark.parametrize(
    "page",
    [
        ddg_page(*(ddg_row(n) for n in range(30))),
        baidu_page(*(baidu_card(n) for n in range(30))),
        "<div>" * MAX_TAGS,
        f"<p {attributes(MAX_ATTRIBUTES)}>{FILLER}",
        f"<p>{FILLER}" + "<em class=a>" * 1_000,
        f"<p title='{'> ' * 5_000}'>{FILLER}",
        "<html class=a lang=b>" * 100 + FILLER,
        f"<p {attributes(20)}>" * 4_000,
        tags("p", 250),
        "".join(f"<i class=a{n}>x</i>" for n in range(2_000)),
        f"{FILLER}<img src='data:{'A/' * 50_000}'>",
        "words < words > words" * 5_000,
        "x" * 1_000_000,
        "",
    ],
    ids=[
        "DuckDuckGo",
        "Baidu",
        "most tags",
        "most attributes",
        "equal formats",
        "signs in a value",
        "roots in scripts",
        "equal attributes",
        "attributes that differ",
        "closed formats",
        "long value",
        "mathematics",
        "long text",
        "nothing",
    ],
)
def test_taken(page: str) -> None:
    """A usual page of results is accepted, up to the limits."""
    assert is_bounded(page.encode())


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 50_000,
        "<div>" * (MAX_TAGS + 1),
        "<table>" * 50_000,
        '<a class="result__a">' * 40_000,
        f"<p {attributes(200_000)}>",
        f"{FILLER}<p {attributes(MAX_ATTRIBUTES + 1)}>",
        f"{FILLER}<p " + attributes(MAX_ATTRIBUTES + 1, '=">"') + ">",
        f"{FILLER}<p " + attributes(MAX_ATTRIBUTES + 1, "='>'") + ">",
        f"{FILLER}<p " + attributes(MAX_ATTRIBUTES + 1, " = '>'") + ">",
        f"{FILLER}<p " + attributes(MAX_ATTRIBUTES + 1).replace(" ", "/") + ">",
        f'{FILLER}<!-- <x y=" --><p {attributes(MAX_ATTRIBUTES + 1)}>"',
        f"{FILLER}<!--><p {attributes(MAX_ATTRIBUTES + 1)}>-->",
        f"<p {attributes(1_500)}>" * 50,
        tags("html", 9_000),
        tags("HTML", 9_000).replace(" ", "/"),
        tags("body", 9_000, value='=""'),
        tags("body", 9_000, value='=""').replace('" ', '"'),
        tags("p", 1_000),
        tags("/p", 1_000),
        tags("/p", 10, 1_500),
        f"</p {attributes(MAX_ATTRIBUTES + 1)}>{FILLER}",
        f"<html {attributes(1_500)}>" + f"<html {attributes(100)}>" * 400,
        f"<p {attributes(150, '=1234')}>" * 4_000,
        ("<a b='" + "y" * 60) * 12_000,
        ("<a/b=" + "y" * 60) * 12_000,
        f"{FILLER}<p>{FORMATS}" + "<p>x" * 200,
        f"<p>{FORMATS}" + "<p>x" * 1_000,
        f"<p>{FORMATS.upper()}" + "<p>x" * 1_000,
        "<p>" + "".join(f"<b a='>{n}'>" for n in range(900)),
    ],
    ids=[
        "nested",
        "one tag too many",
        "tables",
        "links",
        "attributes",
        "one attribute too many",
        "double quotes",
        "single quotes",
        "spaces around the sign",
        "slashes",
        "hidden by a comment with a quote",
        "hidden by a short comment",
        "many long tags",
        "roots",
        "roots with slashes",
        "roots with values",
        "roots without blanks",
        "names of attributes",
        "names in ends",
        "names in long ends",
        "attributes of one end",
        "roots that repeat names",
        "many middle tags",
        "quoted tags",
        "unquoted tags",
        "formats",
        "formats in a small page",
        "formats in capitals",
        "formats that differ behind a sign",
    ],
)
def test_refused(page: str) -> None:
    """Whatever makes parsing quadratic is refused, however it hides."""
    assert not is_bounded(page.encode())


@given(st.binary(max_size=300))
def test_any_bytes(page: bytes) -> None:
    """Small pages are taken, whatever they hold."""
    assert is_bounded(page)


@given(st.text("<a >=\"'/b!-", max_size=60))
def test_any_tag_is_looked_at(before: str) -> None:
    """Nothing before a tag keeps its attributes from being counted."""
    page = f"{before}<p {attributes(MAX_ATTRIBUTES + 1)}>".encode()

    assert not _is_modest(page, 100)


def test_formats_and_tags() -> None:
    """The more tags a page has, the fewer formats may stay open."""
    formats = "".join(f"<i class=a{number}><img></i>" for number in range(5))
    few, many = (formats + "<p>x" * count for count in (4_000, 6_000))

    assert 5 * 4_015 < MAX_OPENED < 5 * 6_000
    assert is_bounded(few.encode())
    assert not is_bounded(many.encode())


@pytest.mark.parametrize(
    ("end", "is_closed"),
    [
        ("x</i>", True),
        ("</I\n>", True),
        ("&nbsp;</i>", True),
        ("<b>x</b>, <u a='>'>y<em>z</em></u></i>", True),
        ("<b></i>", False),
        ("<b></b><!-- </i> -->", False),
        ("<iframe></i>", False),
        ("</b>", False),
        ("</ix>", False),
        ("<!--</i>-->", False),
        ("</i x='", False),
        ("", False),
    ],
)
def test_closed_formats(end: str, is_closed: bool) -> None:
    """A format is closed for certain where only text stands before its own end."""
    formats = "".join(f"<i class=a{number}>{end}" for number in range(100))

    assert is_bounded((formats + "<p>x" * 600).encode()) is is_closed


@pytest.mark.parametrize("attribute", ["\v='></i>'", "a='></i>'", 'a = "></i>"'])
def test_end_in_a_value(attribute: str) -> None:
    """An end inside the value of an attribute closes nothing."""
    formats = "".join(f"<i a{number} {attribute}>" for number in range(100))

    assert not is_bounded((formats + "<p>x" * 600).encode())
