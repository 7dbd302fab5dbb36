"""The keywords of a question, where no model writes a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.without_model.answer import keywords

# A question, and the query.
QUERIES = """
请帮我查一下港珠澳大桥是什么时候通车的？ → 港珠澳大桥 通车
Can you tell me what the capital of France is? → capital France
What is the US federal minimum wage? → US federal minimum wage
最新版本是多少 → 最新版本
你好 →
Hello! →
and its price? → price
"""


@pytest.mark.parametrize("line", QUERIES.strip().splitlines())
def test_keywords(line: str) -> None:
    """A query holds the words that a question is about, as they were written."""
    question, _, query = line.partition(" →")

    assert keywords(question) == query.strip()


@given(st.text(max_size=400))
def test_keywords_are_the_users(question: str) -> None:
    """No word of a query is invented."""
    for word in keywords(question).split():
        assert word in question
