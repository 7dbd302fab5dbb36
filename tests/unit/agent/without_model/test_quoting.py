"""Which sentences are quoted, and that nothing else ever is."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.without_model.quote_text import folded, key
from agent.without_model.quoting import MOST, Passage, quotes

_WORDS = """
bridge opened 1932 metres 大桥 全长 1200 米 什么 when how 。 . ? ！ … ； [1] “ ” <b>
cost $5 v3.2 because 因为 a.b U.S. St. 🇨🇳 ﷺ Ⅷ -
"""
WORDS = st.sampled_from([*_WORDS.split(), "\u200d", "\n", " "])
TEXTS = st.one_of(st.lists(WORDS, max_size=60).map(" ".join), st.text(max_size=300))
PASSAGES = st.lists(
    st.builds(Passage, st.integers(1, 9999), TEXTS, TEXTS, TEXTS), max_size=10
)


def passages(*texts: str, title: str = "") -> list[Passage]:
    return [Passage(number, title, text) for number, text in enumerate(texts, start=1)]


@given(TEXTS, PASSAGES)
@example("大桥有多长？", [Passage(1, "大桥", "大桥全长1200米。")])
def test_every_quotation_stands_in_its_results(
    question: str, found: list[Passage]
) -> None:
    """A quotation is a piece of the text of each result whose number it bears."""
    for quote in quotes(question, found):
        assert quote.text
        for number in quote.numbers:
            same = [one for one in found if one.number == number]
            assert any(key(quote.text) in key(one.text) for one in same)
        assert any(quote.text in folded(one.text) for one in found)


@given(TEXTS, PASSAGES)
def test_there_are_few_quotations(question: str, found: list[Passage]) -> None:
    """At most three, none twice, each with numbers in order."""
    chosen = quotes(question, found)

    assert len(chosen) <= MOST
    assert len({quote.text for quote in chosen}) == len(chosen)
    assert all(sorted(set(q.numbers)) == list(q.numbers) != [] for q in chosen)


def test_equal_sentences_share_one_quotation() -> None:
    """A sentence that two results hold is quoted once, with both numbers."""
    found = passages(
        "The bridge is 503 metres long.",
        "The weather was fine.",
        "The bridge is 503 metres long!",
    )

    chosen = quotes("How long is the bridge?", found)

    assert chosen[0].text == "The bridge is 503 metres long."
    assert chosen[0].numbers == (1, 3)


def test_a_cut_copy_is_not_quoted_again() -> None:
    """Of a sentence and its beginning only one is quoted."""
    found = passages(
        "The bridge is 503 metres long and carries eight lanes of traffic.",
        "The bridge is 503 metres long and carries eight lanes of…",
    )

    assert len(quotes("How long is the bridge?", found)) == 1


def test_a_question_is_no_answer() -> None:
    """A sentence that asks the same stands behind the one that tells."""
    found = passages(
        "When was the harbour bridge opened, and when was it painted?",
        "The bridge was opened in 1932.",
    )

    chosen = quotes("When was the harbour bridge opened?", found)

    assert [quote.numbers for quote in chosen] == [(2,)]


def test_the_question_in_other_clothes_is_left_out() -> None:
    """A sentence that says nothing beyond the question is not quoted."""
    found = passages("Harbour bridge opened.", "Bridge: harbour.")

    assert quotes("When was the harbour bridge opened?", found) == []


def test_an_advertisement_stands_behind() -> None:
    """What sells is no match for what tells, however many words it shares."""
    found = passages(
        "岚山索道门票多少钱？岚山索道门票特价，立即下单送300元礼包。",
        "岚山索道往返票价为160元。",
    )

    chosen = quotes("岚山索道门票多少钱", found)

    assert chosen[0].numbers == (2,)


def test_the_title_tells_what_a_sentence_is_about() -> None:
    """Of two equal facts the one under the right title is quoted first."""
    found = [
        Passage(1, "Lake Orrin", "Its greatest depth is 84 metres."),
        Passage(2, "Lake Vell", "Its greatest depth is 61 metres."),
    ]

    assert quotes("How deep is Lake Vell?", found)[0].numbers == (2,)


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("塔楼建于哪一年？", "塔楼始建于1897年。", "塔楼的石料来自南山采石场。"),
        ("塔楼有多高？", "塔楼高达62米。", "塔楼建成于1897年。"),
        (
            "Who painted the mural?",
            "It was painted by Ada Brook.",
            "The mural is blue.",
        ),
        ("Where is the mural?", "The mural is in Lisbon.", "The mural is very blue."),
        ("Why is the mural blue?", "It is blue because it fades.", "It is blue today."),
        ("Which version has tabs?", "Tabs came with 3.2.", "Tabs came with a fuss."),
    ],
)
def test_what_is_asked_for_decides(question: str, right: str, wrong: str) -> None:
    """A date for when, a measure for how high, a name for who, and so on."""
    assert quotes(question, passages(wrong, right))[0].text == right


@pytest.mark.parametrize("question", ["", "   ", "吗？", "what is it", "?!", "_"])
def test_a_question_about_nothing_quotes_nothing(question: str) -> None:
    """Where no word tells what is asked about, nothing can fit."""
    assert quotes(question, passages("The bridge is 503 metres long.")) == []


def test_results_about_something_else_quote_nothing() -> None:
    """One word in common is not enough."""
    found = passages("我们的咖啡馆每天营业。", "Queen-size mattresses are wide.")

    assert quotes("云雾山索道全长多少米", found) == []
    assert quotes("Where is the tomb of Queen Ilmare of Destrin?", found) == []


HUGE = {
    "no end": "塔" * 2_000,
    "ends": "塔。" * 1_000,
    "words": "tower " * 400,
    "dots": "." * 2_000,
    "marks": "?!" * 1_000,
    "brackets": "[(" * 1_000,
    "ligatures": "\ufdfa" * 2_000,
    "spaces": "a " * 1_000,
    "er than": "er " * 700,
}


@pytest.mark.parametrize("name", HUGE)
def test_much_text_is_bounded(name: str) -> None:
    """Ten results of 2,000 characters and a question of 10,000 are answered."""
    question = (HUGE[name] * 5)[:10_000]
    found = [Passage(n, HUGE[name], HUGE[name], HUGE[name]) for n in range(1, 11)]

    chosen = quotes(question, found) + quotes("塔 tower 多高", found)

    assert all(len(quote.text) <= 240 for quote in chosen)


def test_a_sentence_without_end_is_quoted_in_part() -> None:
    """It is cut at a pause, and the piece still stands in the result."""
    text = "The tower is 62 metres high, " + "and so are many others, " * 20

    chosen = quotes("How high is the tower?", passages(text))

    assert chosen[0].text.startswith("The tower is 62 metres high")
    assert chosen[0].text in text
