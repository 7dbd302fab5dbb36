"""`check` quotes the sources of cited sentences, and flags values that they lack."""

import pickle
import unicodedata

import pytest

from citations.evidence import Flag, Kind, check, index, shared_words

CPI = (
    "10月份居民消费价格同比上涨0.2%\n"
    "2025年11月9日 · 10月份，全国居民消费价格同比上涨0.2%。"
    "其中，城市上涨0.3%，农村下降0.2%；食品价格下降2.9%，服务价格上涨0.8%。"
)
TOWER = (
    "Burj Khalifa\nThe Burj Khalifa is 828 metres (2,717 ft) tall and has 163 floors."
    " Construction began in January 2004; it opened on 4 January 2010."
    " It cost US$1.5 billion."
)


def flagged(answer: str, *texts: str, known: str = "") -> list[str]:
    found = check(answer, dict(enumerate(texts, start=1)), known)
    return [flag.value for one in found for flag in one.flags]


def test_one_evidence_for_each_cited_sentence() -> None:
    answer = "全国上涨 0.2%[1]。没有来源的一句。城市上涨 0.3%[1][2]。"

    found = check(answer, {1: CPI, 2: CPI})

    assert [one.sentence for one in found] == ["全国上涨 0.2%。", "城市上涨 0.3%。"]
    assert [one.numbers for one in found] == [(1,), (1, 2)]


def test_quote_is_a_sentence_of_the_source_letter_for_letter() -> None:
    (found,) = check("食品价格下降 2.9%[1]。", {1: CPI})

    assert found.quote in CPI
    assert found.quote.startswith("其中，城市上涨0.3%，农村下降0.2%；食品价格下降2.9%")


def test_each_source_has_its_quote() -> None:
    (found,) = check("It is 828 m tall[1] and opened in 2010[2].", {1: TOWER, 2: TOWER})

    tall, opened = found.quotes
    assert "828 metres" in tall
    assert "4 January 2010" in opened


def test_nothing_is_quoted_from_a_source_of_another_subject() -> None:
    (found,) = check("The moon has no air at all[1].", {1: CPI})

    assert found.quote == ""


def test_quote_is_never_long() -> None:
    long = "塔高八百米" * 400

    (found,) = check("塔高八百米[1]。", {1: long})

    assert 0 < len(found.quote) <= 300


def test_flag_names_the_value_and_what_the_source_has_instead() -> None:
    (found,) = check("食品价格下降 3.9%[1]。", {1: CPI})

    assert found.flags == (Flag("3.9%", Kind.PERCENT, "2.9%"),)


def test_far_fetched_value_is_not_named_as_nearest() -> None:
    (found,) = check("The tower has 40 lifts[1].", {1: TOWER})

    assert [flag.nearest for flag in found.flags] == [""]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("The tower is 928 m tall[1].", Kind.MEASURE),
        ("It opened on 4 January 2011[1].", Kind.DATE),
        ("It opened on 5 January 2010[1].", Kind.DATE),
        ("It cost $2.5 billion[1].", Kind.MONEY),
        ("It has 136 floors[1].", Kind.NUMBER),
        ("造价 25 亿美元[1]。", Kind.MONEY),
        ("It is 828 km tall[1].", Kind.MEASURE),
        ("It cost US$1.5 million[1].", Kind.MONEY),
    ],
)
def test_wrong_value_is_flagged_with_its_kind(answer: str, kind: Kind) -> None:
    (found,) = check(answer, {1: TOWER})

    assert [flag.kind for flag in found.flags] == [kind]


@pytest.mark.parametrize(
    "answer",
    [
        "塔高 828 米、163 层[1]。",
        "塔高 ８２８ 米[1]。",
        "It is about 830 m tall[1].",
        "It is 0.83 km tall[1].",
        "造价约 15 亿美元[1]。",
        "It cost $1.5bn[1].",
        "2010-01-04 启用，历时约 6 年[1]。",
        "It opened on January 4, 2010[1].",
        "二〇一〇年一月四日启用[1]。",
        "It has more than 160 floors[1].",
        "It is 828 m tall, 228 m more than the 600 m of another[1].",
    ],
)
def test_other_ways_to_write_a_value_are_not_flagged(answer: str) -> None:
    assert flagged(answer, TOWER, known="600 m") == []


