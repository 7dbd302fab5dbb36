"""Serve web pages: an article of 100 kB at /page, one made to cost time at /hostile."""

import asyncio
import random

from benchmarks.servers.protocol import serve

SIZE = 100_000
_WORDS = [
    *("tower", "bridge", "river", "clock", "museum", "station", "harbour", "market"),
    *("garden", "school", "winter", "summer", "morning", "builder", "captain"),
    *("letter", "signal", "window", "water", "stone", "iron", "glass", "road"),
    *("hill", "valley", "county", "railway", "passenger", "ticket", "history"),
]
_MENU = "<nav><ul>" + "<li><a href='/a/b?c=d'>A link of the menu</a></li>" * 120
_SCRIPT = "<script>" + "window.settings={colour:1,size:2};" * 300 + "</script>"
_HOSTILE = "<body>" + "<div>" * 200_000


def article() -> str:
    """A page of SIZE characters: menu, scripts, an article, comments, a footer."""
    chance = random.Random(7)
    parts = [
        "<!doctype html><html lang=en><head><title>The tower and the bridge</title>",
        "<meta property='article:published_time' content='2026-11-02'>",
        f"{_SCRIPT}</head><body>{_MENU}</ul></nav><main><article><h1>The tower</h1>",
    ]
    footer = "</article></main><footer>All rights reserved</footer></body></html>"
    left = SIZE - len(footer) - sum(map(len, parts))
    while left > 0:
        sentences = (
            " ".join(chance.choices(_WORDS, k=chance.randint(6, 18))).capitalize()
            for _ in range(4)
        )
        part = (
            f"<div class='block wide'><h2>{chance.choice(_WORDS)}</h2>"
            f"<p class='text'>{'. '.join(sentences)}, as "
            "<a href='https://site.example/page' title='more'>others say</a>.</p></div>"
        )
        parts.append(part[:left])
        left -= len(part)
    return "".join([*parts, footer])


_PAGES = {"/page": article().encode(), "/hostile": _HOSTILE.encode()}


async def _answer(target: str, writer: asyncio.StreamWriter) -> bool:
    body = _PAGES[target.partition("?")[0]]
    head = (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    return True


if __name__ == "__main__":
    asyncio.run(serve(_answer))
