"""Nothing of a hostile or odd conversation gets into a query."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.follow_ups import Talk, found, searched
from support.model.model_server import Turn, fails, says
from support.search.engines import DOWN
from support.world import stopped, world

from agent import Mode
from agent.follow_up import rule
from agent.follow_up.completion import harmless

FOLLOWING = "它的症状是什么？"
FOUND = "肺癌的症状是什么？"


@pytest.mark.parametrize("question", ["?", "？", "！", "😀", "👍🏽👍🏽", "…", " "])
async def test_signs_alone(question: str) -> None:
    """A question without words stays as it is, and the subject is not lost."""
    talk = Talk()
    await talk.ask("肺癌是什么？")
    assert await talk.ask(question) in {question.strip(), "肺癌是什么？"}
    assert await talk.ask(FOLLOWING) == FOUND


async def test_after_twenty_thousand_characters() -> None:
    """A long message before it costs nothing, and gives no long query."""
    long = "肺癌是什么？" + "请看这段文字。" * 3_000

    assert await searched(long[:20_000], FOLLOWING) == FOUND


@pytest.mark.parametrize(
    "unit", ["现在", "的", "是", "和与", "a ", "the ", "it's ", "《", "A B "]
)
async def test_hostile_repetition(unit: str) -> None:
    """Repeated words end in a query, whatever stands before and behind."""
    many = unit * 2_000
    assert len(await searched(many, f"{many[:250]}它X？", FOLLOWING)) < 200


async def test_after_a_failed_search() -> None:
    """The question counts, whether its search found something or not."""
    talk = Talk(DOWN, found("Page"))

    assert await talk.ask("肺癌是什么？", FOLLOWING) == FOUND


async def test_after_a_failed_answer() -> None:
    """The same where the model failed, or wrote nothing."""
    for brain in (fails(500), says("", " ")):
        async with world(brain) as w:
            await w.ask("肺癌是什么？")
            await w.ask(FOLLOWING)

        assert w.search.queries[-1] == FOUND


async def test_after_a_stopped_answer() -> None:
    """The same where the user stopped the answer."""
    async with world(lambda _: Turn(text=["字"] * 50, delay=0.02)) as w:
        await stopped(w, 0.2, "肺癌是什么？")
        await w.ask(FOLLOWING)

    assert w.search.queries[-1] == FOUND


async def test_after_another_mode() -> None:
    """A question of Agent mode counts too, and so does one with search off."""
    async with world() as w:
        w.session.choose(Mode.AGENT, search=True)
        await w.ask("肺癌是什么？")
        w.session.choose(Mode.CHAT, search=True)
        await w.ask(FOLLOWING)
        assert w.search.queries[-1] == FOUND

        w.session.choose(Mode.CHAT, search=False)
        await w.ask("长城有多长？")
        w.session.choose(Mode.CHAT, search=True)
        await w.ask("谁修建了它？")
        assert w.search.queries[-1] == "谁修建了长城？"


@pytest.mark.spec("R3", "B1")
@pytest.mark.parametrize(
    "before",
    [
        "!ddg 肺癌 :zh 是什么？",
        "<3 肺癌[1]【2】是什么？",
        "`rm -rf 肺癌` 是什么？",
        "```\nimport os\n``` 肺癌是什么？",
        "https://evil.example/?q=肺癌 是什么？",
        "site:evil.example 肺癌是什么？",
        "evil.io 是什么？",
        "Tell me about evil.com.",
        "Tell me about evil.com... breaking",
        "Tell me about foo_evil.com",
        "Tell me about evil.com.x1",
        "Tell me about evil.js/x",
        "Tell me about evil.c0m_x",
        "What is on https://evil.example/x in Paris `code` [1]?",
        "javascript:alert(1) 是什么？",
        "me@evil.example 是谁？",
        "evil.example/page 是什么？",
        "[肺癌](https://evil.example) 是什么？",
        "<b onmouseover=x>肺癌</b>是什么？",
        "Tell me about !ddg [1] `code` https://evil.example/x",
        'What is intitle:secret -filter "quoted"?',
    ],
)
@pytest.mark.parametrize(
    "following",
    [FOLLOWING, "那胃癌呢？", "What causes it?", "What about London?", "And in 2023?"],
)
async def test_signs_of_earlier_questions(before: str, following: str) -> None:
    """No command, address, marker or code gets into the added words."""
    assert_harmless(await searched(before, following), following)


@pytest.mark.spec("R3")
@pytest.mark.parametrize("words", ["192.168.0.1:8080/admin", "10.0.0.1", "e.com:80"])
def test_addresses(words: str) -> None:
    """Nothing of an address is left; the signs inside a name stay."""
    assert harmless(f"Node.js GPT-4o {words} AT&T") == "Node.js GPT-4o AT&T"


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=80))
def test_any_text(before: list[str], question: str) -> None:
    """Any conversation gives a query, which holds no sign that was not typed."""
    completion = rule.complete(question, before)

    for start, end in completion.added:
        words = completion.query[start:end]
        assert not re.search(r"[!:<>`\[\]\"{}|/\\]", words.replace(question, ""))
    assert completion.added or completion.query == question


def assert_harmless(query: str, typed: str) -> None:
    """The query has no signs but those of letters, and of what was typed."""
    assert not re.search(r"[!:<>`\[\]【】\"@/=]|evil\.|\bimport\b|rm -rf", query)
    assert set(query) - set(typed) <= {*"《》 '+#&.-"} | {
        c for c in query if c.isalnum()
    }
