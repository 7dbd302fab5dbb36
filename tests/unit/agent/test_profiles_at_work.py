"""Agents at work: each with its own tool, engine and instructions."""

from typing import Any

import pytest
from support.model.agent_mode import numbers
from support.model.model_server import Turn, says, script, search
from support.search.engines import FakeEngine
from support.servers.searxng_pages import own_pages
from support.world import world

from agent import Mode
from agent.events import Notice
from agent.profiles import AgentProfile, Agents
from websearch import SearchService

WRITER = AgentProfile("writer", "Writer", "Rhyme {always}.", can_search=False)
READER = AgentProfile("reader", "Reader", "Quote.")
BOTH = Agents((READER, WRITER))


def tools(request: Any) -> list[str]:
    return [tool["function"]["name"] for tool in request.get("tools", [])]


@pytest.mark.spec("I3")
@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("agent", [READER, WRITER], ids=lambda one: one.id)
async def test_tool_is_there_or_not(agent: AgentProfile, *, enabled: bool) -> None:
    """The model sees the tool where the agent can search, and search is on at all."""
    async with world(
        says("好"), mode=Mode.AGENT, agents=BOTH, WEB_SEARCH_ENABLED=enabled
    ) as w:
        w.session.choose(Mode.AGENT, search=False, agent=agent.id)
        await w.ask("问")

    (request,) = w.model.requests
    expected = ["web_search"] if agent.can_search and enabled else []
    assert tools(request) == expected
    assert ("web_search" in request["messages"][0]["content"]) is bool(expected)


async def test_instructions() -> None:
    """The system prompt ends with an agent's instructions, unchanged."""
    async with world(says("好"), mode=Mode.AGENT, agents=BOTH) as w:
        w.session.choose(Mode.AGENT, search=False, agent="writer")
        await w.ask("问")

    system = w.model.requests[0]["messages"][0]["content"]
    assert system.endswith("# 另有要求\nRhyme {always}.")


async def test_unknown_agent() -> None:
    """An agent that is not there is not chosen."""
    async with world(mode=Mode.AGENT, agents=BOTH) as w:
        w.session.choose(Mode.AGENT, search=False, agent="writer")
        w.session.choose(Mode.AGENT, search=False, agent="nobody")

        assert w.session.agent is WRITER


OTHER = AgentProfile("other", "Other", provider="baidu_html")
SEARCHES = script(Turn(calls=[search("甲")]), Turn(["晴"]))


@pytest.mark.spec("I3")
async def test_each_asks_its_engine() -> None:
    """An agent's searches go to its own engine; numbers go on, and what an agent has
    found before is remembered when it comes back."""
    engine = FakeEngine("baidu_html", ["https://b.example/1", "https://b.example/2"])
    async with world(
        SEARCHES,
        search=own_pages,
        mode=Mode.AGENT,
        agents=Agents((READER, OTHER, WRITER)),
        services={"other": SearchService(engine)},
    ) as w:
        first = await w.ask("一")
        w.session.choose(Mode.AGENT, search=False, agent="other")
        second = await w.ask("二")
        w.session.choose(Mode.AGENT, search=False, agent="writer")
        await w.ask("三")
        w.session.choose(Mode.AGENT, search=False, agent="other")
        third = await w.ask("四")

    assert (numbers(first), numbers(second)) == ([[1, 2, 3]], [[4, 5]])
    assert numbers(third) == [[4, 5]]
    assert (w.search.queries, len(engine.requests)) == (["甲"], 1)


@pytest.mark.spec("I3")
async def test_no_search_without_tools_either() -> None:
    """An agent that can't search does not search as in Chat mode either, where the
    model takes no tools, and nothing is said of it."""
    async with world(says("好"), mode=Mode.AGENT, agents=BOTH) as w:
        w.resources.models.default.takes_tools = False
        w.session.choose(Mode.AGENT, search=True, agent="writer")
        events = await w.ask("问")

    assert not w.search.queries
    assert not [event for event in events if isinstance(event, Notice)]


async def test_engine_of_an_agent_without_tools() -> None:
    """For a model without tools, the query goes to the agent's engine."""
    engine = FakeEngine("baidu_html", ["https://b.example/1"])
    async with world(
        says("好"),
        mode=Mode.AGENT,
        agents=Agents((OTHER,)),
        services={"other": SearchService(engine)},
    ) as w:
        w.resources.models.default.takes_tools = False
        await w.ask("问")

    assert (w.search.queries, len(engine.requests)) == ([], 1)
