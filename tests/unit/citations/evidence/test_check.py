"""`check` finds the sentences that cite, and quotes their sources."""

import pickle
import subprocess
import sys
import unicodedata

import pytest
from support.evidence import STATION
from support.paths import ROOT

from citations.evidence import check, index, shared_words


def test_one_evidence_for_each_cited_sentence() -> None:
    """A sentence without a citation has none."""
    answer = "It has 163 rooms[1]. 没有来源的一句。长 828 米[1][2]。"

    found = check(answer, {1: STATION, 2: STATION})

    assert [one.sentence for one in found] == ["It has 163 rooms.", "长 828 米。"]
    assert [one.numbers for one in found] == [(1,), (1, 2)]


def test_each_source_has_its_quote() -> None:
    """A quotation is the sentence of the source that fits, letter for letter."""
    answer = "It is 828 m long[1] and has 163 rooms[2]."

    (found,) = check(answer, {1: STATION, 2: STATION})

    long, rooms = found.quotes
    assert long == "The station is 828 metres long and 12 metres high."
    assert rooms.startswith("It has 163 rooms")
    assert rooms in STATION


LAKE = (
    "Lake Orvane\nHow deep is the lake\nLake Orvane is 214 metres deep. Entry to the"
    " museum of Harrow Light costs 6 euros. Pelmar Bridge opened on 3 May 2009."
)
MARKERS = [
    # an answer, and each sentence with the numbers it cites and the values flagged
    (
        "结论：云栖湖最深为**300**米。来源：[1]",
        [("结论：云栖湖最深为300米。", (1,), "300米")],
    ),
    ("It is 300 m deep. (Source: [1])", [("It is 300 m deep.", (1,), "300 m")]),
    ("它深300米。依据的结果编号是 [1]。", [("它深300米。", (1,), "300米")]),
    ("它深214米。\n\n[1][2]", [("它深214米。", (1, 2), "")]),
    ("It is deep.\nSources: [1], [2] and [3].", [("It is deep.", (1, 2, 3), "")]),
    (
        "要点：\n[1][2] 云栖湖最深处为214米。\n[3] 有人说只有190米深。",
        [("云栖湖最深处为214米。", (1, 2), ""), ("有人说只有190米深。", (3,), "190米")],
    ),
    (
        "[1] Pelmar Bridge opened on 3 May 2009.\n[2] Harrow Light opened late.",
        [
            ("Pelmar Bridge opened on 3 May 2009.", (1,), ""),
            ("Harrow Light opened late.", (2,), ""),
        ],
    ),
    (
        "The text of [1] is odd, stating that it is 190 meters deep.",
        [
            (
                "The text of  is odd, stating that it is 190 meters deep.",
                (1,),
                "190 meters",
            )
        ],
    ),
    # nothing stands before it, or no sentence: each citation keeps its entry
    ("来源：[1]", [("来源：", (1,), "")]),
    ("# Depth\n\n[1]\n\nIt is deep[2].", [("", (1,), ""), ("It is deep.", (2,), "")]),
    ("据 [1]，它深300米。", [("据 ，它深300米。", (1,), "300米")]),
    ("It is deep. 190 m are given in [1].", [("190 m are given in .", (1,), "190 m")]),
]


@pytest.mark.spec("P1", "P2")
@pytest.mark.parametrize(("answer", "expected"), MARKERS)
def test_a_citation_belongs_to_what_it_is_the_source_of(
    answer: str, expected: list[tuple[str, tuple[int, ...], str]]
) -> None:
    """Wherever a model puts it: before, behind, or in a line that names sources."""
    found = check(answer, dict.fromkeys((1, 2, 3), LAKE))

    assert [
        (one.sentence, one.cites, " ".join(flag.value for flag in one.flags))
        for one in found
    ] == expected


@pytest.mark.spec("P1")
@pytest.mark.parametrize(
    "claim",
    [
        "The Vantrell Museum is closed on Tuesdays [1].",  # one common word
        "How deep is the lake? [1]",  # a heading
        "Lake Orvane [1]",  # the title
    ],
)
def test_words_that_say_nothing_are_not_quoted(claim: str) -> None:
    quotes = {one.quote for one in check(claim, {1: LAKE})}

    assert quotes <= {"", "Lake Orvane is 214 metres deep."}


