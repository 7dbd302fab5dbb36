"""Citations are found by their places in a text."""

from random import Random

import pytest
from support.markdown import FORMS

from citations import (
    Linker,
    Marker,
    PageLinker,
    Source,
    cited,
    link,
    markers,
    page_form,
    unmark,
)
from citations.evidence import check

SOURCES = {n: Source(n, f"T{n}", f"https://s{n}.example/") for n in (1, 2)}
# What a model writes, and the marker of ours that it means.
SAME = {
    **dict.fromkeys(FORMS[:-2], "[1]"),
    **dict.fromkeys(["【1†source】", "【来源1】"], "【1】"),
    "[cite: 1, 2]": "[1, 2]",
}


def places(text: str, known: set[int] | None = None) -> dict[str, tuple[int, ...]]:
    citations = markers(text, known)
    return {text[marker.start : marker.end]: marker.numbers for marker in citations}


@pytest.mark.spec("D1", "D6")
@pytest.mark.parametrize(
    ("text", "any_number", "known"),
    [
        (
            "晴[1]，雨【2、9】",
            {"[1]": (1,), "【2、9】": (2, 9)},
            {"[1]": (1,), "【2、9】": (2,)},
        ),
        ("> a\n> 乙[1]\n\n|`[2]`|[２]|", {"[1]": (1,), "[２]": (2,)}, None),
        ("无[9]", {"[9]": (9,)}, {}),
        ("好![1]", {"[1]": (1,)}, None),  # its link would be an image
        (
            "[[1]](https://x.example/ 't')",
            {"[[1]](https://x.example/ 't')": (1,)},
            None,
        ),
        ("[2](https://x.example/)", {}, {"[2](https://x.example/)": (2,)}),
        ("[2024](/x) ![1](/x) [a 1](/x) [a [1]](/x)", {}, None),
        ("`[1]` arr[1] $[1]$ \\[1\\]", {}, None),
    ],
    ids=[
        *("markers", "in blocks", "unknown", "behind !", "a link that cites"),
        *("a number as words", "links that don't cite", "no citations"),
    ],
)
def test_places(
    text: str,
    any_number: dict[str, tuple[int, ...]],
    known: dict[str, tuple[int, ...]] | None,
) -> None:
    """A citation has its place and its numbers, of which only known ones count."""
    assert places(text) == any_number
    assert places(text, {1, 2}) == (any_number if known is None else known)


def test_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where reading fails nothing is cited, and the log says nothing of the text."""

    def fail(*_: object) -> None:
        raise RuntimeError("晴")

    monkeypatch.setattr("citations.citing.PlainForm._cite", fail)

    assert (markers("晴[1]"), cited("晴[1]", {1})) == ([], [])
    assert "晴" not in caplog.text


def test_order() -> None:
    """The numbers that a text cites come by their first marker."""
    assert cited("晴[2, 1]，雨[3][1]", {1, 3}) == [1, 3]
    assert markers("[3]", {3}) == [Marker(0, 3, (3,))]


@pytest.mark.spec("Y4", "D6")
@pytest.mark.parametrize("written", SAME)
@pytest.mark.parametrize(
    "around",
    [
        *("晴{}。", "It is sunny. {} It rains.", "{} is one", "**重点{}**", "{}.a"),
        *("# 题{}\n\n文{}", "- [x] 项\n  {}", "> 引\n> {}", "|甲|\n|-|\n|{}|`{}`|"),
        *("[见 {} 等]", "太好了！{}", "Great!{}", "as shown{} in 2024{}", "x_1{} = {}"),
        *(
            "`{}` 与\n```\n{}\n```\n{}",
            "[a {}](/u)",
            "![{}](/u)",
            "$$x^2 {}$$ \\(y_1 {}\\)",
        ),
        *('<b title="{}">{}</b>', "{}(/u)", "[{}](/u)", "[a]{}", "[a {}][b]"),
    ],
)
def test_forms_of_models(around: str, written: str) -> None:
    """Each form is read where ours is, and left alone where ours is."""
    text, plain = around.replace("{}", written), around.replace("{}", SAME[written])
    shown = page_form(text, SOURCES)

    assert link(text, SOURCES).replace(written, SAME[written]) == link(plain, SOURCES)
    assert cited(text, SOURCES) == cited(plain, SOURCES)
    assert shown.count("](https://s") == page_form(plain, SOURCES).count("](https://s")
    assert page_form(shown, SOURCES) == shown


@pytest.mark.spec("Y4", "D2")
@pytest.mark.parametrize(
    "text",
    [
        *("(1)", "¹", "①", "<sup>1</sup>", "[1-3]", "[图 1]", "[Table 1]", "[source]"),
        *("[ref1]", "[source 01]", "[citation:9]", "[1†source]", "[Source A]"),
        *("【1:2】", "[resource 1]", "[citation needed]", "[ref_1-3]", "【天气†1】"),
    ],
)
def test_other_brackets(text: str) -> None:
    """Markers that prose does not make safe stay, and so do unknown numbers."""
    assert link(f"晴{text}。", SOURCES) == f"晴{text}。"
    assert cited(f"晴{text}。", SOURCES) == []


@pytest.mark.spec("Y4")
@pytest.mark.parametrize("marker", FORMS[-2:])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("晴{}。雨{}", "晴。雨"),
        ("Sunny{}. Rain. {}", "Sunny. Rain. "),
        ("**晴{}**，雨 {} 雪", "**晴**，雨  雪"),
        ("|a{}|\n|-|\n|b{}|", "|a|\n|-|\n|b|"),
        ("`{}`", "`{}`"),
        ("[a]{}(https://evil.example)", "[a]{}(https://evil.example)"),
        ("{}- a", "\u200c- a"),
        ("www{}.evil.example", "www\u200c.evil.example"),
        ("https:{}//evil.example", "https:\u200c//evil.example"),
        ("a <b{} c>", "a <b\u200c c>"),
    ],
)
def test_second_number(text: str, shown: str, marker: str) -> None:
    """A marker with a number that is no source's is removed, and nothing grows."""
    text, shown = text.replace("{}", marker), shown.replace("{}", marker)

    assert link(text, SOURCES) == shown
    assert markers(text, {1}) == [
        Marker(place, place + len(marker), ())
        for place in range(len(text))
        if text.startswith(marker, place) and marker not in shown
    ]


