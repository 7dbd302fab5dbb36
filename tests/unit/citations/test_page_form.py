"""The page's form of an answer loads, hides and misreads nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token
from support.markdown import FORMS, PARSER

from citations import PageLinker, Source, page_form
from untrusted.urls import page_key

SOURCES = {
    1: Source(1, "标题", "https://one.example/"),
    2: Source(2, 'A "b" [c](d) `e` *f* | <g> \\', "https://www.two.example/?q=1"),
}
ONE = '[[1]](https://one.example/ "[1] 标题 — one.example")'
SIGNS = """
[1] [9] [ ] ![ ](http://evil.example/) ](javascript:x) ( ) ` ``` < > <b> [1]: [a]: [a]
http://evil.example/ \\ | a 中 ! [[1]](http://evil.example) 【1】 <javascript:x> $
\\[ \\] " ' [^1]: [^9] ** -->
"""
PARTS = [*SIGNS.split(), *FORMS, "\n", "\n\n", "\n> ", "\n- ", "    "]
PARTS += ["\n|-|\n", "\t", " "]


def page(text: str) -> str:
    return page_form(text, SOURCES)


def parsed(text: str) -> list[Token]:
    tokens = PARSER.parse(text)
    return [child for token in tokens for child in [token, *(token.children or [])]]


@pytest.mark.spec("D3", "D8")
def test_title() -> None:
    """A link's title is `[n] title — domain`, escaped."""
    tokens = parsed(page("晴[2]。"))
    links = [token.attrs for token in tokens if token.type == "link_open"]

    assert page("晴[1]。") == f"晴{ONE}。"
    assert links == [
        {
            "href": "https://www.two.example/?q=1",
            "title": '[2] A "b" [c](d) `e` *f* | <g> \\ — two.example',
        }
    ]


@pytest.mark.spec("D2", "D6", "N1", "N5")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # colons
        ("AWS re:Invent", r"AWS re\:Invent"),
        (":::note\n答案:Python", "::\\:note\n答案\\:Python"),
        ("10:30 主题:测试 a: b", "10:30 主题:测试 a: b"),
        ("`a:b` <http://a.example/b:c>", "`a:b` `http://a.example/b:c`"),
        ("```\na:b\n```", "```\na:b\n```"),
        ("[t:x](http://a.example/)", r"t\:x (`http://a.example/`)"),
        (r"a\:b", r"a\:b"),
        # what can't be seen
        ("a\u200bb\ufeffc\u202ed\u2060\x00\x1b\ud83d\U000e0041", "abcd"),
        ("👩\u200d💻\t\r\n", "👩\u200d💻\t\r\n"),
        # images
        ("![图](http://e.example/x.png)", r"\[图片已屏蔽\] 图"),
        ("![](http://e.example/x.png)", r"\[图片已屏蔽\]"),
        (
            "![a][b]\n\n[b]: http://e.example/",
            "!\\[a\\]\\[b\\]\n\n\\[b\\]: `http://e.example/`",
        ),
        ("www.x.example![1]", rf"`www.x.example`\!{ONE}"),
        (
            "[![a](http://e.example/)](http://x.example/)",
            r"\[图片已屏蔽\] a (`http://x.example/`)",
        ),
        ("![a![b](c)](d)", r"\[图片已屏蔽\] a\[图片已屏蔽\] b"),
        # links
        ('[t](http://x.example/ "title")', "t (`http://x.example/`)"),
        ("[t](<http://x.example/a b> 't')", "t (`http://x.example/a b`)"),
        ("[t](mailto:a@x.example)", "t (`mailto:a@x.example`)"),
        ("[t](javascript:alert(1))", r"\[t\]"),
        ("[t](java&#115;cript:alert)", r"\[t\]"),
        ("[t](//x.example/)", r"\[t\]"),
        ("[t](/x)", r"\[t\]"),
        ("[t](http://u:p@x.example/)", r"\[t\]"),
        ("<javascript:alert>", r"\<javascript\:alert>"),
        ("<http://x.example/>", "`http://x.example/`"),
        ("https://x.example/）见", "`https://x.example/`）见"),
        ("http://u:p@x.example/", "`http://u:p@x.example/`"),
        (
            "[t][r]\n\n[r]: http://x.example/",
            "\\[t\\]\\[r\\]\n\n\\[r\\]: `http://x.example/`",
        ),
        # to sources, all else is code
        ("[t](https://one.example)", "[t](https://one.example/)"),
        ("<https://one.example/>", "<https://one.example/>"),
        ("https://one.example/#x 见", "<https://one.example/> 见"),
        ("a ` b http://x.example/", r"a \` b `http://x.example/`"),
        ("[`t](http://x.example/)`", "\\[`t](http://x.example/)`"),
        # numbers lead to their source or nowhere
        ("[1](http://evil.example/)", ONE),
        ("[[1]](http://evil.example/)", ONE),
        ("[**【1】**](http://evil.example/)", ONE),
        ("[[9]](http://evil.example/)", r"\[9\]"),
        ("如图[1](见附录)。", f"如图{ONE}(见附录)。"),
        ("[2024](http://x.example/)", "2024 (`http://x.example/`)"),
        ("[1]: http://e.example/\n[1]", f"\\[1\\]: `http://e.example/`\n{ONE}"),
        ("[^1]: http://e.example/", r"\[^1\]: `http://e.example/`"),
        ("[1][x]", rf"{ONE}\[x\]"),
        ("晴[9][8, 9][1, 9]", rf"晴\[9\]\[8, 9\]{ONE}\[9\]"),
        ("太好了![1]", rf"太好了\!{ONE}"),
        # entities and signs, which may hide an address
        ("&lt;div&gt; &nbsp; a &amp; b & c", "&lt;div&gt; &nbsp; a &amp; b & c"),
        ("邮箱admin@a.example。", "邮箱`admin@a.example`。"),
        ("微信 @张三 a @ b, 3@", "微信 @张三 a @ b, 3@"),
        ("www&#46;a.example", "www&amp;#46;a.example"),
        (r"www\.a.example", "`www.a.example`"),
        (r"a\.b 1\. x \& y", r"a\.b 1\. x \& y"),
        # what stays
        ("- [x] a\n- [ ] b", "- [x] a\n- [ ] b"),
        ("<b>[1]</b> <img src=x>", f"<b>{ONE}</b> <img src=x>"),
        ("a [b] c", r"a \[b\] c"),
        ("`![a](b)`", "`![a](b)`"),
        ("`a\\h`\n\n\\hbar", "`a\\h`\n\n\\\\hbar"),
    ],
    ids=range(55),
)
def test_page_form(text: str, shown: str) -> None:
    """The page's form is harmless, and converting it again changes nothing."""
    assert page(text) == shown
    assert page(shown) == shown


