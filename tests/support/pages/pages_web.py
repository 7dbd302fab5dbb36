"""A web on loopback, whose pages a search finds and a reader reads."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from support.servers.loopback import Answer, Loopback, Raw, Request, held_back, served
from support.servers.searxng_pages import page, row

HTML: Final = {"Content-Type": "text/html; charset=utf-8"}

READY: Final = "/ready"  # read before a test, so that a worker process is there

Script = Callable[[], Answer | Raw]


def article(title: str, *sentences: str, date: str = "2026-11-02") -> Answer:
    """A page with an article of these sentences, long enough to be one."""
    body = "".join(f"<p>{one}</p>" for one in sentences)
    return Answer(
        f"<title>{title}</title>"
        f"<meta property='article:published_time' content='{date}T08:00:00Z'>"
        f"<body><nav>Home News About</nav><article><h1>{title}</h1>{body}</article>",
        200,
        HTML,
    )


LOGIN: Final = Answer(
    "<title>Sign in</title><body><form><input type=password></form>", 200, HTML
)


TOWER: Final = article(
    "The tower", *["The tower of the old town is 62 metres high."] * 12
)
BRIDGE: Final = article(
    "The bridge", *["The bridge was built in 1904 by two brothers."] * 12
)


LONG: Final = article(
    "Towers of the land",
    *[f"The mill number {n} grinds wheat for the people." for n in range(100)],
    "The tower of the old town is 62 metres high.",
    *[f"The barn number {n} keeps hay for all the cows." for n in range(100)],
)


class PagesWeb:
    """The pages, by path, and a search that finds all of them in this order."""

    def __init__(self, server: Loopback, pages: Mapping[str, Any]) -> None:
        self.server = server
        self._pages = pages

    def url(self, path: str) -> str:
        return f"{self.server.url}{path}"

    @property
    def asked(self) -> list[str]:
        """The paths of the pages that were requested."""
        paths = [request.path for request in self.server.requests]
        return [path for path in paths if path != READY]

    @property
    def settings(self) -> dict[str, str]:
        """Settings with which these pages may be read, and those of the tests only."""
        return {"WEB_FETCH_ALLOWED_HOSTS": f"127.0.0.1:{self.server.port}"}

    def search(self, request: Request) -> Answer:
        """SearXNG's answer: every page, with a short snippet."""
        found = enumerate(self._pages, start=1)
        rows = [
            row(n, url=self.url(path), content=f"Snippet {n}.") for n, path in found
        ]
        return page(*rows) if "q" in request.params else page()


@contextmanager
def pages_web(pages: Mapping[str, Any]) -> Iterator[PagesWeb]:
    """Serve *pages*, by path; the value of a page is its answer."""

    def answer(request: Request) -> Answer | Raw:
        if request.path == READY:
            return article("Ready", "A worker process is ready.")
        return pages.get(request.path, Answer("gone", 404, HTML))

    with served(answer) as server:
        yield PagesWeb(server, pages)


def never(until: threading.Event) -> Raw:
    """A page that does not come before *until* is set."""
    return held_back(Answer("late", 200, HTML), until)
