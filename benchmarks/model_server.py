"""A model with nothing to think about: the path says how many tokens it sends."""

import asyncio
import json
import re
import sys
from contextlib import suppress
from functools import cache
from itertools import cycle, islice
from typing import Any, Final

_GONE = (ConnectionError, asyncio.IncompleteReadError)
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


async def main() -> None:
    """Serve on a free port, told to the parent, until standard input closes."""
    server = await asyncio.start_server(_talk, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer `POST /2000/v1/chat/completions` with 2,000 tokens, and so on."""
    with suppress(*_GONE):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"(?i)\r\ncontent-length: *([0-9]+)", head)
            await reader.readexactly(int(length[1]) if length else 0)
            for part in _parts(int(head.split("/")[1])):
                # One at a time, so that the first can be read before the last.
                writer.write(part)
                await writer.drain()
    writer.close()
    with suppress(*_GONE):
        await writer.wait_closed()


@cache
def _parts(count: int) -> tuple[bytes, ...]:
    """The whole answer, made before it is asked for again."""
    tokens = _TOKEN.findall("".join(_SENTENCES))
    usage = {"prompt_tokens": 1, "completion_tokens": count, "total_tokens": count + 1}
    return (
        _HEAD,
        _event([_choice({"role": "assistant", "content": ""})]),
        *(_event([_choice({"content": t})]) for t in islice(cycle(tokens), count)),
        _event([_choice({}, "stop")]),
        _event([], usage=usage),
        _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n",
    )


def _choice(delta: dict[str, str], finish: str | None = None) -> dict[str, Any]:
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
    asyncio.run(main())
