"""Commands, and one answer at a time, whatever a user sends, and however fast."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from support.browser.screen import Screen
from support.waiting import PATIENCE, wait_until

from agent.resources import Resources
from ui.conversation import Command, Conversation, parse
from websearch.doctor.diagnosis import Diagnosis


async def nobody() -> list[Diagnosis]:
    return []


class Talk:
    """A conversation whose answers take as long as a test wants."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.conversation = Conversation(Resources.load(), "zh-CN", nobody)
        self.begun: list[str] = []
        self.at_once = 0
        self.most_at_once = 0
        monkeypatch.setattr(self.conversation, "_receive", self._answer)

    def send(self, words: str) -> asyncio.Task[None]:
        message: Any = SimpleNamespace(id=words, content=words)
        return asyncio.create_task(self.conversation.receive(message))

    async def _answer(self, message: Any) -> None:
        self.begun.append(message.content)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0.01)  # what an answer has to end
            self.at_once -= 1


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, screen: Screen) -> Talk:
    return Talk(monkeypatch)


@pytest.mark.parametrize("later", ["b", "bc"])
async def test_the_newest_is_answered(talk: Talk, later: str) -> None:
    """An answer ends before the next begins, to the newest of several messages."""
    tasks = [talk.send("a")]
    await asyncio.sleep(0)
    tasks += [talk.send(words) for words in later]
    newest = ["a", later[-1]]
    await asyncio.to_thread(wait_until, lambda: talk.begun == newest, "the newest")

    assert tasks[0].cancelled()
    assert talk.most_at_once == 1
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_stop_while_waiting(talk: Talk) -> None:
    """A stop also reaches the message that waits for the answer before to end."""
    tasks = [talk.send("a")]
    await asyncio.sleep(0)
    tasks.append(talk.send("b"))
    await asyncio.sleep(0)

    assert await talk.conversation.stop()
    await asyncio.wait(tasks, timeout=PATIENCE)

    assert talk.begun == ["a"]
    assert all(task.done() for task in tasks)
    assert not await talk.conversation.stop()  # nothing is answered any more


@pytest.mark.spec("A4")
@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("/search on", Command.ON),
        ("/search off", Command.OFF),
        ("/search", Command.STATE),
        ("  /SEARCH   On ", Command.ON),
        ("/search maybe", None),
        ("/searching", None),
        ("please /search on", None),
        ("/search on\nand more", None),
        ("", None),
    ],
)
def test_parse(typed: str, command: Command | None) -> None:
    """Only the commands themselves are commands; all else is a question."""
    assert parse(typed) is command
