"""A real Markdown parser reads the same before and after, except for new links."""

import random
import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.browser.npm import read_packaged
from support.markdown import FORMS, PARSER

from citations import Source, link, page_form

SOURCES = {
    1: Source(1, 'T "x" [y]', "https://one.example/a(b)"),
    2: Source(2, "标题|`*", "http://two.example/路径"),
}
OURS = {
    "https://one.example/a%28b%29",
    "http://two.example/%E8%B7%AF%E5%BE%84",
}
SPEC_VERSION = "0.31.2"
SPEC_SHA512 = (  # of the package, as the registry states it
    "vXKxmclzJPymhOJYD26G0oBjVmIcKC8p5m2DvHIq1A1btr1m0r0dT/PzRA5/nwxU"
    "bCAPedMNPEoiQE+zvuOcOw=="
)
MARKERS = ["[1]", "[2]", "[1][2]", "【1】", "[9]", "[1, 2]", *FORMS]
SIGNS = """
[1] [2] [9] 【1】 [ ] ]( ](/u) (x) ) ( ![ ` `` < > <b> </b> --> <!-- \\ | a word 中文 **
* _ ~~ <http://m.example> <a href= " ' [a] [a]: /u # &#91; <? ?> [1,2] [^1] [ref
"""
BREAKS = ["\n", "\n\n", "\n> ", "\n- ", "\n1. ", "\n2) ", "\n  ", "\n\n\t", "\n===\n"]
PARTS = [*SIGNS.split(), *FORMS, *BREAKS, "    ", "\t", " ", "```\n"]
PARTS += ["\n|-|-|\n", "\n---\n", "~~~\n", "<div>\n"]
# A definition of a number has to be changed (N5).
EXCEPTIONS = re.compile(
    r"\[(?:citation|cite|ref|webpage|source|来源|[\s\d^,、:_])*\]:", re.IGNORECASE
)


def facts(text: str) -> Counter[tuple[str, ...]]:
    """Code, HTML, links and images of a text, counted."""
    found: Counter[tuple[str, ...]] = Counter()
    for token in PARSER.parse(text):
        if token.type in {"fence", "code_block", "html_block"}:
            found[token.type, token.info, token.content] += 1
        for child in token.children or []:
            if child.type in {"code_inline", "html_inline"}:
                found[child.type, child.content] += 1
            elif child.type == "link_open":
                found["link", str(child.attrs["href"])] += 1
            elif child.type == "image":
                found["image", str(child.attrs["src"]), child.content] += 1
    return found


def damage(text: str) -> list[tuple[str, ...]]:
    """The changes by linking *text*, apart from links to sources."""
    if EXCEPTIONS.search(text):
        return []
    before, after = facts(text), facts(link(text, SOURCES))
    added = [
        fact for fact in after - before if fact[0] != "link" or fact[1] not in OURS
    ]
    return [*(before - after), *added]


def examples() -> list[str]:
    """The examples of the CommonMark specification: they are not ours to ship."""
    spec = read_packaged("commonmark-spec", SPEC_VERSION, SPEC_SHA512, "spec.txt")
    found = re.findall(
        r"^`{32} example[^\n]*\n(.*?)^\.\n.*?^`{32}$", spec, re.DOTALL | re.MULTILINE
    )
    assert len(found) > 600
    return [markdown.replace("\u2192", "\t") for markdown in found]


@pytest.mark.spec("D6")
@pytest.mark.parametrize("seed", range(3))
def test_mutated_examples(seed: int) -> None:
    """Markers put into the CommonMark examples at random damage nothing."""
    chance = random.Random(seed)
    for one in examples():
        text = one
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(MARKERS) + text[at:]
        assert not damage(text), text


@pytest.mark.spec("D6")
def test_examples_with_all_markers_linked() -> None:
    """In front of each example a marker is linked, whatever follows."""
    for text in examples():
        assert link(f"晴[1]。\n\n{text}", SOURCES).startswith("晴[[1]](https://one")


@pytest.mark.spec("D6")
@given(st.lists(st.sampled_from(PARTS), max_size=16).map("".join))
@example("> ```\n[1]\n\n> - a\n>\n>       [1]\n- [2]\n\n  [1]")
@example("- a\n - b\n  - c\n   - d\n    - e [1]\n\n\t- f\n\n\t      [1]")
@example("1.\n\n   [1]\n2. \n   [1]\n\n      [2]\n")
@example("a\n<div>[1]\n\n<b>[1]\n[1]\n\n<!-- [1]\n\n[1] -->\n[1]")
@example("| a | b |\n|---|---|\n| `x | [1]` | [2] |\n> [1]\n")
@example("[a]:```\n`` ` [1]")
@example("http://m.example![\n【1】](/u)")
def test_generated_texts(text: str) -> None:
    """Texts put together from all of Markdown's signs keep what they are."""
    assert not damage(text)


@pytest.mark.spec("D6", "D7")
@given(st.text(alphabet="[]()!`<>\\1 2a\n\t-*>|:#~_$^\"'&;", max_size=60))
def test_signs(text: str) -> None:
    """So do texts of signs alone."""
    assert not damage(text)


@pytest.mark.spec("D2")
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "a {} b",
        "**{}**",
        "> {}",
        "- {}",
        "# {}",
        "|a|\n|-|\n|{}|",
        "晴{}。",
        "[{}",
    ],
)
def test_link_is_read_as_link(around: str) -> None:
    """The parser reads each link as one, with its title, wherever the marker stands."""
    for number, source in SOURCES.items():
        text = page_form(around.format(f"[{number}]"), SOURCES)
        tokens = [c for t in PARSER.parse(text) for c in t.children or []]
        links = [token.attrs for token in tokens if token.type == "link_open"]

        assert [attrs["href"] in OURS for attrs in links] == [True]
        assert links[0]["title"] == f"[{number}] {source.title} — {source.domain}"
