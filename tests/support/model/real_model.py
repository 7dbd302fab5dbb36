"""The product beside a real model: pages, a session, and what went over the wire."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    aclosing,
    contextmanager,
    suppress,
)
from typing import Any, Final

from support.pages.pages_web import PagesWeb, article, pages_web
from support.servers.loopback import listening
from support.waiting import PATIENCE, wait_until
from support.world import World, world

from agent.events import Event
from benchmarks.models import Llama

Start = Callable[..., AbstractContextManager[Llama]]

LAKE: Final = (
    "Lake Orvane is 214 metres deep.",
    "It lies 1,310 metres above the sea, and no river leaves it.",
    "The ferry to the village of Tessel runs on Mondays and Fridays only.",
    "A single journey costs 6 euros, and bicycles travel free of charge.",
    "The first hut on the shore was built in 1897 by a fisherman.",
)
BRIDGE: Final = (
    "Pelmar Bridge opened on 3 May 2009.",
    "It is 890 metres long and carries two railway tracks.",
    "Lorries pay 14 euros, and cars pay nothing at all.",
    "The towers were painted green because the town had paint of ships left.",
    "A storm closed the bridge for nine days in 2016.",
)
CHINESE_LAKE: Final = (
    "云栖湖最深处为214米。",
    "湖面海拔1310米，湖水没有出口，冬天会结冰。",
    "开往松月村的渡船每周一和周五开行，单程票价六元。",
    "湖边的第一座木屋由一位渔民建于1897年，如今是一间小小的展览馆。",
    "湖里有七种鱼，其中三种是别处没有的，钓鱼需要许可证。",
)
QUESTIONS: Final = {
    "en": "How deep is Lake Orvane?",
    "zh": "云栖湖最深处有多少米？",
}


@contextmanager
def places(times: int = 1) -> Iterator[PagesWeb]:
    """A web of invented places, whose sentences are repeated *times*."""
    pages = {
        "/lake": article("Lake Orvane", *LAKE * times),
        "/bridge": article("Pelmar Bridge", *BRIDGE * times),
        "/hu": article("云栖湖", *CHINESE_LAKE * times),
    }
    with pages_web(pages) as web:
        yield web


def beside(
    base_url: str, web: PagesWeb, *, model: Any = None, **more: Any
) -> AbstractAsyncContextManager[World]:
    """A session whose model answers at *base_url*; *model* are more of its settings."""
    options = {"OPENAI_BASE_URL": base_url, "FOLLOW_UPS": "rule"}
    settings = {"WEB_READ_CHARS": 1_000, **more}
    return world(web=web, model_options=options | (model or {}), **settings)


async def cancelled(
    w: World, question: str, when: Callable[[list[Event]], bool]
) -> None:
    """Ask, and stop the answer as soon as *when* holds for its events so far."""
    seen: list[Event] = []

    async def read() -> None:
        async with aclosing(w.session.ask(question)) as events:
            async for event in events:
                seen.append(event)  # noqa: PERF401  kept also where it is stopped

    task = asyncio.create_task(read())
    async with asyncio.timeout(PATIENCE):
        while not await asyncio.to_thread(when, seen):
            assert not task.done()
            await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.wait([task])


async def until_idle(llama: Llama) -> None:
    """Wait until the server computes for nobody."""
    await asyncio.to_thread(wait_until, lambda: not llama.is_busy, "an idle server")


class Wire:
    """All that went between the product and the model's server, byte by byte."""

    def __init__(self) -> None:
        self.port = 0
        self.sent = b""
        self.received = b""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def asked(self) -> int:
        """The number of answers that were asked for."""
        return self.sent.count(b"POST /v1/chat/completions ")

    @property
    def words(self) -> str:
        """The words of all streams, joined."""
        events = re.findall(rb"^data: (\{.*\})\r?$", self.received, re.MULTILINE)
        deltas = [c["delta"] for e in events for c in json.loads(e)["choices"]]
        return "".join(delta.get("content") or "" for delta in deltas)


@contextmanager
def wire(llama: Llama) -> Iterator[Wire]:
    """A connection to the model's server that is listened to."""
    heard = Wire()

    async def passed(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_sent: bool
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                if is_sent:
                    heard.sent += data
                else:
                    heard.received += data
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", llama.port)
        await asyncio.gather(
            passed(reader, there[1], is_sent=True),
            passed(there[0], writer, is_sent=False),
        )

    with listening(serve) as heard.port:
        yield heard
