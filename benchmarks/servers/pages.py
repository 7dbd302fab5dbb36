"""
Serve web pages: an article of 100 kB at /page, one made to cost time at /hostile.

At /search ten results in the shape of Google's, which a script writes after 80 ms, and
600 kB of what else such a page holds.
"""

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


def results() -> str:
    """A page of results that is empty until its script has run."""
    rows = "".join(
        f'<div class="MjjYud"><div class="tF2Cxc"><a href="https://site{n}.example.org/">'
        f'<h3>Title {n}</h3></a><div class="VwiC3b">About the tower of the old town, '
        f"by {n} people who were there.</div></div></div>"
        for n in range(1, 11)
    )
    script = f"setTimeout(() => document.body.innerHTML += `{rows}`, 80)"
    return (
        "<!doctype html><html><head><title>tower</title>"
        f"<style>{'.a{color:red}' * 46_000}</style></head>"
        f"<body><div id=search></div><script>{script}</script></body></html>"
    )


_PAGES = {
    "/page": article().encode(),
    "/hostile": _HOSTILE.encode(),
    "/search": results().encode(),
}


async def _answer(target: str, writer: asyncio.StreamWriter) -> bool:
    body = _PAGES.get(target.partition("?")[0], b"")  # else the icon of the site
    head = (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    return True


if __name__ == "__main__":
    asyncio.run(serve(_answer))
