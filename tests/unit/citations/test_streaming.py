"""Links appear while an answer streams, the same however it is cut."""

from itertools import pairwise
from statistics import median

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from support.markdown import FORMS, HIDDEN_ADDRESSES

from citations import Linker, PageLinker, Source, link, markers, page_form

SOURCES = {n: Source(n, f"Title {n}", f"https://s{n}.example/") for n in (1, 2)}
SIGNS = """
[1] [2] [9] [1,2] 【1】 ［２］ [^1] [ ]( ](http://x.example/) ) ( ! ![ ` `` < > <b> <!--
--> \\ $ $$ \\[ \\] \\( \\) | a word 中文 。 ： * ** _ # http://e.example/ www.e.example
[1]: [a]: [^1]: re:In :: <http://m.example> <a href= " ' [x] arr &#91; <javascript:x>
[[1]](http://evil.example) ](javascript:x) <? ?>
"""
BREAKS = ["\n", "\n\n", "\n> ", "\n- ", "\n1. ", "    ", "\t", " ", "\r\n", "\r"]
BREAKS += ["```\n", "\n|-|-|\n", "\n===\n", "\n---\n", "~~~\n", "<div>\n"]
BREAKS += ["\u200b", "\ud83d", "\x00"]
PARTS = st.sampled_from([*SIGNS.split(), *FORMS, *BREAKS, "[1, 2]", "【1、 2】"])
Form = type[Linker] | type[PageLinker]
FORMS = st.sampled_from([Linker, PageLinker])
TEXTS = (
    st.lists(PARTS, max_size=14).map("".join)
    | st.lists(st.sampled_from(HIDDEN_ADDRESSES), max_size=4).map(" ".join)
    | st.text(max_size=40)
)


def streamed(chunks: list[str], linker: Linker | PageLinker) -> str:
    return "".join([linker.feed(chunk) for chunk in chunks]) + linker.close()


@pytest.mark.spec("D7")
@given(TEXTS, st.lists(st.integers(0, 120)), FORMS)
@example(
    "晴[1, 2]`[1]`![a](b)[^2]\n> 【1】<b>http://x.example\n\n|a|\n|-|\n|[2]|\n",
    [9],
    Linker,
)
@example("晴[1]。`a` [b](http://x.example/ 'c')\n\n```\n[1]\n```\n", [], PageLinker)
def test_any_cut(text: str, cuts: list[int], form: Form) -> None:
    """The joined output is the one-shot result for every way of cutting."""
    whole = form(SOURCES).whole(text)
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    chunks = [text[begin:end] for begin, end in pairwise(places)]

    assert streamed(chunks, form(SOURCES)) == whole
    assert streamed(list(text), form(SOURCES)) == whole


@pytest.mark.spec("D7")
@given(TEXTS)
def test_idempotent(text: str) -> None:
    """Linking a linked text changes nothing, unless it reads brackets as a formula."""
    for form in (link, page_form):
        once = form(text, SOURCES)
        again = form(once, SOURCES)
        assert again == once or again.count("$$") > once.count("$$")


@pytest.mark.spec("D2")
@given(TEXTS)
def test_link_writes_there(text: str) -> None:
    """What `link` writes stands in place of the citations; else it escapes brackets."""
    assume("!" not in text)  # behind it a marker cites and is no link
    spliced, end = "", 0
    for marker in markers(text):
        is_link = text[marker.end - 1] == ")"
        if not is_link and (not marker.numbers or SOURCES.keys() & {*marker.numbers}):
            links = (link(f"[{number}]", SOURCES) for number in marker.numbers)
            spliced += text[end : marker.start] + "".join(links)
            end = marker.end
    spliced += text[end:]

    ignored = str.maketrans("", "", "\\\u200c")  # escapes, and a sign between words
    assert spliced.translate(ignored) == link(text, SOURCES).translate(ignored)


@pytest.mark.spec("D7")
@given(st.text())
def test_count_of_held(text: str) -> None:
    """The held text is at most the read text, and empty at the end."""
    linker = Linker(SOURCES)
    for char in text:
        linker.feed(char)
    assert 0 <= linker.held <= len(text)
    linker.close()
    assert linker.held == 0


@pytest.mark.spec("D7")
@pytest.mark.parametrize("linker", [Linker(SOURCES), PageLinker(SOURCES)])
def test_prose_is_not_held(linker: Linker | PageLinker) -> None:
    """On ordinary prose the median delay is at most one token."""
    text = (
        "今天 the weather is 晴朗，about 20 度 (as shown)[1]. It's fine, 说明：好。 "
        * 20
    )
    tokens = [text[at : at + 4] for at in range(0, len(text), 4)]
    held = []
    for token in tokens:
        linker.feed(token)
        held.append(linker.held)

    assert median(held) <= 4


@pytest.mark.spec("D7")
@pytest.mark.parametrize(
    "open_end", ["[a", "`a", "<a b", "<!-- a", "$a", "\\[a", "![a", "[a](b", "[a][b"]
)
@pytest.mark.parametrize("block_end", ["\n\n", "\n# ", "\n- x", "\n```\n", "\n***\n"])
def test_nothing_waits_past_its_block(open_end: str, block_end: str) -> None:
    """Open constructs are shown at the end of their block."""
    linker = Linker(SOURCES)
    shown = linker.feed(f"晴 {open_end} [1]{block_end}y")

    assert shown.startswith("晴")
    assert "[1]" in shown


@pytest.mark.spec("D7")
def test_link_travels_whole() -> None:
    """No output ends inside a link, and a marker comes with the character behind it."""
    text = "晴[1]，雨[2]。\n\n- [1][2]\n" * 5
    linker = PageLinker(SOURCES)
    assert [bool(linker.feed(char)) for char in "晴[1]。"] == [True, *[False] * 3, True]
    for char in text:
        out = linker.feed(char)
        assert out.count("](https") == out.count('example")')
