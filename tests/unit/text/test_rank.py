"""`rank` scores texts by the rare terms of a question, alike in every process."""

from itertools import permutations

import pytest

from text.rank import CutPage, Passage, rank

FILLER = ("The weather was fine.", "Nobody came.", "It was late.")


def best(question: str, *texts: str, title: str = "") -> str:
    page = CutPage.of(Passage(1, title, ""), texts)
    return max(rank(question, [page]), key=lambda text: text.score).text


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("How long is the bridge?", "The long bridge is old.", "The bridge is old."),
        ("大桥有多长", "大桥很长。", "大小和桥。"),  # a pair says more than characters
        ("when was it founded", "Founded in 1932.", "They found it in 1932."),
        ("cities", "The city is big.", "The citizens are many."),
        ("how deep is it", "Its depth is 61 m.", "It is steep."),
        ("ＡＢ１号", "AB1号线通车。", "二号线通车。"),
    ],
)
def test_the_text_with_more_of_the_question_is_first(
    question: str, first: str, second: str
) -> None:
    """English words count as a whole, without their endings; Chinese as pairs."""
    assert best(question, *FILLER, second, first) == first


def test_equal_texts_score_alike() -> None:
    """
    Sums run in the order of the question, whatever the order of a text's words.

    Numbers that are added in another order differ in their last digit, and the order
    of a set is another one in each process.
    """
    said = ("alpha", "beta gamma", "delta epsilon zeta", "eta", "theta iota")
    texts = [" ".join(order) for order in permutations(said)]
    rare = [f"{word} {'x' * at}" for at, word in enumerate(" ".join(said).split())]

    page = CutPage.of(Passage(1, "Zeta alpha", ""), [*rare, *texts])
    scores = [text.score for text in rank(" ".join(said), [page, page])]

    # later texts of a page have a smaller bonus, so each is compared with its twin
    half = len(scores) // 2
    assert scores[:half] == scores[half:]
    bonuses = [1 + 0.2 / place for place in range(len(rare) + 1, half + 1)]
    plain = [
        one / by for one, by in zip(scores[len(rare) : half], bonuses, strict=True)
    ]
    assert max(plain) - min(plain) < 1e-12


def test_the_title_counts_for_all_texts_of_a_page() -> None:
    """Of two equal sentences the one under the right title scores higher."""
    pages = [
        CutPage.of(Passage(number, title, ""), ["Its depth is 84 metres."])
        for number, title in enumerate(("Lake Orrin", "Lake Vell"), start=1)
    ]

    orrin, vell = rank("How deep is Lake Vell?", pages)

    assert vell.score > orrin.score
    assert (vell.number, vell.place) == (2, 1)
