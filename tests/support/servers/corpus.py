"""A small search engine of made-up documents, for a real SearXNG to ask."""

import json
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, quote, urlsplit

from support.servers.odd_documents import ABORTING, ADDRESSES, CUT, ODD, TEXTS, TWINS

Document = dict[str, Any]

PAGE_SIZE = 10
SLOW_SECONDS = 20.0

_TOPICS = {
    "weather": "forecast rain storm front cloud humidity wind radar climate season",
    "python": "asyncio typing packaging decorator generator loop module test import",
    "人工智能": "大模型 训练 推理 引用 搜索引擎 数据 芯片 教育 医学 研究",
}
_SPECIAL = {
    "odd": ODD,
    "addresses": ADDRESSES,
    "twins": TWINS,
    "texts": TEXTS,
    "aborting": ABORTING,
}
_PLACES = ("docs.example.org", "blog.example.com", "news.example.net", "例子.example")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that arrived: the route, and what it was asked with."""

    route: str
    params: dict[str, str]

    @property
    def query(self) -> str:
        """The words to look for."""
        return self.params.get("q", "")


class Corpus:
    """
    The engine on a free loopback port; `asked` keeps every question.

    What a query finds, the first that fits:
    `nothing`, `无结果`: no document;
    `addresses`, `twins`, `texts`, `odd` (all three): records no engine should give;
    `aborting`: a record at which SearXNG's parser gives up half-way;
    `cut`: lone surrogates; `slow`: an answer after 20 s;
    `weather`, `python`, `人工智能`: 12 documents each; else those with all its words.

    Other routes fail: `/slow`, `/status/<number>`, `/badjson`.
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}
        )
        # Bound but not listening: a port that refuses for as long as the corpus lives.
        self._deaf = socket.socket()
        self._deaf.bind(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        """Address of the engine."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def refusing_url(self) -> str:
        """Address at which nobody listens."""
        return f"http://127.0.0.1:{self._deaf.getsockname()[1]}"

    @property
    def queries(self) -> list[str]:
        """The words of every question so far."""
        return [asked.query for asked in self.asked]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._deaf.close()


def find(query: str, page: int = 1) -> Sequence[Document]:
    """One page of the documents that answer *query*."""
    words = query.lower()
    if "nothing" in words or "无结果" in words:
        return []
    for word, documents in _SPECIAL.items():
        if word in words.split():
            return documents
    for topic in _TOPICS:
        if topic in words:
            return _page([d for d in DOCUMENTS if topic in d["title"]], page)
    terms = words.split()
    return _page([d for d in DOCUMENTS if all(t in _text(d) for t in terms)], page)


def _page(documents: Sequence[Document], page: int) -> Sequence[Document]:
    return documents[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]


def _text(document: Document) -> str:
    return f"{document['title']} {document['summary']}".lower()


def _documents() -> Iterator[Document]:
    """The same documents on every run, 12 for each topic."""
    for topic, words in _TOPICS.items():
        known = words.split()
        glue = " " if topic.isascii() else ""
        for number in range(12):
            word = known[number % len(known)]
            others = known[number % 5 : number % 5 + 5]
            place = _PLACES[number % len(_PLACES)]
            yield {
                "link": f"https://{place}/{quote(word)}/{number}",
                "title": glue.join([topic, word, f"#{number}"]),
                "summary": glue.join([topic, *others]),
                "date": f"2026-08-{number + 1:02d}",
            }


DOCUMENTS = tuple(_documents())


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65_536
    server: _Server

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        params = dict(parse_qsl(address.query, keep_blank_values=True))
        asked = Asked(address.path, params)
        self.server.corpus.asked.append(asked)
        if address.path == "/search" and "slow" not in asked.query.split():
            self._answer(200, _found(asked))
        elif address.path in {"/search", "/slow"}:
            self.server.corpus.closing.wait(SLOW_SECONDS)
            self._answer(200, _found(asked))
        elif status := re.fullmatch("/status/([45][0-9]{2})", address.path):
            self._answer(int(status[1]), "<html>no</html>", "text/html")
        elif address.path == "/badjson":
            self._answer(200, "<html>no JSON</html>", "text/html")
        else:
            self._answer(404, "{}")

    def _answer(self, status: int, body: str, kind: str = "application/json") -> None:
        data = body.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            self.wfile.flush()
        except ConnectionError:
            self.close_connection = True  # SearXNG gave up waiting: slow is for that

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def _found(asked: Asked) -> str:
    if asked.query == "cut":
        return CUT
    page = asked.params.get("page", "")
    found = find(asked.query, int(page) if re.fullmatch("[1-9][0-9]?", page) else 1)
    return json.dumps({"documents": found}, ensure_ascii=False)
