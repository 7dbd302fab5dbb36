"""Sentences, terms and keywords of Chinese and English text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.without_model.quote_query import keywords
from agent.without_model.quote_text import (
    asked_terms,
    folded,
    key,
    sentences,
    stem,
    terms,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("今天晴。明天雨！后天呢？", ["今天晴。", "明天雨！", "后天呢？"]),
        ("他说：“今天很冷。”然后走了。", ["他说：“今天很冷。”", "然后走了。"]),
        (
            "It opened in 1932. It is long.",
            ["It opened in 1932.", "It is long."],
        ),
        ("He met Dr. Brown at St. Mary's.", ["He met Dr. Brown at St. Mary's."]),
        ("Version 3.2 costs $4.50 a month.", ["Version 3.2 costs $4.50 a month."]),
        ("The U.S. Army left in 1946.", ["The U.S. Army left in 1946."]),
        ("“Is it?” She did not know.", ["“Is it?”", "She did not know."]),
        ("Rain at noon ... Sun at four", ["Rain at noon", "Sun at four"]),
        ("真的好吗?当然很好。", ["真的好吗?", "当然很好。"]),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    """A text is cut where its sentences end, and nowhere else."""
    assert sentences(text) == parts


@given(st.text(max_size=600))
def test_sentences_are_pieces_of_the_text(text: str) -> None:
    """Each stands in the text, in one line and in bounds."""
    for sentence in sentences(text):
        assert sentence in folded(text)
        assert len(sentence) <= 240


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("opened", "opening"),
        ("bridges", "bridge"),
        ("cities", "city"),
        ("stopped", "stop"),
        ("wrote", "written"),
        ("Fleming's", "fleming"),
        ("closed", "closes"),
    ],
)
def test_english_words_meet(one: str, other: str) -> None:
    """Forms of one word have one stem."""
    assert terms(one) == terms(other)


@pytest.mark.parametrize("word", ["bus", "is", "3.14", "glass", "2024", "c", "été"])
def test_what_is_no_ending_stays(word: str) -> None:
    """Short words, numbers and other languages keep all their letters."""
    assert stem(word) == word


def test_chinese_is_compared_in_pairs() -> None:
    """Pairs of characters, and Latin words beside them."""
    assert terms("港珠澳大桥Ver2") == ["港珠", "珠澳", "澳大", "大桥", "ver2"]


def test_two_ways_to_write_pain() -> None:
    """Everyday words for pain are one word."""
    assert terms("牙疼") == terms("牙痛")


def test_full_width_is_the_same() -> None:
    """`１２３` is 123."""
    assert terms("１２３") == ["123"]
    assert key("Ａ，b。") == key("a b")


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("港珠澳大桥是什么时候通车的？", ["港珠", "珠澳", "澳大", "大桥", "通车"]),
        ("How tall is the bridge?", ["bridg"]),
        ("明湖属于哪个城市？", ["明湖", "湖属", "属于"]),
        ("中秋放几天假？", ["中秋", "秋放", "天假"]),
        ("请问怎么办呢", []),
    ],
)
def test_asked_terms(question: str, about: list[str]) -> None:
    """Words that ask are not what is asked about."""
    assert asked_terms(question) == about


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("请帮我查一下港珠澳大桥是什么时候通车的？", "港珠澳大桥 通车"),
        ("云栖图书馆在哪里", "云栖图书馆"),
        ("上海的能源政策有哪些", "上海 能源政策"),
        ("蓝鲸城现任市长是谁", "蓝鲸城现任市长"),
        ("Python 3.14 什么时候发布？", "Python 3.14 发布"),
        ("Can you tell me what the capital of France is?", "capital France"),
        ("What's new in C++ and C#?", "new C++ C#"),
        ("How much does a Corvane X3 e-bike cost?", "Corvane X3 e-bike cost"),
        ("今年中秋节放几天假？", "今年中秋节放几天假"),
        ("鸡蛋煮几分钟熟？", "鸡蛋煮几分钟熟"),
        ("水煮多少分钟才开", "水煮多少分钟才开"),
        ("书店几点开门", "书店 开门"),
        ("最新版本是多少", "最新版本"),
        ("What is the US federal minimum wage?", "US federal minimum wage"),
        ("What does the WHO say about IT?", "WHO say IT"),
        ("WHO IS THE KING OF US", "KING"),
        ("你好", ""),
        ("Hello!", ""),
    ],
)
def test_keywords(question: str, query: str) -> None:
    """A query holds what the question is about, as it was written."""
    assert keywords(question) == query


@given(st.text(max_size=400))
def test_keywords_are_the_users(question: str) -> None:
    """No word of a query is invented."""
    for word in keywords(question).split():
        assert word in question
