"""One answer at a time, whatever a user sends, and however fast."""

import asyncio
from typing import Any

import pytest

from agent.resources import Resources
from ui.conversation import Conversation
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
        message: Any = words
        return asyncio.create_task(self.conversation.receive(message))

    async def _answer(self, words: str) -> None:
        self.begun.append(words)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0.01)  # what an answer has to end
            self.at_once -= 1


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Talk:
    return Talk(monkeypatch)


async def ended(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_a_new_message_ends_the_answer(talk: Talk) -> None:
    """The answer before ends before the next begins."""
    first = talk.send("a")
    await asyncio.sleep(0)
    second = talk.send("b")
    await asyncio.sleep(0.05)

    assert first.cancelled()
    assert (talk.begun, talk.most_at_once) == (["a", "b"], 1)
    await ended(second)


async def test_quick_messages(talk: Talk) -> None:
    """The newest of several messages during the end of an answer is answered."""
    tasks = [talk.send("a")]
    await asyncio.sleep(0)
    tasks += [talk.send("b"), talk.send("c")]
    await asyncio.sleep(0.05)

    assert (talk.begun, talk.most_at_once) == (["a", "c"], 1)
    await ended(*tasks)


async def test_stop_while_waiting(talk: Talk) -> None:
    """A stop also reaches the message that waits for the answer before to end."""
    tasks = [talk.send("a")]
    await asyncio.sleep(0)
    tasks.append(talk.send("b"))
    await asyncio.sleep(0)

    assert await talk.conversation.stop()
    await asyncio.sleep(0.05)

    assert talk.begun == ["a"]
    assert all(task.done() for task in tasks)


async def test_nothing_to_stop(talk: Talk) -> None:
    """A stop where nothing is answered says so."""
    assert not await talk.conversation.stop()
