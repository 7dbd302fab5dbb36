"""
Sixty made pages about a tower, a battery and a city's water, and a search over them.

They stand in `research_pages/*.txt`, in Chinese and in English: pages that agree and
that differ, copies, refused and empty ones, one that is slow, a huge one, PDFs, and
pages that try to give orders.
"""

import html
import json
import math
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from support.pages.pages_web import HTML, LOGIN, READY, PagesWeb, article
from support.pages.pdf import pdf
from support.servers.loopback import Answer, Loopback, Raw, Request, held_back, served
from support.servers.searxng_pages import healthy, page, row
from support.servers.searxng_settings import made_engine

FOLDER: Final = Path(__file__).with_name("research_pages")
RESULTS: Final = 10
SNIPPET: Final = 150  # characters
HUGE: Final = 3_000  # paragraphs
LEAST: Final = 0.2  # share of a query's weight that a result has
CAPTCHA: Final = Answer(
    "<title>Just a moment</title><body><div class='g-recaptcha' data-sitekey=x></div>",
    403,
    HTML,
)
KINDS: Final = ("article", "raw", "pdf", "slow", "huge", "copy")  # that can be read

_WORD = re.compile(r"[a-z0-9.]+|[\u3400-\u9fff]+")
_COMMONS = """
a an the of in on at to is are was were how what when which who and or does do did
much many for with about from by it its
"""
_COMMON: Final = frozenset(_COMMONS.split())


@dataclass(frozen=True, slots=True)
class MadePage:
    """A page as its file has it; *kind* says what comes of a request for it."""

    path: str
    title: str
    date: str
    kind: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The words that a search knows."""
        return "\n".join((self.title, *self.lines))

    @property
    def whole(self) -> str:
        """All words that are on it."""
        return "\n".join((self.text, *self._rest()))

    @property
    def snippet(self) -> str:
        """The first words, which a search shows."""
        said = [line for line in self.lines if line[0] not in "#|-<"]
        return (said or [self.title])[0][:SNIPPET]

    @property
    def answer(self) -> Answer:
        """The answer to a request."""
        match self.kind:
            case "login":
                return LOGIN
            case "captcha":
                return CAPTCHA
            case "refused":
                return Answer("Forbidden", 403, HTML)
            case "gone":
                return Answer("Not found", 404, HTML)
            case "empty":
                return Answer("<title>x</title><body></body>", 200, HTML)
            case "pdf":
                kind = {"Content-Type": "application/pdf"}
                return Answer(pdf(" ".join(self.lines)), 200, kind)
        return Answer(self._html(), 200, HTML)

    def _rest(self) -> list[str]:
        return [
            f"Battery {number} of the archive is kept in box {number % 97}, and has "
            f"not been tested since {1990 + number % 30}."
            for number in range(HUGE if self.kind == "huge" else 0)
        ]

    def _html(self) -> str:
        is_raw = self.kind == "raw"
        said = "\n".join(self.lines) if is_raw else "".join(map(_block, self.lines))
        said = said.replace("</table><table>", "")
        said += "".join(f"<p>{line}</p>" for line in self._rest())
        return (
            f"<!doctype html><html><head><title>{html.escape(self.title)}</title>"
            f"<meta property='article:published_time' content='{self.date}T08:00:00Z'>"
            "</head><body><nav><ul><li><a href=/>Home</a><li><a href=/all>All pages</a>"
            "</ul></nav><main><article>"
            f"<h1>{html.escape(self.title)}</h1>{said}</article></main>"
            "<footer>All rights reserved. Imprint, privacy, cookies.</footer></html>"
        )


class ResearchWeb(PagesWeb):
    """
    The pages on loopback, a SearXNG that finds them, and an engine for a real one.

    *broken* is what every search is answered with instead; *unresponsive* are engines
    that SearXNG reports as failed; the slow page comes when *slow* is set.
    """

    def __init__(self, server: Loopback, pages: Sequence[MadePage]) -> None:
        super().__init__(server, {one.path: one for one in pages})
        self.pages: Mapping[str, MadePage] = {one.path: one for one in pages}
        self.broken: Answer | None = None
        self.unresponsive: Sequence[Sequence[str]] = ()
        self.slow = threading.Event()
        self.slow.set()
        self.held: frozenset[str] = frozenset()  # paths that wait for *slow* too

    def search(self, request: Request) -> Answer:
        """SearXNG's answer to a query."""
        if request.path != "/search" or "q" not in request.params:
            return healthy(request)
        if self.broken is not None:
            return self.broken
        rows = [
            row(
                number,
                url=self.url(one.path),
                title=one.title,
                content=one.snippet,
                publishedDate=f"{one.date}T08:00:00",
            )
            for number, one in enumerate(self._found(request), start=1)
        ]
        return page(*rows, unresponsive=self.unresponsive)

    def answer(self, request: Request) -> Answer | Raw:
        """The answer to a request for a page, or of the engine of a real SearXNG."""
        if request.path == READY:
            return article("Ready", "A worker process is ready.")
        if request.path == "/search":
            documents = [
                {
                    "link": self.url(one.path),
                    "title": one.title,
                    "summary": one.snippet,
                    "date": one.date,
                }
                for one in self._found(request)
            ]
            return Answer(json.dumps({"documents": documents}, ensure_ascii=False))
        found = self.pages.get(request.path)
        if found is None:
            return Answer("gone", 404, HTML)
        if found.kind == "slow" or found.path in self.held:
            return held_back(found.answer, self.slow)
        return found.answer

    def _found(self, request: Request) -> list[MadePage]:
        is_first = request.params.get("page", "1") in {"", "1"}
        query = request.params.get("q", "")
        return find(query, tuple(self.pages.values())) if is_first else []


