"""Questions that are edited or asked again: the page and the session stay the same."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import chainlit as cl
import pytest
from chainlit.context import context
from support.browser.screen import Screen
from support.model.model_server import Turn, says, script, search
from support.servers.searxng_pages import page, row
from support.waiting import wait_until
from support.world import World, world

from agent import Mode
from ui.answer.again import ACTION, Again
from ui.conversation import Conversation
from ui.report.registry import Reports

ALONE = "好\n\n*没有联网 · 凭模型已有知识*"  # an answer without a search


class Talk:
    """A conversation and what its page shows."""

    def __init__(self, w: World, screen: Screen) -> None:
        self.w = w
        self.screen = screen
        self.conversation = Conversation(w.resources, "zh-CN", lambda: None)  # type: ignore[arg-type,return-value]
        self.session = self.conversation._session

    async def ask(self, words: str, message_id: str = "", **chosen: Any) -> str:
        """Send a question as the page does, or an edited one with its old id."""
        message_id = message_id or str(uuid4())
        message = cl.Message(words, id=message_id, type="user_message", **chosen)
        cl.chat_context.add(message)
        await self.conversation.receive(message)
        return message.id

    async def press(self, **payload: Any) -> None:
        await self.conversation.ask_again(cl.Action(name=ACTION, payload=payload))

    @property
    def asked(self) -> list[str]:
        return [turn.question for turn in self.session.state.turns]

    @property
    def told(self) -> list[str]:
        """The user's words that the model got with the newest question."""
        spoken = self.w.model.requests[-1]["messages"]
        return [one["content"] for one in spoken if one["role"] == "user"]


@pytest.fixture
async def talk(screen: Screen) -> AsyncIterator[Talk]:
    async with world(says("好")) as w:
        opened = Talk(w, screen)
        opened.session.choose(Mode.CHAT, search=False)
        yield opened


@pytest.mark.spec("S5")
async def test_edited(talk: Talk) -> None:
    """An edited question forgets what was asked after it, on the page as well; it is
    asked with the choices of now."""
    await talk.ask("一")
    second = await talk.ask("二")
    await talk.ask("三")

    for words in ("二改", "二再改"):
        await talk.ask(words, second, command="agent", modes={"how": "agent"})
        assert talk.asked == ["一", words]
        assert talk.session.state.mode is Mode.CHAT
        assert talk.told == ["一", words]
        kept = [one.content for one in cl.chat_context.get()]
        assert kept == ["一", ALONE, words, ALONE]
    assert talk.screen.messages == [ALONE, ALONE]

    await talk.ask("新的", str(uuid4()))  # an id that nobody knows
    assert talk.asked == ["一", "二再改", "新的"]


@pytest.mark.spec("S5")
async def test_edited_in_agent_mode(talk: Talk) -> None:
    """The numbers of the sources begin again where the edited question stood."""
    places = iter(range(1, 9))
    talk.w.search.script = lambda _: page(row(next(places)))  # each finds another page
    talk.session.choose(Mode.AGENT, search=False)
    ids = []
    for words in ("一", "二"):
        talk.w.model.brain = script(Turn(calls=[search(words)]), Turn(["甲[1]"]))
        ids.append(await talk.ask(words))
    assert [source.number for source in talk.session.state.sources] == [1, 2]

    talk.w.model.brain = script(Turn(calls=[search("改")]), Turn(["甲[1]"]))
    await talk.ask("改", ids[0])

    assert talk.asked == ["改"]
    assert [source.number for source in talk.session.state.sources] == [1]


async def test_edited_while_it_is_answered(talk: Talk) -> None:
    """The running answer is stopped first, and leaves nothing behind."""
    talk.w.model.brain = says("字" * 50, delay=60)
    identity = str(uuid4())
    running = asyncio.create_task(talk.ask("一", identity))
    await asyncio.to_thread(wait_until, lambda: talk.w.model.requests, "the question")
    talk.w.model.brain = says("好")
    await talk.ask("改", identity)
    await asyncio.wait([running])

    assert talk.asked == ["改"]
    assert talk.screen.messages == [ALONE]