@pytest.mark.spec("D2")
def test_words_for_images() -> None:
    """The words that stand for an image are a parameter, and can't be markup."""
    text = page_form("![a](b)", {}, image="[no ![x](y)]")

    assert text == r"\[no !\[x\](y)\] a"


@pytest.mark.spec("N1", "N5")
@given(st.lists(st.sampled_from(PARTS), max_size=16).map("".join))
def test_nothing_loads_and_numbers_are_ours(text: str) -> None:
    """No image, no definition, no foreign scheme, no number that leads elsewhere."""
    environment: dict[str, object] = {}
    tokens = PARSER.parse(page(text), environment)
    ours = {page_key(source.url) for source in SOURCES.values()}

    assert not environment.get("references")
    for token in tokens:
        href, words = "", ""
        for child in token.children or []:
            assert child.type != "image"
            if child.type == "link_open":
                href, words = str(child.attrs["href"]), ""
                assert page_key(href) in ours
            elif child.type == "link_close":
                number = re.fullmatch(r"\[([0-9]+)\]", words)
                assert number is None or href == SOURCES[int(number[1])].url
            else:
                words += child.content


@pytest.mark.spec("D5")
def test_failure_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed conversion for the page escapes the whole text."""

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("citations.page.PageForm._cite", fail)

    assert page("![a](b) [1] a:b") == r"\!\[a\](b) \[1\] a\:b"


@pytest.mark.spec("N1")
def test_image_while_streaming() -> None:
    """No output on the way holds an image either."""
    linker = PageLinker(SOURCES)
    shown = ""
    for char in "看![图](http://evil.example/x.png)和`![b](c)`。":
        shown += linker.feed(char)
        assert not [token for token in parsed(shown) if token.type == "image"]
