"""
A model server that streams ready answers: the path sets their number of tokens.

`/50/v1` answers at once, `/50-4/v1` calls for four searches first, `/50~30/v1` writes
thirty tokens a second.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import count, cycle, islice
from typing import Any, Final

from benchmarks.servers.protocol import listen

_HEAD: Final = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
_SENTENCES: Final = (
    "The bridge was finished in 1932 and carries eight lanes of traffic [1][3]. ",
    "今天的天气晴朗，气温在二十度左右[2]，适合外出。",
    "Its *main span* is 503 m, see `span[1]` and https://bridge.example/plan [4].\n\n",
    "- **第一**：时钟每天慢三秒[5]\n- second item, without a source\n\n",
)
_TOKEN: Final = re.compile(r" ?[A-Za-z0-9]+|\s+|[^A-Za-z0-9\s]")
_PATH: Final = re.compile(r"^POST /([0-9]+)(?:-([0-9]+))?(?:~([0-9]+))?/")
_RESULT: Final = re.compile(rb'"role": ?"tool"')
_PIECE: Final = 4  # characters of a call's arguments in one chunk
_NO_PATH: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
_numbers = count(1)


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer `POST /2000/v1/chat/completions` with 2,000 tokens, and so on."""
    while True:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)\r\ncontent-length: *([0-9]+)", head)
        body = await reader.readexactly(int(length[1]) if length else 0)
        pace = _PATH.match(head)
        rate = int(pace[3]) if pace and pace[3] else 0
        for part in _answer(head, body):
            # One at a time, so that the first arrives before the last is written.
            writer.write(part)
            await writer.drain()
            if rate:
                await asyncio.sleep(1 / rate)


def _answer(head: str, body: bytes) -> tuple[bytes, ...]:
    asked = _PATH.match(head)
    if asked is None:
        return (_NO_PATH,)  # a request for the list of models
    tokens, searches = (int(number or 0) for number in asked.groups()[:2])
    if searches and not _RESULT.search(body):
        return tuple(_calls(searches))
    return _parts(tokens)


@cache
def _parts(count: int) -> tuple[bytes, ...]:
    """The whole answer, cached for the next request."""
    tokens = _TOKEN.findall("".join(_SENTENCES))
    return (
        *_begin(),
        *(_event([_choice({"content": t})]) for t in islice(cycle(tokens), count)),
        *_end("stop", count),
    )


def _calls(searches: int) -> Iterator[bytes]:
    """Tool calls with new queries, which are in no cache."""
    yield from _begin()
    for index in range(searches):
        number = next(_numbers)
        call = {"id": f"call_{number}", "type": "function"}
        yield _call(index, {"name": "web_search", "arguments": ""}, **call)
        arguments = json.dumps({"query": f"bridges and clocks {number}"})
        for start in range(0, len(arguments), _PIECE):
            yield _call(index, {"arguments": arguments[start : start + _PIECE]})
    yield from _end("tool_calls", searches)


def _begin() -> Iterator[bytes]:
    yield _HEAD
    yield _event([_choice({"role": "assistant", "content": ""})])


def _end(reason: str, count: int) -> Iterator[bytes]:
    usage = {"prompt_tokens": 1, "completion_tokens": count, "total_tokens": count + 1}
    yield _event([_choice({}, reason)])
    yield _event([], usage=usage)
    yield _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n"


def _call(index: int, function: dict[str, str], **more: str) -> bytes:
    call = {"index": index, **more, "function": function}
    return _event([_choice({"tool_calls": [call]})])


def _choice(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _event(choices: list[dict[str, Any]], **more: Any) -> bytes:
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "bench",
        "choices": choices,
        **more,
    }
    return _framed(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode())


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


if __name__ == "__main__":
    asyncio.run(listen(_talk))
