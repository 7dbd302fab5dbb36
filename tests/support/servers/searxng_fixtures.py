"""Real SearXNG servers, and engines behind a proxy, for the tests that ask for them."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
import trustme
from support.servers.corpus import Corpus
from support.servers.loopback import Loopback, served
from support.servers.proxied import BAIDU, DDG, pages
from support.servers.real_searxng import RealSearxng, real_searxng
from support.servers.searxng_settings import (
    blocking_engines,
    corpus_engine,
    failing_engines,
    settings_of,
)

from deploy.searxng.start import ALIVE

Start = Callable[..., AbstractContextManager[RealSearxng]]


@pytest.fixture(scope="session")
def corpus() -> Iterator[Corpus]:
    """The search engine that every SearXNG of the tests asks."""
    with Corpus() as corpus:
        yield corpus


@pytest.fixture(scope="session")
def start_searxng(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Start a server with these engines; it waits *seconds* for them at most."""

    def start(
        *engines: dict[str, Any], seconds: float = 4.0, json: bool = True
    ) -> AbstractContextManager[RealSearxng]:
        formats = ("html", "json") if json else ("html",)
        settings = settings_of(*engines, formats=formats)
        settings["outgoing"]["max_request_timeout"] = seconds
        folder = tmp_path_factory.mktemp("searxng")
        return real_searxng(corpus, folder, settings, answer=ALIVE if json else 403)

    return start


@pytest.fixture(scope="session")
def searxng_server(corpus: Corpus, start_searxng: Start) -> Iterator[RealSearxng]:
    """A healthy server."""
    with start_searxng(corpus_engine(corpus)) as server:
        yield server


@pytest.fixture(scope="session")
def searxng_html_only(corpus: Corpus, start_searxng: Start) -> Iterator[RealSearxng]:
    """A server as upstream ships it: without JSON."""
    with start_searxng(corpus_engine(corpus), json=False) as server:
        yield server


@pytest.fixture(scope="session")
def searxng_broken(corpus: Corpus, start_searxng: Start) -> Iterator[RealSearxng]:
    """A server all of whose engines fail, some because they refuse robots."""
    engines = [*failing_engines(corpus), *blocking_engines(corpus)]
    with start_searxng(*engines, seconds=2.0) as server:  # one never answers
        yield server


@pytest.fixture(scope="session")
def searxng_failing(corpus: Corpus, start_searxng: Start) -> Iterator[RealSearxng]:
    """A server all of whose engines fail, without anyone refusing."""
    with start_searxng(*failing_engines(corpus), seconds=2.0) as server:
        yield server


@pytest.fixture(scope="session")
def page_authority() -> trustme.CA:
    """The certificate authority of the engines behind a proxy."""
    return trustme.CA()


@pytest.fixture(scope="session")
def page_tls(page_authority: trustme.CA) -> ssl.SSLContext:
    """The TLS context of those engines, and of a proxy over TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    page_authority.issue_cert(DDG, BAIDU, "localhost").configure_cert(context)
    return context


@pytest.fixture
def trusted(page_authority: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches trust that authority."""
    context = ssl.create_default_context()
    page_authority.configure_trust(context)
    monkeypatch.setattr("websearch.network.client.tls_context", lambda: context)


@pytest.fixture
def page_engine(page_tls: ssl.SSLContext, trusted: None) -> Iterator[Loopback]:
    """DuckDuckGo and Baidu, as far as a proxy knows."""
    with served(pages, tls=page_tls) as started:
        yield started


@pytest.fixture
def routes(page_engine: Loopback) -> dict[str, int]:
    """The addresses of the engines for a proxy."""
    return {f"{host}:443": page_engine.port for host in (DDG, BAIDU)}
