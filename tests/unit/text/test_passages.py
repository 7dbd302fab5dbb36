"""`text.passages` takes of long pages what fits a question, within a budget."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.passages import SIGN, find, part, pick, split
from text.rank import Passage

FILLER = "这一段讲的是天气和风景，与别的事情没有关系，只是为了让页面变长。" * 8
PROSE = "The weather was fine that day, and nobody spoke of anything else. " * 6
MARKS = ("# 标题", "## Heading", "| a | b |", "```", "桥长503米。", "It is. So ", "\n")
SIGNS = st.sampled_from(
    [*MARKS, "\n\n", "……", "x" * 400, "一" * 400, "\t", "! ", "\u2028"]
)
TEXTS = st.one_of(st.lists(SIGNS, max_size=40).map("".join), st.text(max_size=900))
BUDGETS = st.integers(1, 3_000)
HOSTILE = {
    "one line": "字" * 60_000,
    "one word": "x" * 60_000,
    "spaces": "a" + " " * 60_000 + "b",
    "full stops": ". " * 30_000,
    "fences": "```\n" * 15_000,
    "sentences": "桥很长。" * 15_000,
    "quotation marks": "!" + "”" * 60_000,
}


@given(TEXTS, st.integers(1, 500))
def test_pieces_are_the_text(text: str, size: int) -> None:
    """Each piece stands at its offsets, and only spaces lie between two pieces."""
    at = 0
    for piece in split(text, size):
        assert piece.text == text[piece.start : piece.end] != ""
        assert not text[at : piece.start].strip()
        at = piece.end
    assert not text[at:].strip()


def test_pieces_end_with_sentences() -> None:
    """Prose is cut between sentences, into pieces of some 350 characters."""
    pieces = split("\n\n".join([FILLER, PROSE * 3]))

    assert all(piece.text[-1] in "。." for piece in pieces)
    assert all(150 < len(piece.text) <= 350 for piece in pieces[:-1])


def test_a_heading_begins_its_section() -> None:
    """A heading stands with its first piece; every piece of the section names it."""
    pieces = split(f"{PROSE}\n\n## Symptoms\n\n{PROSE * 2}")

    assert [piece.heading for piece in pieces].count("Symptoms") >= 2
    assert [piece.text[:11] for piece in pieces].count("## Symptoms") == 1
    assert not any(piece.text.endswith("Symptoms") for piece in pieces)


def test_code_stays_whole() -> None:
    """A block of code that is longer than a piece is one piece all the same."""
    code = "```\n" + "value = compute(value)\n" * 30 + "```"

    pieces = split(f"{PROSE}\n\n{code}\n\n{PROSE}")

    assert any(code in piece.text for piece in pieces)


def test_rows_stay_whole() -> None:
    """A table is cut between its rows."""
    row = "| Height of the tower. And more | 503 m | \n"

    pieces = split(row * 40)

    assert len(pieces) > 3
    assert all(piece.text.count("|") % 3 == 0 for piece in pieces)


@pytest.mark.spec("O1")
@pytest.mark.parametrize(
    ("question", "answer", "filler"),
    [
        ("大桥全长多少米？", "大桥全长1200米。", FILLER),
        ("How long is the bridge?", "The bridge is 503 metres long.", PROSE),
    ],
)
def test_the_passage_that_answers_is_found(
    question: str, answer: str, filler: str
) -> None:
    """The answer is taken from the middle of a page of 50,000 characters."""
    text = f"{filler}\n\n" * 90 + answer + f"\n\n{filler}" * 90

    found = find(question, text, 500)

    assert answer in found.text
    assert not found.is_whole


@pytest.mark.spec("O7")
@given(st.lists(TEXTS, max_size=5), BUDGETS)
def test_the_budget_holds_for_all_pages(texts: list[str], budget: int) -> None:
    """All excerpts together are never longer than the budget, one for each page."""
    pages = [Passage(n, "桥", text) for n, text in enumerate(texts, start=3)]

    found = pick("桥有多长？", pages, budget)

    assert [one.number for one in found] == [page.number for page in pages]
    assert sum(len(one.text) for one in found) <= budget


@pytest.mark.spec("O7")
def test_a_cut_is_told() -> None:
    """A sign stands wherever something was left out, and at no other place."""
    text = f"{PROSE * 9}\n\nThe bridge is 503 metres long.\n\n{PROSE * 9}"
    found = find("How long is the bridge?", text, 450)
    taken = found.text.split(SIGN.strip())

    assert "503 metres" in found.text
    assert not found.is_whole
    assert len(taken) > 2
    assert all(one.strip() in text for one in taken)
    assert find("How long is the bridge?", text, 50_000).text == text


def test_every_page_that_fits_is_heard() -> None:
    """The best page gets more than the others, and each gets its best passage."""
    best = "\n\n".join(
        f"大桥全长{n}00米，主桥长{n}米。{FILLER[:120]}" for n in range(1, 20)
    )
    others = [f"{FILLER}\n\n第{n}座大桥全长{n}米。\n\n{FILLER}" for n in range(1, 5)]
    pages = [Passage(n, "", text) for n, text in enumerate([*others, best], start=1)]

    found = pick("大桥全长多少米？", pages, 4_000)

    assert all(f"第{n}座大桥全长{n}米" in found[n - 1].text for n in range(1, 5))
    assert len(found[4].text) > max(len(one.text) for one in found[:4])


@pytest.mark.parametrize("question", ["", "？", "👍", "怎么样？"])
def test_a_question_about_nothing_gets_the_beginnings(question: str) -> None:
    """A question without a word to look for gets the beginning of each page."""
    pages = [Passage(n, "", f"第{n}页的开头。{FILLER * 5}") for n in (1, 2)]

    found = pick(question, pages, 1_500)

    assert all(one.text.startswith(f"第{one.number}页的开头。") for one in found)


def test_the_heading_goes_along() -> None:
    """A passage from the middle of a section stands under the section's heading."""
    text = (
        f"{PROSE * 3}\n\n## Lung cancer\n\n{PROSE * 2}\n\nIt causes a cough.\n\n{PROSE}"
    )

    found = find("Does it cause a cough?", text, 450)

    assert re.search(r"## Lung cancer\n.*It causes a cough", found.text, re.DOTALL)


@given(TEXTS, st.integers(20, 500))
def test_the_parts_are_the_page(text: str, size: int) -> None:
    """The parts, one after the other, are the page; none is longer than it may be."""
    count = part(text, 1, size).count
    parts = [part(text, number, size).text for number in range(1, count + 1)]

    assert all(len(one) <= size for one in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


@pytest.mark.spec("O5")
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_cut(text: str) -> None:
    """A page made to cost time is cut into few pieces, none of them long."""
    pieces = split(text)

    assert len(pieces) <= len(text) / 100 + 10
    assert max(len(piece.text) for piece in pieces) <= 4 * 350
    assert (
        sum(len(one.text) for one in pick("桥 a", [Passage(1, "", text)], 900)) <= 900
    )
