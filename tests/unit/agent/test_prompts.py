"""Prompts of both modes: their words."""

import re
from datetime import date

import pytest

from agent.agent_mode.prompts import agent_prompt
from agent.prompts import question_prompt
from citations import Source


def sources(count: int, snippet: str = "摘要") -> list[Source]:
    return [
        Source(n, f"标题{n}", f"https://s{n}.example/", snippet)
        for n in range(1, count + 1)
    ]


@pytest.mark.spec("C2", "C4", "C5")
def test_results() -> None:
    """Five results stand there numbered from 1, with the order to cite as [n]."""
    prompt = question_prompt("北京天气？", sources(5), 200)

    assert re.findall(r"^\[(\d+)\] 标题\1$", prompt, re.MULTILINE) == list("12345")
    assert "[编号]" in prompt
    assert "根据它们回答" in prompt
    _, tail = prompt.split("问题：北京天气？")
    assert "编号" in tail
    for part in ("s1.example", "https://s1.example/", "摘要"):
        assert part in prompt


@pytest.mark.spec("C3")
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("北京 weather？", "没有找到相关结果"),
        *((text, "found nothing relevant") for text in ("Weather?", "Wetter?", "😀")),
    ],
)
def test_nothing(question: str, words: str) -> None:
    """No results: the model is told so in the language of the question."""
    prompt = question_prompt(question, [], 200)

    assert words in prompt
    assert question in prompt


def test_fence() -> None:
    """Results stand between two lines that no page can have known."""
    first, second = (question_prompt("q", sources(1), 200) for _ in range(2))
    (a, b), (c, _) = (re.findall("^=+.*=+$", p, re.MULTILINE) for p in (first, second))

    assert a == b
    assert a != c


@pytest.mark.spec("E4")
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("北京天气", ["今天是 2026-12-31", "2027-01-01", "怎样写查询", "怎样阅读结果"]),
        ("Weather?", ["Today is 2026-12-31", "How to write a query", "How to read"]),
    ],
    ids=["zh", "en"],
)
def test_agent_prompt(
    question: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The day, examples of queries and of reading results, in the user's language."""
    monkeypatch.setattr("agent.agent_mode.prompts.today", lambda: date(2026, 12, 31))
    prompt = agent_prompt(question)

    for expected in [*words, "web_search(query=", "=====search-results-"]:
        assert expected in prompt
    assert not re.search(r"\[\d|https?:", prompt)  # small models answer with these
    assert "{" not in prompt


def test_recalled() -> None:
    """Sources of earlier answers stand in a block of their own, defused."""
    source = Source(7, "见 [1]", "https://x.example/[1]")
    prompt = agent_prompt("北京", recalled=[source])

    *_, fence, line, last = prompt.split("\n")
    assert fence == last
    assert line == "[7] 见 (1) | https://x.example/%5B1%5D"
