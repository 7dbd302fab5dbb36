"""Numbers for everything a session finds."""

from collections.abc import Mapping, Sequence
from threading import Lock
from types import MappingProxyType

from citations.models import Citable, Round, Source
from citations.urls import page_key, safe_url


class CitationManager:
    """
    Gives each page its number, once for a session.

    Numbers go on rising over rounds and turns; a page that is found again keeps its
    number. Calls from several threads don't disturb each other.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._sources: dict[int, Source] = {}
        self._rounds: list[Round] = []
        self._lock = Lock()

    def add(self, query: str, results: Sequence[Citable]) -> Round:
        """Number the *results* of a search for *query*."""
        with self._lock:
            found: dict[int, Source] = {}
            for result in results:
                if safe_url(result.url) is not None:
                    source = self._source(result)
                    found[source.number] = source
            this = Round(query, tuple(found.values()))
            self._rounds.append(this)
            return this

    @property
    def sources(self) -> Mapping[int, Source]:
        """Every source by its number; it grows with each search."""
        return MappingProxyType(self._sources)

    @property
    def rounds(self) -> Sequence[Round]:
        """The searches so far."""
        return tuple(self._rounds)

    def _source(self, result: Citable) -> Source:
        key = page_key(result.url)
        if key in self._numbers:
            return self._sources[self._numbers[key]]
        number = len(self._numbers) + 1
        snippet = getattr(result, "snippet", "")
        source = Source(number, result.title, result.url, snippet)
        self._numbers[key] = number
        self._sources[number] = source
        return source
