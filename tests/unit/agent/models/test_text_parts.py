"""Thoughts and tool calls in a model's text, in every cut."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.text_parts import TextParts

CALL = '{"name": "web_search", "arguments": {"query": "a } b"}}'
OTHER = '{"name": "web_fetch", "parameters": {"url": "1"}}'
SEARCH = ("web_search", {"query": "a } b"})
FETCH = ("web_fetch", {"url": "1"})
# The definition of another tool.
OTHERS = 'So:\n{"type": "function", "function": {"name": "rain", "parameters": {}}}\n'
NEVER = "[" * 30_000


def read(text: str, cut: int) -> tuple[str, str, list[Any], bool]:
    """Words, thoughts and calls of a text that comes in pieces; is half a call left?"""
    parts = TextParts({"web_search", "web_fetch"})
    pieces = [text[at : at + cut] for at in range(0, len(text), cut)]
    got = [*map(parts.feed, pieces), parts.close()]
    calls = [call["function"] for one in got for call in one.calls]
    words = thought = ""
    for one in got:
        if one.takes_back:
            words, thought = "", words + thought
        words, thought = words + one.words, thought + one.thought
    return (
        words,
        thought,
        [(call["name"], call["arguments"]) for call in calls],
        parts.has_half_call,
    )


@pytest.mark.spec("Y3")
@pytest.mark.parametrize(
    ("text", "words", "calls"),
    [
        (CALL, "", [SEARCH]),
        (f"\n\n  {CALL}\n", "", [SEARCH]),
        (f"```json\n{CALL}\n```", "", [SEARCH]),
        (f"~~~\n{CALL}\n~~~", "", [SEARCH]),
        (f"```json\n```json\n{CALL}\n```\n```", "", [SEARCH]),
        (f"<tool_call>\n{CALL}\n</tool_call>", "", [SEARCH]),
        (f"```xml\n<tool_call>\n```json\n{CALL}\n```\n</tool_call>", "", [SEARCH]),
        (f"<tools>{{{CALL}}}</tools>", "", [SEARCH]),
        ('{{"name": "web_fetch", "arguments": {{"url": "1"}}}}', "", [FETCH]),
        (f"[{CALL}, {OTHER}]", "", [SEARCH, FETCH]),
        (f"{CALL}\n{OTHER}", "", [SEARCH, FETCH]),
        (f"<tool_call>{CALL}</tool_call><tool_call>{OTHER}</tool_call>", "", [
            SEARCH,
            FETCH,
        ]),
        (f"I search.\n{CALL}\n[1] Made up | https://x", "I search.\n", [SEARCH]),
        (f"好的。<tool_call>{CALL}", "好的。", [SEARCH]),
        ('<tool_call>{"name": "other", "arguments": {}}', "", [("other", {})]),
        (f'{{"type": "function", {CALL[1:]}', "", [SEARCH]),
        (f'{{"type": "function", "function": {CALL}}}', "", [SEARCH]),
        (f'[{{"function": {CALL}}}, {{"function": {OTHER}}}]', "", [SEARCH, FETCH]),
        ('{"function": "web_fetch", "parameters": {"url": "1"}}', "", [FETCH]),
        ('{"arguments": {"url": "1"}, "name": "web_fetch"}', "", [FETCH]),
        (f"<|python_tag|>{CALL}", "", [SEARCH]),
        (f"好的。[TOOL_CALLS][{CALL}]", "好的。", [SEARCH]),
        (CALL[:-1], "", [SEARCH]),
        (f"<tool_call>\n{CALL[:-1]}\n</tool_call>", "", [SEARCH]),
        (f"I would write {CALL}", f"I would write {CALL}", []),
        ('{"name": "Alice", "age": 3}', '{"name": "Alice", "age": 3}', []),
        (OTHERS, OTHERS, []),
        (OTHERS[:-9], OTHERS[:-9], []),
        ('{"arguments": {}}', '{"arguments": {}}', []),
        ("Begin with\n<th", "Begin with\n<th", []),
        ("[TOOL", "[TOOL", []),
        ("```json\n{}\n```\n[1] x", "```json\n{}\n```\n[1] x", []),
        ("1 < 2, <tool> and <table>\n{", "1 < 2, <tool> and <table>\n{", []),
    ],
    ids=str,
)  # fmt: skip
def test_calls(text: str, words: str, calls: list[Any]) -> None:
    """JSON that calls a tool is a call, whatever stands around it; other is text."""
    for cut in range(1, len(text) + 1):
        assert read(text, cut) == (words, "", calls, False)


@pytest.mark.spec("Y3")
@pytest.mark.parametrize("end", range(CALL.index("web"), len(CALL) - 1))
def test_half_a_call(end: int) -> None:
    """Half a call is no words and no call."""
    for around in ("", "```json\n", "<tool_call>\n"):
        for cut in (1, 7, 1_000):
            assert read(f"Yes.\n{around}{CALL[:end]}", cut)[::2] == ("Yes.\n", [])
            assert read(around + CALL[:end], cut)[3]


@pytest.mark.parametrize(
    ("text", "words", "thought"),
    [
        ("<think>a < b</think>\n\n好", "\n\n好", "a < b"),
        ("\n <think>a</think>b\n<think>c</think>d", "b\nd", "ac"),
        (f"<think>{CALL}</think>好", "好", CALL),
        ("<think>for ever", "", "for ever"),
        ("<think>a</thin", "", "a</thin"),
        ("say <think>", "say <think>", ""),
        ("a\n\nb\n</think>\n\n好", "\n\n好", "a\n\nb\n"),
        ("</think>好", "好", ""),
        ("<think>a</think>b\n</think>c", "b\nc", "a"),
        ("say </think> or `</think>`", "say </think> or `</think>`", ""),
        ("```xml\n<think>a</think>\n```\n好", "```xml\n<think>a</think>\n```\n好", ""),
    ],
)
def test_thoughts(text: str, words: str, thought: str) -> None:
    """Text between the tags is a thought; in a code block it is an example."""
    for cut in range(1, len(text) + 1):
        assert read(text, cut) == (words, thought, [], False)


@pytest.mark.parametrize(
    "text", ['{"name": "A', "```python\nx", "<tab", '[\n  {"b', "1.\n2"]
)
def test_held_back_no_longer_than_needed(text: str) -> None:
    """As soon as a text can't become a call, it is passed on."""
    assert TextParts({"web_search"}).feed(text).words == text


@given(
    st.text(
        alphabet='<>/`{}[]"\\ \nnametools:thinkweb_searchargumentscall', max_size=60
    )
)
def test_any_text_in_any_cut(text: str) -> None:
    """However it is cut, a text is read alike; without JSON nothing of it is lost."""
    whole = read(text, len(text) + 1)
    assert read(text, 1) == read(text, 3) == whole
    if not ({"{", "<"} & {*text}):
        assert whole == (text, "", [], False)


def test_over() -> None:
    """Behind a call so many words are not waited for; ends of code blocks are."""
    parts = TextParts({"web_search", "web_fetch"})
    for text in (f"```json\n{CALL}", "\n```\n", " " * 300, f"\n{OTHER}", "x" * 199):
        parts.feed(text)
        assert not parts.is_over
    parts.feed("xx")
    assert parts.is_over


def test_hostile_length() -> None:
    """A call that never ends is given up, and what comes behind it is not words."""
    endless = CALL[:-4] + "x" * 30_000
    assert read(endless, 1_000) == read(endless, 40_000) == ("", "", [], True)
    assert read('{"name": "web_search", "arguments": ' + NEVER, 999)[3]
