"""Real SearXNG servers, started by the first test that asks for one."""

from collections.abc import Iterator

import pytest
from fakes.corpus import Corpus
from fakes.real_searxng import RealSearxng, real_searxng
from fakes.searxng_settings import (
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
    """A server that waits half a second for its engines, since one never answers."""
    settings = settings_of(*engines, formats=BOTH)
    settings["outgoing"]["max_request_timeout"] = 0.5
    with real_searxng(corpus, folders.mktemp("searxng"), settings) as server:
        yield server
