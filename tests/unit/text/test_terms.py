"""Words of Chinese and English texts, and those that a question is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.terms import asked_terms, flat, terms, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cities opened in 1,932.5", ["cit", "open", "1,932.5"]),
        ("62% of it", ["62%"]),
        ("大桥", ["大", "大桥", "桥"]),
        ("第2座桥 opens", ["第", "2", "座", "座桥", "桥", "open"]),
        ("is it the", []),
    ],
)
def test_terms(text: str, found: list[str]) -> None:
    """Numbers are whole, English words lose their ending, Chinese comes in pairs."""
    assert terms(text) == found


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("成都和中国的首都在哪里？", {"成都", "中国", "首都"}),
        ("请问港珠澳大桥什么时候通车", {"港珠", "珠澳", "澳大", "大桥", "通车"}),
        ("What is the capital of France?", {"capital", "franc"}),
        ("ＡＢ１ 何时", {"ab"}),
        ("吗？", set()),
        ("what is it", set()),
    ],
)
def test_asked_terms(question: str, about: set[str]) -> None:
    """What a question is about lacks the words that only ask."""
    assert about <= {*asked_terms(question)}
    assert bool(about) == bool(asked_terms(question))
    assert {"什么", "请问", "哪里", "what", "的"}.isdisjoint(asked_terms(question))


@given(st.text(max_size=80))
def test_each_sign_keeps_its_place(text: str) -> None:
    """A text made ordinary is as long as before, and its words stand in it in order."""
    ordinary = flat(text)
    places = [(word.start, word.end) for word in words(ordinary)]

    assert len(ordinary) == len(text)
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert flat(ordinary) == ordinary


@pytest.mark.parametrize(
    ("written", "ordinary"),
    [("８２８米，ＡＢ", "828米,AB"), ("CO₂", "CO2"), ("5₂①²", "5₂①²"), ("ﬁ", "ﬁ")],
)
def test_flat(written: str, ordinary: str) -> None:
    """A sign becomes its twin only where that is one, and joins no other number."""
    assert flat(written) == ordinary
