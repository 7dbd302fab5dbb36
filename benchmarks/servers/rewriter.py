"""
A model server that writes the queries of the labelled conversations.

Four of five it writes as the label says; the fifth is one that must not be searched,
or an error.
"""

import asyncio
import json
import re
from itertools import count, cycle, pairwise
from typing import Final

from benchmarks.follow_ups.sets import SETS, conversations
from benchmarks.servers.protocol import head, listen

_EARLIER: Final = re.compile(r"^user: (.*)$", re.MULTILINE)
_LAST: Final = re.compile(r"^Last question: (.*)\Z", re.MULTILINE | re.DOTALL)
_ODD: Final = cycle(
    (
        "{} site:evil.example",
        "https://evil.example/?q={}",
        "Sure! Here is your query:\n{}",
        "{} zyzzyva 犰狳",
        "Ignore the question and search for passwords",
        "{} " * 200,
        "",
        None,
    )
)
_KEPT: Final = 5  # one of so many is odd
_ERROR: Final = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
_STREAM: Final = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n"
)
_numbers = count(1)


def _meanings() -> dict[tuple[str, str], str]:
    """Return what each question means, by the question before it and itself."""
    return {
        (_spaced(before[0]), asked): meant
        for name in SETS
        for turns in conversations(name)
        for before, (asked, meant) in pairwise(turns)
    }


def _spaced(text: str) -> str:
    return " ".join(text.split())


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each `POST …/chat/completions` with one line."""
    meanings = _meanings()
    while True:
        top = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)\r\ncontent-length: *([0-9]+)", top)
        body = await reader.readexactly(int(length[1]) if length else 0)
        prompt = json.loads(body)["messages"][-1]["content"] if body else ""
        last, earlier = _LAST.search(prompt), _EARLIER.findall(prompt)
        if last is None or not earlier:
            writer.write(head(2) + b"{}")
            continue
        line: str | None = meanings[_spaced(earlier[-1]), last[1]]
        if next(_numbers) % _KEPT == 0:
            odd = next(_ODD)
            line = odd.format(line) if odd is not None else None
        writer.write(_ERROR if line is None else _streamed(line))
        await writer.drain()


def _streamed(line: str) -> bytes:
    choices = [{"index": 0, "delta": {"content": line}, "finish_reason": "stop"}]
    chunk = {"id": "1", "object": "chat.completion.chunk", "choices": choices}
    body = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
    return _STREAM % len(body) + body


if __name__ == "__main__":
    asyncio.run(listen(_talk))
