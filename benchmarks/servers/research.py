"""
Serve what a research report needs: a SearXNG, fifteen pages, and a model.

Each line of the plan finds three pages of its own, of 100 kB; one of all takes a
second. A query with `visit 17` finds pages that no other visit has seen. The model
answers at once: with a plan of five lines, or what it was given.
"""

import asyncio
import json
import random
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from benchmarks.servers.pages import article
from benchmarks.servers.protocol import head, listen

QUESTION: Final = "What is known about the tower of Alto?"
THINGS: Final = ("height", "cost", "architect", "opening", "visitors")
PAGES: Final = 15
SLOWEST: Final = 7  # number of the slow page
SECONDS: Final = 1.0  # that it takes; the others take a part of it

_EACH: Final = PAGES // len(THINGS)
_VISIT: Final = re.compile(r"visit (\d+)")
_QUOTED: Final = re.compile(r"^((?:\[\d+\])+) \(.*?\) (.+)$", re.MULTILINE)
_PLAN: Final = "\n".join(
    f"What is the {thing} of the tower of Alto?" for thing in THINGS
)


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    port = writer.get_extra_info("sockname")[1]
    while True:
        first = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = first.decode("latin-1").split(" ", 2)
        if length := re.search(rb"(?i)content-length: *(\d+)", first):
            body = await reader.readexactly(int(length[1]))
        if method == "POST":
            for part in _written(json.loads(body)):
                writer.write(part)
        elif target.startswith("/page/"):
            number, *visit = target.removeprefix("/page/").split("/")
            await _page(int(number), "".join(visit), writer)
        else:
            writer.write(_found(target, port))
        await writer.drain()


async def _page(number: int, visit: str, writer: asyncio.StreamWriter) -> None:
    share = 1.0 if number == SLOWEST else random.Random(number).uniform(0.1, 0.6)
    await asyncio.sleep(SECONDS * share)
    thing = THINGS[number // _EACH]
    said = (
        f"<p>The {thing} of the tower of Alto is {100 + number} metres or euros. "
        f"Others say that the {thing} of the tower is well known since {1900 + number}."
        f"{visit and f' This is visit {visit}.'}"
        "</p><div class='block wide'>"
    )
    page = article().replace("The tower and the bridge", f"The {thing}, part {number}")
    body = page.replace("<div class='block wide'>", said, 1).encode()
    start = head(len(body)).replace(b"application/json", b"text/html; charset=utf-8")
    writer.write(start + body)


def _found(target: str, port: int) -> bytes:
    query = parse_qs(urlsplit(target).query).get("q", [""])[0]
    own = next((n for n, thing in enumerate(THINGS) if thing in query), 0) * _EACH
    order = [*range(own, PAGES), *range(own)]
    visit = f"/{found[1]}" if (found := _VISIT.search(query)) else ""
    results = [_result(n, port, visit) for n in order[:10]]
    body = json.dumps({"results": results}).encode()
    return head(len(body)) + body


def _result(number: int, port: int, visit: str) -> dict[str, Any]:
    thing = THINGS[number // _EACH]
    return {
        "url": f"http://127.0.0.1:{port}/page/{number}{visit}",
        "title": f"The {thing} of the tower of Alto, part {number}",
        "content": f"About the {thing} of the tower.",
        "engine": "corpus",
    }


def _written(asked: dict[str, Any]) -> Iterator[bytes]:
    system, words = (message["content"] for message in asked["messages"])
    said = _PLAN
    if "plan" not in system[:40]:
        found = _QUOTED.findall(words)
        said = " ".join(
            f"Reportedly {text.rstrip('.')}{marks}." for marks, text in found
        )
    yield (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    for piece in re.findall(r"\S+\s*", said):
        yield _event({"delta": {"content": piece}, "finish_reason": None})
    yield _event({"delta": {}, "finish_reason": "stop"})
    yield _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n"


def _event(choice: dict[str, Any]) -> bytes:
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "bench",
        "choices": [{"index": 0, **choice}],
    }
    return _framed(f"data: {json.dumps(chunk)}\n\n".encode())


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


if __name__ == "__main__":
    asyncio.run(listen(_talk))
