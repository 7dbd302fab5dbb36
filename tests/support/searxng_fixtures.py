"""Real SearXNG servers, and engines behind a proxy, for the tests that ask for them."""

import ssl
from collections.abc import Iterator

import pytest
import trustme
from support.corpus import Corpus
from support.loopback import Loopback, served
from support.proxied import BAIDU, DDG, pages
from support.real_searxng import RealSearxng, real_searxng
from support.searxng_settings import (
    blocking_engines,
    corpus_engine,
    failing_engines,
    settings_of,
)

BOTH = ("html", "json")


@pytest.fixture(scope="session")
def corpus() -> Iterator[Corpus]:
    """The search engine that every SearXNG of the tests asks."""
    with Corpus() as corpus:
        yield corpus


@pytest.fixture(scope="session")
def searxng_server(
    corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealSearxng]:
    """A healthy server."""
    settings = settings_of(corpus_engine(corpus), formats=BOTH)
    with real_searxng(corpus, tmp_path_factory.mktemp("searxng"), settings) as server:
        yield server


@pytest.fixture(scope="session")
def searxng_html_only(
    corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealSearxng]:
    """A server as upstream ships it: without JSON."""
    settings = settings_of(corpus_engine(corpus), formats=("html",))
    folder = tmp_path_factory.mktemp("searxng")
    with real_searxng(corpus, folder, settings, answer=403) as server:
        yield server


@pytest.fixture(scope="session")
def searxng_broken(
    corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealSearxng]:
    """A server all of whose engines fail, some because they refuse robots."""
    engines = [*failing_engines(corpus), *blocking_engines(corpus)]
    yield from _impatient(corpus, tmp_path_factory, engines)


@pytest.fixture(scope="session")
def searxng_failing(
    corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealSearxng]:
    """A server all of whose engines fail, without anyone refusing."""
    yield from _impatient(corpus, tmp_path_factory, failing_engines(corpus))


def _impatient(
    corpus: Corpus,
    folders: pytest.TempPathFactory,
    engines: list[dict[str, object]],
) -> Iterator[RealSearxng]:
    """A server that waits two seconds for its engines, since one never answers."""
    settings = settings_of(*engines, formats=BOTH)
    settings["outgoing"]["max_request_timeout"] = 2.0
    with real_searxng(corpus, folders.mktemp("searxng"), settings) as server:
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