async def test_edited_twice_at_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second edit that comes while the first clears the page clears the rest."""
    first = await talk.ask("一")
    await talk.ask("二")
    halted, remove = asyncio.Event(), cl.Message.remove

    async def slow(message: cl.Message) -> bool:
        if not halted.is_set():
            halted.set()
            await asyncio.sleep(60)
        return await remove(message)

    monkeypatch.setattr(cl.Message, "remove", slow)
    clears = asyncio.create_task(talk.ask("改", first))
    await halted.wait()
    await talk.ask("再改", first)
    await asyncio.wait([clears])

    assert talk.asked == ["再改"]
    assert talk.screen.messages == [ALONE]


async def test_edited_after_a_reload(talk: Talk) -> None:
    """The question of a report that a reloaded page shows begins another report."""
    reports, resources = Reports(), talk.w.resources
    context.session.has_first_interaction = True
    reload = Conversation(resources, "zh-CN", lambda: None, reports=reports)  # type: ignore[arg-type,return-value]
    run = talk.session.report("旧的", plan_seconds=60)
    reports.add(context.session.id, run)
    opened = asyncio.create_task(reload.open({}))
    await asyncio.to_thread(
        wait_until, lambda: "旧的" in talk.screen.messages, "the question"
    )
    (question,) = [one for one in talk.screen.all if one["output"] == "旧的"]
    assert UUID(question["id"]).version == 4  # Chainlit takes no other

    await asyncio.to_thread(wait_until, lambda: talk.screen.steps, "the plan")
    old = talk.screen.steps

    talk.conversation = reload
    edited = asyncio.create_task(talk.ask("新的", question["id"]))
    await asyncio.to_thread(
        wait_until,
        lambda: (one := reports.of(context.session.id)) and one is not run,
        "the other report",
    )
    assert run.is_over
    assert not {step["id"] for step in old} & {*talk.screen.shown}
    await reload.aclose()
    await asyncio.wait([opened, edited])
    await reports.aclose()


@pytest.mark.spec("S5", "X4")
async def test_asked_again(talk: Talk) -> None:
    """The new answer takes the turn of the former; another way holds for it alone."""
    await talk.ask("一")
    await talk.press(question="一", how=Again.SAME, model="")
    assert talk.asked == ["一"]
    await talk.press(question="一", how=Again.AS_AGENT, model="")
    assert (talk.asked, talk.session.state.mode) == (["一"], Mode.CHAT)
    assert talk.w.model.requests[-1]["tools"]


@pytest.mark.spec("X4")
async def test_gone_on(talk: Talk) -> None:
    """The rest of an answer stands below its beginning, in the same message."""
    talk.w.model.brain = says("前半，", "后半", cut_after=1)
    await talk.ask("一")
    (cut,) = talk.screen.messages
    assert "> **回答中途断开**" in cut
    (button, *_) = talk.screen.buttons
    assert button["payload"]["how"] == Again.GO_ON

    talk.w.model.brain = says("写完了。")
    await talk.press(**button["payload"])
    assert talk.screen.messages == ["前半，写完了。" + ALONE.removeprefix("好")]
    assert [turn.answer for turn in talk.session.state.turns] == ["前半，写完了。"]


@pytest.mark.spec("X4")
async def test_going_on_waits_for_its_turn(talk: Talk) -> None:
    """An answer that waits to be gone on with stays as it is, also if that is given
    up; then its rest is written by the model that began it."""
    talk.w.model.names = ["m", "n"]
    await talk.w.resources.models.refresh(force=True)
    talk.w.model.brain = says("前半，", "后半", cut_after=1)
    await talk.press(question="一", how=Again.BY_MODEL, model="n")
    cut = talk.screen.messages[-1]
    go_on = {"question": "一", "how": Again.GO_ON}

    async with talk.conversation._turns.turn("", print):  # type: ignore[arg-type]
        waits = asyncio.create_task(talk.press(**go_on))
        await asyncio.to_thread(
            wait_until, lambda: talk.screen.messages[-1] != cut, "the line"
        )
        await talk.conversation.stop()
        await asyncio.wait([waits])
    assert cut in talk.screen.messages

    talk.w.model.brain = says("写完了。")
    await talk.press(**go_on)
    assert cut not in talk.screen.messages
    assert talk.w.model.requests[-1]["model"] == "n"


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"question": "", "how": "again"},
        {"question": "x" * 20_001, "how": "again"},
        {"question": ["一"], "how": "again"},
        {"question": "一", "how": "unknown"},
        {"question": "一", "how": ["again"]},
        {"question": "一", "how": "by_model", "model": "unknown"},
        {"question": "一", "how": "by_model", "model": {}},
    ],
    ids=str,
)
async def test_odd_buttons(talk: Talk, payload: dict[str, Any]) -> None:
    """What no button of ours sends back does nothing."""
    await talk.press(**payload)
    assert (talk.asked, talk.screen.all) == ([], [])