@contextmanager
def research_web(pages: Sequence[MadePage] | None = None) -> Iterator[ResearchWeb]:
    """Serve the pages."""
    with served(lambda _: Answer()) as server:
        web = ResearchWeb(server, pages or made_pages())
        server.script = web.answer
        try:
            yield web
        finally:
            web.slow.set()


@cache
def made_pages(*subjects: str) -> tuple[MadePage, ...]:
    """All pages, or those about *subjects*."""
    files = sorted(FOLDER.glob("*.txt"))
    chosen = [file for file in files if not subjects or file.stem in subjects]
    pages = {one.path: one for file in chosen for one in _read(file)}
    return tuple(_copied(one, pages) for one in pages.values())


def find(query: str, pages: Sequence[MadePage]) -> list[MadePage]:
    """The pages that share most of the rare words of *query*, the best first."""
    wanted = set(_words(query))
    texts = [(one, set(_words(one.text))) for one in pages]
    often = Counter(word for _, words in texts for word in words)
    weight = {w: math.log(1 + len(pages) / (1 + often[w])) for w in wanted}
    whole = sum(weight.values()) or 1.0
    scored = [(sum(weight[w] for w in wanted & words), one) for one, words in texts]
    best = sorted(scored, key=lambda pair: -pair[0])[:RESULTS]
    return [one for score, one in best if score >= LEAST * whole]


def stands_on(quote: str, text: str) -> bool:
    """Tell if *quote* stands letter for letter in *text*, spaces aside."""
    return "".join(quote.split()) in "".join(text.split())


def settings_of_engine(web: ResearchWeb) -> dict[str, Any]:
    """The engine of a real SearXNG that finds the pages."""
    url = f"{web.server.url}/search?q={{query}}&page={{pageno}}"
    return made_engine("corpus", url, paging=True)


def _words(text: str) -> Iterator[str]:
    for run in _WORD.findall(text.lower()):
        if run.isascii():
            said = run.strip(".")
            if said and said not in _COMMON:
                yield said.removesuffix("s")
        else:
            yield from (run[at : at + 2] for at in range(len(run) - 1))


def _read(file: Path) -> Iterator[MadePage]:
    for part in re.split("^=== ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, *lines = part.strip().splitlines()
        path, title, date, *kind = (word.strip() for word in head.split(" | "))
        yield MadePage(path, title, date, (kind or ["article"])[0], tuple(lines))


def _copied(one: MadePage, pages: Mapping[str, MadePage]) -> MadePage:
    if not one.kind.startswith("copy="):
        return one
    whole = pages[one.kind.removeprefix("copy=")]
    return MadePage(one.path, whole.title, whole.date, "copy", whole.lines)


def _block(line: str) -> str:
    said = html.escape(line.lstrip("#- "))
    if line.startswith("##"):
        return f"<h2>{said}</h2>"
    if line.startswith("- "):
        return f"<ul><li>{said}</li></ul>"
    if line.startswith("| ---"):
        return ""
    if line.startswith("|"):
        cells = "".join(f"<td>{html.escape(c.strip())}" for c in line.split("|")[1:-1])
        return f"<table><tr>{cells}</table>"
    return f"<p>{said}</p>"
