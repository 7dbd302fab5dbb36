"""An answer for a program: collected from its events, whatever comes of it."""

from support.model.agent_mode import AGENT, BOTH
from support.model.model_server import Turn, says
from support.servers.faults import FAULTS
from support.servers.searxng_pages import own_pages
from support.world import world

from agent import Answered, ConversationState, Mode, answer
from agent.events import (
    PageOutcome,
    ReadingFinished,
    Recalled,
    SearchFailed,
    SearchFinished,
)
from citations import Source
from websearch import Timeout


async def test_answer() -> None:
    """Text, sources, rounds, evidence and usage of an answer with two searches."""
    async with world(BOTH, **AGENT) as w:
        state = ConversationState(mode=Mode.AGENT)
        answered = await Answered.of(answer("问", state, w.resources))

    assert answered.text == "晴[1]雨[4]"
    assert [one.query for one in answered.rounds] == ["甲", "乙"]
    assert [*answered.sources] == [1, 2, 3, 4, 5, 6]
    assert [one.numbers for one in answered.evidence] == [(1, 4)]
    assert answered.usage["output_tokens"] > 0
    assert (answered.problem, answered.failed) == (None, [])


async def test_a_model_that_fails() -> None:
    """The words that came are kept, and the problem is named."""
    half = Turn(["晴[2]", "，", "雨"], cut_after=2)
    async with world(lambda _: half, search=own_pages) as w:
        answered = await Answered.of(answer("天气", None, w.resources))

    assert (answered.text, answered.problem) == ("晴[2]，", "cut_off")


async def test_a_search_that_fails() -> None:
    """The answer is there, and so is the reason for its missing sources."""
    async with world(says("好"), search=FAULTS["limiter"][0]) as w:
        answered = await Answered.of(
            answer("天气", ConversationState(search=True), w.resources)
        )

    assert (answered.text, answered.sources, answered.rounds) == ("好", {}, [])
    assert [error.code for error in answered.failed] == ["WebBlocked"]


ONE, TWO, THREE = (Source(n, "t", f"https://s{n}.example/") for n in (1, 2, 3))


async def test_rounds() -> None:
    """A page that no search found has a round of its own; an earlier one has none."""

    async def events():  # type: ignore[no-untyped-def]
        yield Recalled({1: ONE})
        yield SearchFailed("q", Timeout("late"), 1)
        yield SearchFinished("q", (TWO,), "p", 1)
        yield ReadingFinished([PageOutcome(one) for one in (ONE, TWO, THREE)], 1)

    answered = await Answered.of(events())

    assert [(one.query, one.sources) for one in answered.rounds] == [
        (THREE.url, (THREE,)),
        ("q", (TWO,)),
    ]
    assert [*answered.sources] == [1, 2, 3]
