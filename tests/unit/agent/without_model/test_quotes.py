"""`quotes` chooses fitting sentences and quotes nothing else."""

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.without_model import Passage, quotes

_WORDS = """
bridge opened 1932 metres 大桥 全长 1200 米 什么 when how 。 . ? ！ … ； [1] “ ” <b>
cost $5 v3.2 because 因为 a.b U.S. St. 🇨🇳 ﷺ Ⅷ -
"""
WORDS = st.sampled_from([*_WORDS.split(), "\u200d", "\n", " "])
TEXTS = st.one_of(st.lists(WORDS, max_size=60).map(" ".join), st.text(max_size=300))
PASSAGES = st.lists(
    st.builds(Passage, st.integers(1, 9999), TEXTS, TEXTS, TEXTS), max_size=10
)
LENGTH = "大桥全长多少米？"


def passages(*texts: str, title: str = "") -> list[Passage]:
    return [Passage(number, title, text) for number, text in enumerate(texts, start=1)]


def folded(text: str) -> str:
    return " ".join(text.split())


@given(TEXTS, PASSAGES)
@example("大桥有多长？", [Passage(1, "大桥", "大桥全长1200米。")])
def test_a_quotation_stands_in_a_result(question: str, found: list[Passage]) -> None:
    """A quotation is a piece of the text of a result whose number it bears."""
    for quote in quotes(question, found):
        assert quote.text
        assert any(
            quote.text in folded(one.text)
            for one in found
            if one.number in quote.numbers
        )


@given(TEXTS, PASSAGES, st.integers(1, 5))
def test_there_are_few_quotations(
    question: str, found: list[Passage], most: int
) -> None:
    """There are at most as many as wanted, none twice, each with numbers in order."""
    chosen = quotes(question, found, most)

    assert len(chosen) <= most
    assert len({quote.text for quote in chosen}) == len(chosen)
    assert all(sorted(set(q.numbers)) == list(q.numbers) != [] for q in chosen)


def test_three_sentences_that_fit_are_all_quoted() -> None:
    """There are never fewer quotations than sentences that fit."""
    found = passages(
        "The bridge is 503 metres long. The bridge opened in 1932 at noon. "
        "The bridge carries eight lanes."
    )

    assert len(quotes("How long is the bridge?", found)) == 3


def test_equal_sentences_share_one_quotation() -> None:
    """A sentence that two results hold is quoted once, with both numbers."""
    found = passages(
        "The bridge is 503 metres long.",
        "The weather was fine.",
        "The bridge is 503 metres long!",
    )

    chosen = quotes("How long is the bridge?", found)

    assert (chosen[0].text, chosen[0].numbers) == (found[0].text, (1, 3))


@pytest.mark.parametrize(
    ("question", "cut", "whole"),
    [
        ("北京人口是多少？", "北京人口为2", "北京人口为2189万人。"),
        ("Population of Berlin?", "Berlin population: 3", "Berlin population: 3.75."),
        (
            "How cold is Oslo?",
            "Oslo in winter: 5 degrees",
            "Oslo in winter: -5 degrees",
        ),
        ("Who is Bob?", "Bob was a paint", "Bob was a painter of Oslo."),
    ],
)
def test_part_of_a_number_or_word_is_not_held(
    question: str, cut: str, whole: str
) -> None:
    """A result that says another number or word is no source of a quotation."""
    chosen = quotes(question, passages(cut, whole))

    assert all(len(quote.numbers) == 1 for quote in chosen)


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("大桥全长1200米，高60米", "大桥全长 1200 米、高 60 米，建于1932年。"),
        ("The bridge is 503 metres long", "The bridge is 503 metres long, and wide."),
    ],
)
def test_a_whole_sentence_replaces_its_part(part: str, whole: str) -> None:
    """The complete sentence is quoted in place of a part of it."""
    for found in (passages(part, whole), passages(whole, part)):
        chosen = quotes("How long is the bridge? 大桥全长多少米？", found)

        assert [quote.text for quote in chosen] == [whole]


LAKES = "It has many visitors. Boats may be hired. Fishing is allowed. Dogs are not."


