"""A conversation is one value: stored, read again, it goes on exactly."""

from contextlib import aclosing
from dataclasses import replace

import pytest
from support.follow_ups import Talk
from support.model.agent_mode import AGENT, found, numbers
from support.model.model_server import Turn as Reply
from support.model.model_server import says, script, search
from support.world import World, answer_of, world

from agent import ConversationState, Mode, Session, open_session
from agent.events import Completion, SearchFinished
from agent.history import Turn
from agent.profiles import AgentProfile, Agents
from citations import Source

SEARCHES = script(Reply(calls=[search("甲")]), Reply(["晴[1]"]))
AGENTS = Agents(
    profiles=(
        AgentProfile(id="a", name="A", instructions=""),
        AgentProfile(id="b", name="B", instructions=""),
    )
)


def reopened(w: World) -> Session:
    """A new session that goes on from the stored state of that of *w*."""
    stored = w.session.state.to_json()
    return open_session(w.resources, ConversationState.from_json(stored))


@pytest.mark.spec("E6", "E9")
async def test_numbers_go_on() -> None:
    """New pages get the next numbers, and earlier ones can still be cited."""
    async with world(SEARCHES, **AGENT) as w:
        await w.ask("一")
        w.model.brain = script(Reply(calls=[search("乙")]), Reply(["[1]，雨[4]"]))
        events = [event async for event in reopened(w).ask("二")]

    assert numbers(events) == [[4, 5, 6]]
    assert answer_of(events).sources[1] == w.session.state.sources[0]
    spoken = [message["content"] for message in w.model.requests[-2]["messages"]]
    assert spoken[1:] == ["一", "晴[1]", "二"]
    assert "[1] 甲 1" in spoken[0]


async def test_choices_stay() -> None:
    """Mode, agent, model, switches and the way of follow-ups are as they were."""
    async with world(agents=AGENTS, model_options={"OPENAI_MODEL": "m"}) as w:
        chosen = {"agent": "b", "model": "m", "reading": False, "follow_ups": "off"}
        w.session.choose(Mode.AGENT, search=False, **chosen)  # type: ignore[arg-type]
        later = reopened(w)

    assert later.state == w.session.state
    assert (later.state.mode, later.agent.id, later.state.model) == (
        Mode.AGENT,
        "b",
        "m",
    )
    assert (later.state.search, later.state.reading) == (False, False)
    assert later.follow_ups == "off"


async def test_what_is_gone_gives_way() -> None:
    """An agent that is not there any more is replaced by the first."""
    async with world(says("好"), mode=Mode.AGENT) as w:
        later = open_session(w.resources, replace(w.session.state, agent="gone"))
        events = [event async for event in later.ask("一")]

    assert later.agent.id == w.session.agent.id
    assert answer_of(events).text == "好"


@pytest.mark.spec("R1")
async def test_follow_ups_go_on() -> None:
    """A question leans on those before the state was stored."""
    talk = Talk()
    await talk.ask("肺癌是什么？")
    stored = talk.session.state.to_json()
    talk.session = Session(talk.resources, ConversationState.from_json(stored))

    assert await talk.ask("它的症状是什么？") == "肺癌的症状是什么？"
    assert talk.session.completion is not None


async def test_state_of_an_answer_on_its_way() -> None:
    """Numbers that were given are kept at once: the answer may be cut off."""
    given: list[int] = []
    async with world(SEARCHES, **AGENT) as w, aclosing(w.session.ask("一")) as events:
        async for event in events:
            if isinstance(event, SearchFinished):
                given = [source.number for source in w.session.state.sources]
                break

    assert given == [1, 2, 3]
    assert [(turn.question, turn.answer) for turn in w.session.state.turns] == [
        ("一", "")
    ]


@pytest.mark.spec("E6")
async def test_numbers_with_a_hole() -> None:
    """The next number is above all that were given, whatever became of the others."""
    async with world(SEARCHES, **AGENT) as w:
        state = replace(
            w.session.state, sources=(Source(7, "t", "https://seven.example/"),)
        )
        events = [event async for event in open_session(w.resources, state).ask("一")]

    assert found(events)
    assert numbers(events) == [[8, 9, 10]]


def test_odd_words() -> None:
    """Words that are no text, and all other signs, are read as they were written."""
    turn = Turn("\ud83d\0", "\u2028", completion=Completion("ab", "a", ((1, 2),)))
    state = ConversationState(turns=(turn,))

    assert ConversationState.from_json(state.to_json()) == state


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 99_999, '{"mode": "canary"}'])
def test_something_else(text: str) -> None:
    """What is no state is refused, without its words."""
    with pytest.raises(ValueError, match="no state of a conversation") as refused:
        ConversationState.from_json(text)

    assert "canary" not in repr(refused.value)


@pytest.mark.spec("N5")
def test_a_stored_link_is_not_believed() -> None:
    """The link of a source is made from its address again."""
    state = ConversationState(sources=(Source(1, "T", "https://x.example/"),))
    forged = state.to_json().replace('"href": "https:', '"href": "javascript:')
    assert "javascript:" in forged

    (source,) = ConversationState.from_json(forged).sources
    assert source.href == "https://x.example/"
