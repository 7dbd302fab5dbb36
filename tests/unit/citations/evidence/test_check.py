"""`check` finds the sentences that cite, and quotes their sources."""

import pickle
import unicodedata

import pytest
from support.evidence import STATION

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
