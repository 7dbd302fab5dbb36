"""Our set of questions, and how the answerer fares with it."""

from collections import Counter

import pytest

from benchmarks.quotes import Question, first, load, share

QUESTIONS = load()
ANSWERED = [one for one in QUESTIONS if one.answer]
UNANSWERED = [one for one in QUESTIONS if not one.answer]


@pytest.mark.parametrize("split", ["dev", "held"])
def test_the_answer_is_quoted_first(split: str) -> None:
    """In 85 % of the questions and more, also of those that nothing was tuned on."""
    assert share([one for one in ANSWERED if one.split == split]) >= 85


@pytest.mark.parametrize("is_chinese", [True, False])
def test_in_both_languages(is_chinese: bool) -> None:
    """Neither language pays for the other."""
    group = [one for one in ANSWERED if is_chinese != one.ask.isascii()]

    assert share(group) >= 85


def test_the_figure() -> None:
    """The benchmark measures the whole set, and tells its parts."""
    figure = first()

    assert figure.value == share(ANSWERED)
    assert figure.details.count(" % of ") == 4


@pytest.mark.parametrize("one", UNANSWERED, ids=lambda one: one.ask)
def test_nothing_is_quoted_where_nothing_fits(one: Question) -> None:
    """Results about something else are not quoted at all."""
    assert one.is_right()


@pytest.mark.parametrize("one", ANSWERED, ids=lambda one: one.ask)
def test_one_result_answers(one: Question) -> None:
    """The marked words stand in one result, and the question doesn't hold them."""
    assert sum(one.answer in passage.text for passage in one.found) == 1
    assert one.answer not in one.ask


def test_the_set_is_large_and_mixed() -> None:
    """Half of the questions are kept aside, half are Chinese, most are hard."""
    kinds = Counter(one.kind for one in ANSWERED)
    chinese = sum(not one.ask.isascii() for one in ANSWERED)
    held = sum(one.split == "held" for one in ANSWERED)

    assert len(ANSWERED) >= 200
    assert len(UNANSWERED) >= 8
    assert abs(2 * chinese - len(ANSWERED)) <= 4
    assert abs(2 * held - len(ANSWERED)) <= 4
    assert 2 * sum(one.hard for one in ANSWERED) >= len(ANSWERED)
    assert len(kinds) >= 10
    assert len({one.ask for one in QUESTIONS}) == len(QUESTIONS)
