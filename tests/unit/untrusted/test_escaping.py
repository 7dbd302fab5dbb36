"""Titles can't be read as Markdown, and can be read by people."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.markdown import PARSER

from untrusted.text import escaped, for_terminal, one_line


@pytest.mark.spec("D8")
@given(st.text())
@example("1. a")
@example("- a")
@example("# a")
@example("&amp; &#91;x&#93; a:b")
@example("a\nb | c \\")
@example("===")
@example("    code")
def test_reads_as_it_was(text: str) -> None:
    """A parser shows an escaped title as the words it was."""
    words = one_line(text)
    tokens = PARSER.parse(escaped(words))
    shown = "".join(token.content for token in (tokens[1].children if tokens else []))

    assert shown == words
    assert all(token.type != "link_open" for token in tokens)


@pytest.mark.spec("D8")
@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("a\n b\tc\x00d", "a b c d"),
        ("a\u200bb\u202ec\ufeff", "abc"),
        ("\ud83d x", "x"),
        ("字" * 130, "字" * 119 + "…"),
        ("é" * 130, "é" * 119 + "…"),
        ("e\u0301" * 100, "e\u0301" * 59 + "…"),
        ("字" * 118 + "🇨🇳🇩🇪", "字" * 118 + "…"),
        *((no_text, "") for no_text in (None, 7, b"x")),
    ],
    ids=range(10),
)
def test_one_line(title: object, line: str) -> None:
    """A title is one visible line, cut between characters."""
    assert one_line(title) == line


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (r"\*a\* `\*` &#12304;1】", r"*a* `\*` 【1】"),
        (r"``\*` `", "``*` `"),  # nothing closes two
        (r"\``\*`", r"``\*`"),
        ("`" * 40 + r"\*" * 40, "`" * 40 + "*" * 40),
    ],
)
def test_for_terminal(markdown: str, text: str) -> None:
    """Escapes go, but not in code; a run of backticks without its like begins none."""
    assert for_terminal(markdown) == text
