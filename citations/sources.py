"""Sources with their numbers and links, and the searches that found them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from types import MappingProxyType
from typing import Final, Protocol, Self

from untrusted.urls import domain_of, page_key, safe_url

_HEADING: Final = re.compile(r"^#{1,6} (.+)", re.MULTILINE)


MOST_TEXTS: Final = 40  # pages of a session whose text is kept


class Citable(Protocol):
    """A search result with the fields that a citation needs."""

    @property
    def title(self) -> str:
        """The title of the page."""

    @property
    def url(self) -> str:
        """The address of the page."""


@dataclass(frozen=True, slots=True)
class Source:
    """
    A page that an answer may cite by its number; *text* is there if it was read.

    *text* has the letters of the page, to be quoted, and *markdown* also its headings
    and marks, for a model; one without marks is the text itself.

    *key* is equal for two sources of the same page, and *href* leads to it, written so
    that it is safe in a Markdown link; '' is a source that nothing links to. Whoever
    makes a source without them gets those of its web address *url*; nothing else of
    this package looks into an address of a source. One that *is_private* has no link,
    and its address is shown as code.
    """

    number: int
    title: str
    url: str
    snippet: str = ""
    published_at: str | None = None
    text: str = field(default="", repr=False)
    truncated: bool = False  # the page goes on behind the text
    key: str = field(default="", repr=False)
    href: str = field(default="", repr=False)
    is_private: bool = field(default=False, repr=False)
    markdown: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Give a web page its key and its link; other addresses get no link."""
        object.__setattr__(self, "markdown", self.markdown or self.text)
        address = "" if self.key and self.href else safe_url(self.url) or ""
        key = self.key or (page_key(address) if address else self.url)
        object.__setattr__(self, "key", key)
        href = "" if self.is_private else self.href or address
        object.__setattr__(self, "href", href)

    @classmethod
    def of(cls, number: int, found: Citable) -> Self:
        """Number a search result; a page without a title is named by its host."""
        return cls(
            number,
            found.title or domain_of(found.url),
            found.url,
            getattr(found, "snippet", ""),
            getattr(found, "published_at", None),
            is_private=getattr(found, "is_private", False),
        )

    def merged(self, found: Citable) -> Self:
        """
        Add what *found* knows of the page: a later result of a search, or its text.

        Number and address stay. The latest search names the page and has the snippet;
        the page itself has the first word about its date.
        """
        date = getattr(found, "published_at", None)
        if text := getattr(found, "text", ""):
            return replace(
                self,
                title=self.title or found.title,
                published_at=date or self.published_at,
                text=text,
                markdown=getattr(found, "markdown", ""),
                truncated=getattr(found, "truncated", False),
            )
        return replace(
            self,
            title=found.title or self.title or self.domain,
            snippet=getattr(found, "snippet", ""),
            published_at=self.published_at or date,
        )

    @property
    def is_known(self) -> bool:
        """True if it has a link or an address to show; only then it can be cited."""
        return bool(self.href) or self.is_private

    @property
    def is_read(self) -> bool:
        """True if the whole page was read, and not only the snippet of a search."""
        return bool(self.text)

    @property
    def words(self) -> str:
        """
        Its title, and below it the text of the page, or else the snippet.

        The headings of the page stand in the line of the title: what they say is said,
        but they are no sentences that could be quoted.
        """
        title = " · ".join([self.title, *_HEADING.findall(self.markdown)])
        return f"{title}\n{self.text or self.snippet}"

    @property
    def domain(self) -> str:
        """The host that is shown to readers: without `www.`, punycode unchanged."""
        return domain_of(self.url)


@dataclass(frozen=True, slots=True)
class Round:
    """One search: its query, and the sources it found."""

    query: str
    sources: Sequence[Source]


class CitationManager:
    """
    Registry that gives each page of a session one number.

    Numbers go on rising over rounds and turns; a page that is found again keeps its
    number. It may be called from several threads. It goes on from the *sources* of an
    earlier one.
    """

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._sources = {source.number: source for source in sources}
        self._numbers = {page.key: n for n, page in self._sources.items()}
        # Numbers of pages with text, latest last.
        self._read = {n: None for n, page in self._sources.items() if page.is_read}
        self._lock = Lock()

    def add(self, query: str, results: Sequence[Citable]) -> Round:
        """Number the *results* of a search for *query*."""
        with self._lock:
            sources: dict[int, Source] = {}
            for result in results:
                made = Source.of(0, result)
                if made.is_known:
                    number = self._number(made.key)
                    known = self._sources.get(number)
                    source = (
                        known.merged(result) if known else replace(made, number=number)
                    )
                    self._sources[number] = sources[number] = source
            return Round(query, tuple(sources.values()))

    def give(self, url: str) -> Source:
        """Number an address that the user wrote; it belongs to no round."""
        with self._lock:
            given = Source(0, "", url)
            number = self._number(given.key)
            return self._sources.setdefault(number, replace(given, number=number))

    def update(self, source: Source) -> None:
        """Replace the source of the same number by *source*, whose page was read."""
        with self._lock:
            self._sources[source.number] = source
            self._read.pop(source.number, None)
            self._read[source.number] = None
            if len(self._read) > MOST_TEXTS:
                oldest = next(iter(self._read))
                del self._read[oldest]
                self._sources[oldest] = replace(
                    self._sources[oldest], text="", markdown=""
                )

    def number_of(self, key: str) -> int | None:
        """Return the number of the page with this *key*; None if it has none."""
        return self._numbers.get(key)

    @property
    def sources(self) -> Mapping[int, Source]:
        """Every source by its number; it grows with each search."""
        return MappingProxyType(self._sources)

    def _number(self, key: str) -> int:
        if key not in self._numbers:
            self._numbers[key] = max(self._numbers.values(), default=0) + 1
        return self._numbers[key]
