"""The lists under an answer."""

import pytest
from markdown_it import MarkdownIt

from citations import (
    Round,
    Source,
    cited,
    link,
    page_form,
    reference_list,
    round_list,
    source_list,
)

SOURCES = {
    1: Source(1, "一", "https://www.one.example/a", "摘要 *一*"),
    2: Source(2, "T [x](y)", "https://two.example/"),
    3: Source(3, "", "https://xn--fsqu00a.xn--0zwm56d/"),
    4: Source(4, "bad", "javascript:alert(1)"),
}
ONE = '- **[1]** [一](https://www.one.example/a "↗ 在新标签页打开") `one.example`'
TWO = '- **[2]** [T \\[x\\](y)](https://two.example/ "↗ 在新标签页打开") `two.example`'
THREE = (
    "- **[3]** [xn--fsqu00a.xn--0zwm56d](https://xn--fsqu00a.xn--0zwm56d/"
    ' "↗ 在新标签页打开") `xn--fsqu00a.xn--0zwm56d`'
)


@pytest.mark.spec("D4")
def test_cited_sources_only() -> None:
    """The list holds number, title, address and domain of what is cited, in order."""
    text = "雨[2]，晴[1]，雨[2]，未知[9]，`[3]`，坏[4]"

    assert reference_list(text, SOURCES) == f"#### 参考文献\n\n{ONE}\n{TWO}"


@pytest.mark.spec("D4")
@pytest.mark.parametrize("text", ["", "晴。", "`[1]`", "[9]", "x[1]", "坏[4]"])
def test_nothing_cited(text: str) -> None:
    """An answer that cites nothing gets no list."""
    assert reference_list(text, SOURCES) == ""


@pytest.mark.spec("D4")
def test_cited_is_what_the_page_links() -> None:
    """A number counts where the page links it, habits and rewritten links included."""
    text = "晴【3】[1, 2] [[1]](http://evil.example/) \\[2\\]"

    assert cited(text, SOURCES) == [3, 1, 2]
    assert cited(page_form("晴[1]。", SOURCES), SOURCES) == [1]
    assert cited("[2](http://evil.example/)", SOURCES) == [2]
    assert cited("\x001\x00", SOURCES) == []


@pytest.mark.spec("D8")
def test_source_of_another_kind() -> None:
    """A source may bring its own key and link; one without a link is named nowhere."""
    file = Source(1, "a *b*.pdf", "", key="file:7", href="/files/7")
    hidden = Source(2, "T", "http://x.example/?\ud800")
    sources = {1: file, 2: hidden}

    assert page_form("晴[1][2]", sources) == (
        r'晴[[1]](/files/7 "[1] a \*b\*.pdf")\[2\]'
    )
    assert reference_list("晴[1][2]", sources, hint="h").split("\n")[2:] == [
        r'- **[1]** [a \*b\*.pdf](/files/7 "↗ h")'
    ]


@pytest.mark.spec("D4", "D8")
def test_private_source() -> None:
    """A source on a private network is cited; addresses in its line are code."""
    title = "*T* https://e.example/"
    page = Source(1, title, "http://10.0.0.1/a`|b", is_private=True)
    text = "晴[1]，[t](http://10.0.0.1/a)"

    assert page.href == ""
    assert page_form(text, {1: page}) == "晴`[1]`，t (`http://10.0.0.1/a`)"
    assert link(text, {1: page}) == text
    assert reference_list(text, {1: page}).split("\n")[2:] == [
        r"- **[1]** \*T\* `https://e.example/` `http://10.0.0.1/a%60%7Cb` `10.0.0.1`"
    ]
    assert "`http://10.0.0.1/" in round_list([Round("q", [page])])


@pytest.mark.spec("D4")
def test_words_are_parameters() -> None:
    """Heading and hint may be in another language."""
    listed = reference_list("[3]", SOURCES, heading="References", hint="new tab")

    assert listed.startswith("#### References\n\n- **[3]** ")
    assert '"↗ new tab"' in listed


@pytest.mark.spec("E8")
def test_rounds() -> None:
    """Every source is listed under its round's query; the cited ones are marked."""
    rounds = [
        Round("天气 *北京*", [SOURCES[1], SOURCES[2]]),
        Round("b\nc", [SOURCES[3]]),
    ]

    assert round_list(rounds, "晴[2]") == (
        "#### 参考文献\n\n"
        f"##### 第 1 次搜索 · “天气 \\*北京\\*”\n\n{ONE}\n{TWO} *已引用*\n\n"
        f"##### 第 2 次搜索 · “b c”\n\n{THREE}"
    )


@pytest.mark.spec("E8", "X3")
def test_a_page_stands_once() -> None:
    """A page that a later search finds again is named there by its number alone."""
    one, two, three = SOURCES[1], SOURCES[2], SOURCES[3]
    rounds = [Round("a", [one, two]), Round("b", [two, three, one]), Round("c", [one])]

    assert round_list(rounds).split("\n\n")[3:] == [
        "##### 第 2 次搜索 · “b”",
        THREE,
        "再次找到 **[2]** **[1]**",
        "##### 第 3 次搜索 · “c”",
        "再次找到 **[1]**",
    ]


@pytest.mark.spec("E8")
@pytest.mark.parametrize(
    ("text", "used", "marked"),
    [("晴[2]", [], TWO), ("", [2, 9], TWO), ("晴[1]", [9, 1], ONE), ("[1][2]", [], "")],
    ids=["of the text", "of the caller", "of both", "not where all are cited"],
)
def test_marks(text: str, used: list[int], marked: str) -> None:
    """Cited sources are marked unless all are; unknown numbers have no effect."""
    lines = round_list([Round("q", [SOURCES[1], SOURCES[2]])], text, used=used)

    assert [line for line in lines.split("\n") if line.endswith("*已引用*")] == (
        [f"{marked} *已引用*"] if marked else []
    )


@pytest.mark.spec("E8")
@pytest.mark.parametrize("rounds", [[], [Round("q", [])], [Round("q", [SOURCES[4]])]])
def test_no_rounds(rounds: list[Round]) -> None:
    """No source, no list."""
    assert round_list(rounds, "晴[1]") == ""


@pytest.mark.spec("C7")
def test_snippets() -> None:
    """Source cards have their snippet as a quote, in one tight list."""
    shown = source_list([SOURCES[1], SOURCES[2]], {1: "已引用"}, snippets=True)
    tokens = MarkdownIt("commonmark").parse(shown)

    assert shown == f"{ONE} *已引用*\n  > 摘要 \\*一\\*\n{TWO}"
    assert [token.type for token in tokens].count("list_item_open") == 2
    assert all(t.hidden for t in tokens if t.type == "paragraph_open" and t.level == 2)
