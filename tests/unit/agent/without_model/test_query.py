"""The query of Agent mode's search where no model writes one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.without_model.answer import keywords, topic_of


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("请帮我查一下港珠澳大桥是什么时候通车的？", "港珠澳大桥 通车"),
        ("Can you tell me what the capital of France is?", "capital France"),
        ("What is the US federal minimum wage?", "US federal minimum wage"),
        ("最新版本是多少", "最新版本"),
        ("你好", ""),
        ("Hello!", ""),
    ],
)
def test_keywords(question: str, query: str) -> None:
    """A query holds the words that a question is about, as they were written."""
    assert keywords(question) == query


@given(st.text(max_size=400))
def test_keywords_are_the_users(question: str) -> None:
    """No word of a query is invented."""
    for word in keywords(question).split():
        assert word in question


@pytest.mark.parametrize(
    ("earlier", "question", "query"),
    [
        (
            "Python 3.14 什么时候发布？",
            "它支持多线程吗？",
            "Python 3.14 发布 支持多线程",
        ),
        ("When was Kestrel released?", "and its price?", "Kestrel released price"),
        (
            "When was Kestrel released?",
            "Who designed Orrin Tower?",
            "designed Orrin Tower",
        ),
        ("", "and its price?", "price"),
    ],
)
def test_a_follow_up(earlier: str, question: str, query: str) -> None:
    """A question that leans on the one before is searched with its keywords too."""
    assert keywords(topic_of(question, earlier)) == query