@pytest.mark.spec("Y4", "D7")
@pytest.mark.parametrize("form", [Linker, PageLinker])
def test_forms_in_chunks(form: type[Linker | PageLinker]) -> None:
    """A text with every form gives the same for a thousand ways of cutting it."""
    text = "".join(
        f"晴{one}。It rains {one}, [see {one} 【天气】 ({one})\n" for one in FORMS
    )
    text += "晴[1, 2]`[1]`![a](b)[^2]\n> 【1】<b>http://x.example\n\n|a|\n|-|\n|[2]|\n"
    whole, chance = form(SOURCES).whole(text), Random(4)

    for _ in range(1_000):
        cuts = chance.sample(range(len(text)), chance.choice((1, 2, 8, 60)))
        places = [0, *sorted(cuts), len(text)]
        linker = form(SOURCES)
        chunks = map(slice, places, places[1:])
        shown = "".join([linker.feed(text[chunk]) for chunk in chunks])
        assert shown + linker.close() == whole


@pytest.mark.spec("Y4", "D7")
@pytest.mark.parametrize("sign", "【［")
def test_bounded_hold(sign: str) -> None:
    """Text waits only while it may become a marker, and never for long."""
    linker = Linker(SOURCES)
    waits = {}
    for words in "来源1 citation:1 1†source 1†L5-L9 天气 cat 1a".split():  # noqa: SIM905
        linker.feed("晴")
        waits[words] = [linker.held for char in sign + words if not linker.feed(char)]
        linker.feed("。")
    linker.feed(sign + "1, " * 10_000)

    assert [words for words, held in waits.items() if len(held) <= len(words)] == [
        *("天气", "cat", "1a")
    ]
    assert linker.held <= 1


@pytest.mark.spec("Y4")
@pytest.mark.parametrize("form", SAME)
def test_evidence_of_forms(form: str) -> None:
    """A sentence that cites in any form is looked up in the source, without it."""
    text = f"Lake Orvane is 214 metres deep {form}. It rains."

    (evidence,) = check(text, {1: "Lake Orvane is 214 metres deep."})

    assert (evidence.sentence, evidence.numbers) == (
        "Lake Orvane is 214 metres deep .",
        (1,),
    )


@pytest.mark.spec("Y4", "N5")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "around", ["{}", "[{}]", "a {} [b]", "[{}](https://x.example/)"]
)
def test_forms_of_strangers(form: str, around: str) -> None:
    """In a title or a page no form is left that would be read as a citation."""
    assert markers(unmark(around.replace("{}", form))) == []