@pytest.mark.parametrize(
    "answer",
    [
        "城市比农村高 0.5 个百分点[1]。",
        "城市上涨 0.3%、服务上涨 0.8%，相差 0.5 个百分点[1]。",
        "百分之零点二的涨幅[1]。",
    ],
)
def test_values_that_can_be_worked_out_are_not_flagged(answer: str) -> None:
    assert flagged(answer, CPI) == []


@pytest.mark.parametrize(
    "answer",
    [
        "`port = 9999` is set[1].",
        "1. The tower[1]\n2. It is tall[1]",
        "It opened 16 years ago[1].",
        "Figure 7 shows it[1].",
        "The iPhone 17 is smaller[1].",
        "In the 1990s it was planned[1].",
        "| tall | source |\n|---|---|\n| 828 m | [1] |",
    ],
)
def test_what_says_nothing_about_the_source_is_not_flagged(answer: str) -> None:
    assert flagged(answer, TOWER) == []


def test_values_of_the_question_are_not_flagged() -> None:
    assert flagged("The 950 m are not reached[1].", TOWER) == ["950 m"]
    assert flagged("The 950 m are not reached[1].", TOWER, known="950 m tall?") == []


def test_value_of_any_cited_source_is_enough() -> None:
    assert (
        flagged("It has 163 floors and cost 7 million[1][2].", TOWER, "7 million") == []
    )


def test_value_behind_the_last_citation_is_not_its_matter() -> None:
    assert flagged("It is 828 m tall[1], and 950 m were planned.", TOWER) == []


def test_row_of_a_table_is_compared_as_one() -> None:
    table = "| 指标 | 值 | 来源 |\n|---|---|---|\n| 食品 | -2.8% | [1] |"

    (found,) = check(table, {1: CPI})

    assert [flag.value for flag in found.flags] == ["2.8%"]


def test_cells_with_their_own_citations_are_compared_alone() -> None:
    table = "| | a | b |\n|---|---|---|\n| tall | 828 m[1] | 999 m |"

    assert flagged(table, TOWER) == []


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("It is 828 m tall.", {1: TOWER}),
        ("It is 828 m tall[7].", {1: TOWER}),
        ("", {1: TOWER}),
        ("It is 828 m tall[1].", {}),
        ("```\nx = 5[1]\n```", {1: TOWER}),
    ],
)
def test_nothing_is_found_where_nothing_is_cited(
    answer: str, texts: dict[int, str]
) -> None:
    assert check(answer, texts) == []


def test_addresses_of_the_answer_are_no_citations() -> None:
    answer = "See [x](https://source.invalid/9) and [y](https://source.invalid/z)[1]."

    (found,) = check(answer, {1: TOWER})

    assert found.numbers == (1,)
    assert found.sentence == "See x and y."


def test_empty_source_has_no_quote_and_lacks_every_value() -> None:
    (found,) = check("It has 163 floors[1].", {1: ""})

    assert (found.quote, [flag.value for flag in found.flags]) == ("", ["163"])


def test_right_to_left_text_is_compared() -> None:
    text = "برج\nيبلغ ارتفاع البرج 828 مترا وفيه 163 طابقا."

    (found,) = check("يبلغ ارتفاع البرج 829 وفيه 163 طابقا[1].", {1: text})

    assert [flag.value for flag in found.flags] == ["829"]
    assert found.quote in text


def test_quote_is_the_original_where_normal_form_changes_its_length() -> None:
    text = "题\n㈱ﬁne：塔高８２８米，造价½亿，①号。其他的话。"
    assert len(unicodedata.normalize("NFKC", text)) != len(text)

    (found,) = check("塔高 828 米[1]。", {1: text})

    assert found.quote == "㈱ﬁne：塔高８２８米，造价½亿，①号。"
    assert found.flags == ()


def test_sources_that_contradict_each_other_support_what_one_says() -> None:
    assert flagged("人口为 300 万[1][2]。", "人口300万。", "人口400万。") == []


def test_stopped_in_the_middle_of_a_sentence() -> None:
    (found,) = check("It is 828 m tall[1] and **opened in", {1: TOWER})

    assert found.flags == ()
    assert "828 metres" in found.quote


def test_indexed_text_survives_the_way_to_a_worker() -> None:
    text = pickle.loads(pickle.dumps(index(TOWER)))

    assert check("It is 828 m tall[1].", {1: text}) == check(
        "It is 828 m tall[1].", {1: TOWER}
    )


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
    places = shared_words(sentence, quote)

    assert [quote[start:end] for start, end in places] == shared
