"""The project's own questions: full of decoys and advertisements, made to mislead."""

import tomllib
from typing import Any

import pytest
from support.paths import ROOT

from agent.without_model import Passage, Quote, quotes

with (ROOT / "benchmarks" / "questions.toml").open("rb") as file:
    QUESTIONS = tomllib.load(file)["questions"]
ANSWERED = [one for one in QUESTIONS if one["answer"]]
UNANSWERED = [one for one in QUESTIONS if not one["answer"]]


def chosen(one: dict[str, Any]) -> list[Quote]:
    found = enumerate(one["found"], start=1)
    passages = [Passage(n, title, text, url) for n, (title, url, text) in found]
    return quotes(one["ask"], passages)


def test_the_answer_is_among_the_quotations() -> None:
    """At least 180 of 202 questions get the answering sentence among the three."""
    right = sum(
        any(one["answer"] in quote.text for quote in chosen(one)) for one in ANSWERED
    )

    assert len(ANSWERED) == 202
    assert right >= 180


@pytest.mark.parametrize("one", UNANSWERED, ids=lambda one: one["ask"])
def test_nothing_is_quoted_where_nothing_fits(one: dict[str, Any]) -> None:
    """Results about something else are not quoted at all."""
    assert chosen(one) == []