def test_every_process_quotes_the_same() -> None:
    """Whatever the seed of its hashes: nothing runs in the order of a set."""
    program = (
        "import sys; from citations.evidence import check;"
        "print(check(sys.argv[1], {1: sys.argv[2]}))"
    )
    answer = "Orvane, 214 m deep, has a museum of light and a bridge of 2009[1]."
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, answer, LAKE * 3],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3", "4")
    }

    assert len(outputs) == 1


@pytest.mark.parametrize("text", [STATION, ""])
def test_nothing_is_quoted_from_a_source_of_another_subject(text: str) -> None:
    """Nor from an empty one."""
    (found,) = check("The moon has no air at all[1].", {1: text})

    assert found.quote == ""


def test_quote_is_never_long() -> None:
    """A sentence without an end is cut."""
    (found,) = check("塔高八百米[1]。", {1: "塔高八百米" * 400})

    assert 0 < len(found.quote) <= 300


def test_quote_is_the_original_where_normal_form_changes_its_length() -> None:
    """Signs before it that become longer or shorter do not move it."""
    text = "题\n㈱ﬁne：塔高８２８米，造价½亿，①号。其他的话。"
    assert len(unicodedata.normalize("NFKC", text)) != len(text)

    (found,) = check("塔高 828 米[1]。", {1: text})

    assert found.quote == "㈱ﬁne：塔高８２８米，造价½亿，①号。"
    assert found.flags == ()


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("It is 828 m long.", {1: STATION}),
        ("It is 828 m long[7].", {1: STATION}),
        ("", {1: STATION}),
        ("It is 828 m long[1].", {}),
        ("```\nx = 5[1]\n```", {1: STATION}),
    ],
)
def test_nothing_is_found_where_nothing_is_cited(
    answer: str, texts: dict[int, str]
) -> None:
    """An unknown number and a marker in code cite nothing."""
    assert check(answer, texts) == []


def test_addresses_of_the_answer_are_no_citations() -> None:
    """Only markers are, even where an address looks like ours."""
    answer = "See [x](https://source.invalid/9) and [y](https://source.invalid/z)[1]."

    (found,) = check(answer, {1: STATION})

    assert found.numbers == (1,)
    assert found.sentence == "See x and y."


@pytest.mark.parametrize(
    "answer",
    [
        "ارتفاعه 828 مترا۔ وفيه 999 طابقا[1]۔",
        "هل ارتفاعه 999؟ وفيه 163 طابقا[1].",
        "ارتفاعه 999 مترا. وفيه 163 طابقا[1].",
    ],
)
def test_arabic_signs_end_a_sentence(answer: str) -> None:
    """Only the sentence that cites is compared."""
    (found,) = check(answer, {1: STATION})

    assert "وفيه" in found.sentence
    assert "ارتفاعه" not in found.sentence


def test_stopped_in_the_middle_of_a_sentence() -> None:
    """Markup that is not closed yet hinders neither the quotation nor the check."""
    (found,) = check("It is 828 m long[1] and **opened in", {1: STATION})

    assert found.flags == ()
    assert "828 metres" in found.quote


def test_unknown_numbers_are_not_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    """The linker has logged an unknown number; the check does not."""
    check("It is 828 metres long[1][9].", {1: STATION})

    assert not caplog.records


def test_indexed_text_survives_the_way_to_a_worker() -> None:
    """A pickled index gives the same evidence as the text."""
    text = pickle.loads(pickle.dumps(index(STATION)))
    answer = "It is 828 m long[1]."

    assert check(answer, {1: text}) == check(answer, {1: STATION})


@pytest.mark.parametrize(
    ("sentence", "quote", "shared"),
    [
        (
            "It opened; a tower.",
            "The towel tower opened in January 2010.",
            ["tower", "opened"],
        ),
        ("居民消费价格上涨", "全国居民消费价格同比上涨", ["居民消费价格"]),
        (
            "北塔高62米，重约3200吨。",
            "塔身高62米，重约3200吨，每年接待游客约45万人次。",
            ["62米", "重约3200吨"],
        ),
    ],
)
def test_shared_words_and_amounts_are_whole(
    sentence: str, quote: str, shared: list[str]
) -> None:
    """No part of a word or of an amount is told to be shared."""
    places = shared_words(sentence, quote)

    assert [quote[start:end] for start, end in places] == shared
