"""Quote the pages of a report: for each sub-question the sentences that fit it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent.passages import Piece, split
from agent.reading import with_page
from agent.research.report import Section, Statement
from agent.without_model.ranking import Passage, rank
from agent.without_model.select import Quote, quotes
from agent.without_model.sentences import (
    asked_terms,
    is_character,
    plain,
    sentences,
    terms,
)
from citations import Source
from untrusted.urls import page_key
from websearch import Page, SearchItem

MOST_QUOTES: Final = 5  # of a section

_MOST_TEXT: Final = 60_000  # characters of a page that are looked at
_LEAST: Final = 0.35  # share of the best quotation's score
_BEST_PIECES: Final = 20
_LEAD_SENTENCES: Final = 4
_MOST_CANDIDATES: Final = 16
_LEAST_LENGTH: Final = 8
_MARKS: Final = "-*•· \t"  # of a list item
_NO_PROSE: Final = ("#", "|", "```", "[", "!", "http")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a page that speaks of a sub-question."""

    page: int
    text: str


class _Entry:
    """A page, or the snippet of one that was not read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._pieces: Sequence[Piece] | None = None

    @property
    def pieces(self) -> Sequence[Piece]:
        """The text, cut once."""
        if self._pieces is None:
            text = self.source.text or self.source.snippet
            self._pieces = split(text[:_MOST_TEXT])
        return self._pieces


class Library:
    """The pages of a report on a *subject*; each is numbered when first quoted."""

    def __init__(self, subject: str) -> None:
        self._subject = frozenset(asked_terms(subject))
        self._entries: list[_Entry] = []
        self._numbers: dict[int, int] = {}  # of entries

    @property
    def sources(self) -> Mapping[int, Source]:
        """The quoted pages by their numbers."""
        return {
            number: replace(self._entries[entry].source, number=number)
            for entry, number in self._numbers.items()
        }

    def add_page(self, item: SearchItem, page: Page) -> None:
        """Keep a page that was read."""
        self._entries.append(_Entry(with_page(Source.of(0, item), page)))

    def add_snippet(self, item: SearchItem) -> None:
        """Keep the snippet of a result that was not read."""
        if item.snippet:
            self._entries.append(_Entry(Source.of(0, item)))

    def sections(self, questions: Sequence[str]) -> list[Section]:
        """
        Quote what fits each of *questions*.

        A sentence stands where it fits best; elsewhere only if nothing else would.
        Snippets are quoted only where no page that was read has a fitting sentence.
        """
        found = [self._fitting(question) for question in questions]
        home: dict[str, float] = {}
        for quotations in found:
            for one in quotations:
                home[one.text] = max(one.score, home.get(one.text, 0.0))
        told: set[str] = set()
        sections = []
        for question, quotations in zip(questions, found, strict=True):
            own = [one for one in quotations if one.score >= home[one.text]]
            new = [one for one in own if one.text not in told] or quotations[:1]
            told.update(one.text for one in new)
            statements = tuple(self._statement(one) for one in new[:MOST_QUOTES])
            sections.append(Section(question, statements))
        return sections

    def candidates(self, question: str) -> Sequence[Candidate]:
        """The sentences of pages that speak most of *question*."""
        passages = self._best(question, is_read=True)
        cut = [(one, [*_prose(one.text)]) for one in passages]
        ranked = sorted(rank(question, cut), key=lambda one: -one.score)
        found = (Candidate(one.passage.number, one.text) for one in ranked)
        return [*dict.fromkeys(found)][:_MOST_CANDIDATES]

    def number(self, page: int) -> int:
        """The number of a page in the report."""
        return self._numbers.setdefault(page, len(self._numbers) + 1)

    def _fitting(self, question: str) -> list[Quote]:
        return (
            self._lead(question)
            or self._quotes(question, is_read=True)
            or self._quotes(question, is_read=False)
        )

    def _quotes(self, question: str, *, is_read: bool) -> list[Quote]:
        passages = self._best(question, is_read=is_read)
        found = quotes(question, passages, 2 * MOST_QUOTES)
        said = [replace(one, text=one.text.lstrip(_MARKS)) for one in found]
        fit = [one for one in said if one.score >= _LEAST and _is_prose(one.text)]
        return fit if self._is_spoken_of(question, fit) else []

    def _is_spoken_of(self, question: str, found: Sequence[Quote]) -> bool:
        """
        Tell whether a quotation speaks of what *question* asks beyond the subject.

        Every page speaks of the subject, which is no answer yet.
        """
        asked = [term for term in asked_terms(question) if not is_character(term)]
        own = [term for term in asked if term not in self._subject]
        return not own or any(
            term in terms(plain(one.text)) for one in found for term in own
        )

    def _best(self, question: str, *, is_read: bool) -> list[Passage]:
        """The best pieces of all pages, as passages with the numbers of entries."""
        pages = [
            (Passage(at, one.source.title, "", one.source.url), one.pieces)
            for at, one in enumerate(self._entries)
            if one.source.is_read is is_read
        ]
        texts = [(page, [piece.text for piece in pieces]) for page, pieces in pages]
        ranked = sorted(rank(question, texts), key=lambda one: -one.score)
        return [replace(one.passage, text=one.text) for one in ranked[:_BEST_PIECES]]

    def _lead(self, question: str) -> list[Quote]:
        """The first sentences of the page whose address the question is, if any."""
        for at, one in enumerate(self._entries):
            if one.source.is_read and page_key(one.source.url) == page_key(question):
                lead = [*_prose(one.source.text[:_MOST_TEXT])][:_LEAD_SENTENCES]
                return [Quote(text, (at,), 1.0) for text in lead]
        return []

    def _statement(self, quote: Quote) -> Statement:
        numbers = tuple(self.number(page) for page in quote.numbers)
        return Statement(quote.text, numbers, dict.fromkeys(numbers, quote.text))


def _prose(text: str) -> Iterator[str]:
    """Yield the sentences of *text* that are no heading, table row or link."""
    for sentence in sentences(text):
        said = sentence.lstrip(_MARKS)
        if _is_prose(said):
            yield said


def _is_prose(sentence: str) -> bool:
    return len(sentence) >= _LEAST_LENGTH and not sentence.startswith(_NO_PROSE)