@pytest.mark.parametrize(
    ("question", "texts", "first"),
    [
        # a whole sentence; a decimal point or an abbreviation ends none
        (LENGTH, ["今天晴。大桥全长1200米！后天呢？"], "大桥全长1200米！"),
        (LENGTH, ["他说：“大桥全长1200米。”然后走了。"], "他说：“大桥全长1200米。”"),
        (LENGTH, ["桥很美吗?大桥全长1200米。"], "大桥全长1200米。"),
        (LENGTH, ["大桥全长 1200.5 米。完。"], "大桥全长 1200.5 米。"),
        (LENGTH, ["2024年5月1日 - 大桥全长1200米。"], "大桥全长1200米。"),
        (LENGTH, ["大桥全长1200米 ... 明天有雨"], "大桥全长1200米"),
        (
            "How many metres has the bridge?",
            ["It rains. The bridge of Dr. Ng, U.S. Steel: 1200 m. It is long."],
            "The bridge of Dr. Ng, U.S. Steel: 1200 m.",
        ),
        # English endings, capitals and full-width letters make no difference
        (
            "When were the cities named?",
            ["The city was named in 1932 by a painter."],
            "The city was named in 1932 by a painter.",
        ),
        (
            "大桥ＡＢ１何时通车？",
            ["大桥ab1于2018年10月24日正式通车。"],
            "大桥ab1于2018年10月24日正式通车。",
        ),
        # a question is no answer
        (
            "When was the harbour bridge opened?",
            [
                "When was the harbour bridge opened, and when was it painted?",
                "The bridge was opened in 1932.",
            ],
            "The bridge was opened in 1932.",
        ),
        # the first sentence tells what a page is about
        (
            "What is the greatest depth of Lake Vell?",
            [
                f"Lake Orrin lies in the north. {LAKES} Its greatest depth is 84 m.",
                f"Lake Vell lies in the south. {LAKES} Its greatest depth is 61 m.",
            ],
            "Its greatest depth is 61 m.",
        ),
        # results that agree come before a single one
        (
            "塔楼的设计者是谁？",
            [
                "塔楼由陈远设计，高六层。",
                "塔楼的设计者是李静文女士。",
                "这座塔楼的设计者李静文出生于北京。",
            ],
            "塔楼的设计者是李静文女士。",
        ),
        # a date answers when, a measure how high, a name who, a place where
        (
            "塔楼建于哪一年？",
            ["塔楼建于南山采石场。", "塔楼始建于1897年。"],
            "塔楼始建于1897年。",
        ),
        ("塔楼有多高？", ["塔楼高耸入云。", "塔楼高达62米。"], "塔楼高达62米。"),
        (
            "Who painted the mural?",
            ["The mural was painted in blue.", "The mural was painted by Ada Brook."],
            "The mural was painted by Ada Brook.",
        ),
        (
            "Where is the mural?",
            ["The mural is very blue.", "The mural is in Lisbon."],
            "The mural is in Lisbon.",
        ),
    ],
)
def test_the_sentence_that_answers_comes_first(
    question: str, texts: Sequence[str], first: str
) -> None:
    """It is whole, whatever form its words have, and others fit less."""
    assert quotes(question, passages(*texts))[0].text == first


def test_the_title_tells_what_a_sentence_is_about() -> None:
    """With two equal facts, the one under the right title comes first."""
    found = [
        Passage(1, "Lake Orrin", "Its greatest depth is 84 metres."),
        Passage(2, "Lake Vell", "Its greatest depth is 61 metres."),
    ]

    assert quotes("How deep is Lake Vell?", found)[0].numbers == (2,)


@pytest.mark.parametrize(
    "question",
    [
        *("", "   ", "吗？", "what is it", "?!", "_"),  # about nothing
        *("云雾山索道全长多少米", "Where is the tomb of Queen Ilmare of Destrin?"),
    ],
)
def test_nothing_is_quoted_where_nothing_fits(question: str) -> None:
    """One word in common is not enough."""
    texts = "The bridge is long.", "我们的咖啡馆全年营业。", "Queen-size beds are wide."

    assert quotes(question, passages(*texts)) == []


HUGE = {
    "no end": "塔" * 1_000_000,
    "ends": "塔楼高。" * 250_000,
    "words": "tower " * 170_000,
    "dots": "." * 1_000_000,
    "brackets": "[(" * 500_000,
    "ligatures": "\ufdfa" * 1_000_000,
    "lines": "abcd\n" * 200_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_much_text_is_cut(name: str) -> None:
    """Forty results of a megabyte leave what stands in the first 10,000 characters."""
    found = [Passage(n, HUGE[name], HUGE[name], HUGE[name]) for n in range(1, 41)]
    known = Passage(1, "", "The tower is 62 metres high." + HUGE[name])

    chosen = quotes(HUGE[name], found) + quotes("塔 tower 多高", [known, *found])

    assert all(len(quote.text) <= 240 for quote in chosen)
    assert all(max(quote.numbers) <= 30 for quote in chosen)
    beyond = Passage(1, "", HUGE[name] + "The zyx is 62 metres high.")
    assert not quotes("How high is the zyx?", [beyond])


def test_a_sentence_without_end_is_quoted_in_part() -> None:
    """It is cut at a pause, and the piece still stands in the result."""
    text = "The tower is 62 metres high, " + "and so are many others, " * 20

    chosen = quotes("How high is the tower?", passages(text))

    assert chosen[0].text.startswith("The tower is 62 metres high")
    assert chosen[0].text in text


LAKE = (
    "Parking at Lake Orvane costs 4 euros a day. Lake Orvane parking is full on "
    "Sundays. Lake Orvane is 214 metres deep. It covers 38 square kilometres."
)
BATTERY = (
    "The Koru-7 is sold since 2019. The Koru-7 battery stores 13.5 kilowatt hours. "
    "The Koru-7 battery weighs 412 kilograms. The Koru-7 costs 7,900 euros. "
    "The box is 1.15 m tall and 75 cm wide."
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Lake Orvane depth", "214 metres deep"),
        ("How deep is Lake Orvane?", "214 metres deep"),
        ("Lake Orvane area", "38 square kilometres"),
        ("Koru-7 capacity", "13.5 kilowatt hours"),
        ("Koru-7 weight", "weighs 412 kilograms"),
        ("How heavy is the Koru-7 battery?", "weighs 412 kilograms"),
        ("Koru-7 price", "7,900 euros"),
        ("Koru-7 height", "1.15 m tall"),
        ("How wide is the Koru-7?", "75 cm wide"),
    ],
)
def test_an_amount_is_known_by_its_unit(question: str, answer: str) -> None:
    """A property finds the sentence that measures it, in whatever words."""
    found = [Passage(1, "Lake Orvane", LAKE), Passage(2, "Koru-7 battery", BATTERY)]

    assert answer in quotes(question, found)[0].text
