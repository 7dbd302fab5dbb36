"""Quote the pages of a report: for each sub-question the sentences that fit it."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from agent.research.report import Section, Statement
from agent.research.texts import EMPTY, PROPERTIES
from agent.without_model.select import Quote, quotes
from citations import Source
from text.language import HAN
from text.passages import plain_words, split
from text.rank import Passage, rank
from text.sentences import cut_at_pauses, sentence_spans
from text.terms import (
    asked_terms,
    is_character,
    plain,
    terms,
    word_stems,
)
from untrusted.urls import page_key
from websearch import Page, SearchItem

MOST_QUOTES: Final = 5  # of a section

_MOST_TEXT: Final = 100_000  # characters of a page that are looked at
_LEAST: Final = 0.35  # share of the best quotation's score
_MOST_PIECES: Final = 12  # of a page
_BEST_PIECES: Final = 20
_LEAD_SENTENCES: Final = 4
_MOST_CANDIDATES: Final = 24
_LEAST_CHARACTERS: Final = 8
_LONGEST: Final = 240  # characters of a sentence; a longer one is cut at a pause
# A line that is no sentence: the date that begins a page is no date of a result.
_FIRST_LINE: Final = "-\n"
_LEAST_WORDS: Final = 5
_LEAST_CELLS: Final = 2
_COMMON: Final = 2 / 3  # share of the lines, or titles, that name the subject
_MARKS = re.compile(r"^(?:[-*•·]\s+)+")  # of a list item; a minus sign stays
_NO_PROSE: Final = ("#", "|", "```", "[", "!", "http")
_END = re.compile(r"[.。!！?？;；:：…][\"”’')）」』\]]*$")


class _Entry:
    """A page, or the snippet of one that was not read."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def pieces(self) -> Sequence[tuple[str, str]]:
        """The pieces of the text, each with its plain text."""
        return [(piece.text, plain(piece.text)) for piece in split(self._text)]

    def names_any(self, terms: Collection[str]) -> bool:
        """Tell if its title or text holds one of these *terms*."""
        return not terms or any(term in self._plain for term in terms)

    def has(self, sentence: str) -> bool:
        """Tell if *sentence* stands there letter for letter, spaces aside."""
        return "".join(sentence.split()) in self._letters

    @cached_property
    def _text(self) -> str:
        return (self.source.text or self.source.snippet)[:_MOST_TEXT]

    @cached_property
    def _plain(self) -> str:
        return plain(f"{self.source.title}\n{self._text}")

    @cached_property
    def _letters(self) -> str:
        lines = (plain_words(line) for line in self._text.splitlines())
        return "".join("".join(lines).split())


class _Asked:
    """A line of the plan, and the terms of it beyond the subject of all lines."""

    def __init__(
        self, question: str, subject: Collection[str], *, is_broad: bool
    ) -> None:
        self.question = question
        self.is_broad = is_broad  # the only line: all that fits belongs to it
        self._terms = frozenset(t for t in asked_terms(question) if not is_character(t))
        self._own = self._terms - {*subject}
        self.subject = self._terms & {*subject}
        self._properties = _properties(question)

    def is_spoken_of(self, sentence: str) -> bool:
        """
        Tell if *sentence* speaks of what the line asks beyond the subject of all lines.

        Every page speaks of the subject, which is no answer yet.
        """
        said = plain(sentence)
        there = {*terms(said)}
        if not self._own or self._own & there:
            return True
        return any(one in there or _is_in(one, said) for one in self._properties)

    def is_near(self, sentence: str) -> bool:
        """Tell if *sentence* has even one Chinese character that the line asks for."""
        if self.is_broad or self.is_spoken_of(sentence):
            return True
        subject = self._terms - self._own
        own = {c for term in self._own for c in term if HAN.match(c)} - EMPTY
        return any(c in sentence for c in own - {c for term in subject for c in term})

    def coverage(self, sentence: str) -> float:
        """The share of the line's terms that *sentence* has."""
        there = {*terms(plain(sentence))}
        return len(self._terms & there) / max(len(self._terms), 1)


class Library:
    """The pages of a report; each is numbered when it is first quoted."""

    def __init__(self) -> None:
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
        self._entries.append(_Entry(Source.of(0, item).merged(page)))

    def arrange(self, places: Mapping[str, tuple[int, int]]) -> None:
        """
        Order the pages by their *places*, whenever they came, and keep one text once.

        A place belongs to the key of a page; those without one come first.
        """
        first = (-1, -1)
        self._entries.sort(key=lambda one: places.get(page_key(one.source.url), first))
        once = {one.source.text or one.source.url: one for one in self._entries[::-1]}
        self._entries = [one for one in self._entries if one in once.values()]

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
        subject = _subject(questions) if len(questions) > 1 else self._subject()
        is_broad = len(questions) == 1
        lines = [_Asked(one, subject, is_broad=is_broad) for one in questions]
        found = [self._fitting(line) for line in lines]
        home: dict[str, float] = {}
        for line, quotations in zip(lines, found, strict=True):
            for one in quotations:
                home[one.text] = max(_fit(line, one), home.get(one.text, 0.0))
        told: set[str] = set()
        sections = []
        for line, quotations in zip(lines, found, strict=True):
            own = [one for one in quotations if _fit(line, one) >= home[one.text]]
            new = [one for one in own if one.text not in told] or quotations[:1]
            told.update(one.text for one in new)
            statements = tuple(self.cite(one) for one in new[:MOST_QUOTES])
            sections.append(Section(line.question, statements))
        return sections

    def candidates(self, question: str) -> Sequence[Quote]:
        """The sentences of pages that speak most of *question*, each with its page."""
        passages = self._best(question, (), is_read=True)
        cut = [(one, [*_prose(one.text)]) for one in passages]
        ranked = sorted(rank(question, cut), key=lambda one: -one.score)
        found = (Quote(one.text, (one.passage.number,)) for one in ranked)
        return [*dict.fromkeys(found)][:_MOST_CANDIDATES]

    def cite(self, quote: Quote) -> Statement:
        """Cite the pages that have the quotation letter for letter."""
        pages = [page for page in quote.numbers if self._entries[page].has(quote.text)]
        numbers = tuple(
            self._numbers.setdefault(page, len(self._numbers) + 1)
            for page in pages or quote.numbers[:1]
        )
        return Statement(quote.text, numbers, dict.fromkeys(numbers, quote.text))

    def _fitting(self, line: _Asked) -> list[Quote]:
        """Quotations by the first of these ways that finds any."""
        return (
            self._lead(line.question)
            or self._quotes(line, _prose, line.is_spoken_of)
            or self._quotes(line, _rows, line.is_spoken_of)
            or self._quotes(line, _prose, line.is_near)
            or self._quotes(line, _prose, line.is_near, is_read=False)
        )

    def _quotes(
        self,
        line: _Asked,
        cut: Callable[[str], Iterator[str]],
        fits: Callable[[str], bool],
        *,
        is_read: bool = True,
    ) -> list[Quote]:
        passages = [
            replace(one, text=_FIRST_LINE + "\n".join(cut(one.text)))
            for one in self._best(line.question, line.subject, is_read=is_read)
        ]
        found = quotes(line.question, passages, 2 * MOST_QUOTES)
        fit = [
            one
            for one in found
            if one.score >= _LEAST and (_has_digit(one.text) or line.coverage(one.text))
        ]
        own = [one for one in fit if fits(one.text)]
        others = fit if own and line.is_broad else ()
        return [*own, *(one for one in others if one not in own)]

    def _best(
        self, question: str, subject: Collection[str], *, is_read: bool
    ) -> list[Passage]:
        """
        The best pieces of all pages that name the *subject*, as passages.

        Their numbers are those of the entries.
        """
        pages = [
            (Passage(at, one.source.title, "", one.source.url), one.pieces)
            for at, one in enumerate(self._entries)
            if one.source.is_read is is_read and one.names_any(subject)
        ]
        texts = [(page, _likely(question, pieces)) for page, pieces in pages]
        ranked = sorted(rank(question, texts), key=lambda one: -one.score)
        return [replace(one.passage, text=one.text) for one in ranked[:_BEST_PIECES]]

    def _subject(self) -> frozenset[str]:
        """The terms that most titles have."""
        return _subject([one.source.title for one in self._entries])

    def _lead(self, question: str) -> list[Quote]:
        """The first sentences of the page whose address the question is, if any."""
        for at, one in enumerate(self._entries):
            if one.source.is_read and page_key(one.source.url) == page_key(question):
                lead = [*_prose(one.source.text[:_MOST_TEXT])][:_LEAD_SENTENCES]
                return [Quote(text, (at,), 1.0) for text in lead]
        return []


def _likely(question: str, pieces: Sequence[tuple[str, str]]) -> list[str]:
    """
    Take the first piece of a page, and those with most terms of the question.

    To rank them all would take seconds: a page may have hundreds.
    """
    asked = asked_terms(question)
    hits = [sum(term in said for term in asked) for _, said in pieces]
    order = sorted(range(1, len(pieces)), key=lambda at: (-hits[at], at))
    best = sorted(at for at in order[:_MOST_PIECES] if hits[at])
    return [pieces[at][0] for at in (0, *best) if at < len(pieces)]


def property_of(stem: str) -> str:
    """The name of the property that an English *stem* speaks of, else the stem."""
    return _NAMES.get(stem, stem)


def _properties(question: str) -> list[str]:
    """All words for the properties that *question* names."""
    said = plain(question)
    there = {*terms(said)}
    return [
        word
        for group in _GROUPS
        if any(one in there or (len(one) > 1 and _is_in(one, said)) for one in group)
        for word in group
    ]


def _is_in(word: str, text: str) -> bool:
    """Tell if a Chinese *word* stands in *text*; other words are looked up as terms."""
    return bool(HAN.match(word)) and word in text


def _subject(questions: Sequence[str]) -> frozenset[str]:
    """The terms that more than two of three lines have, or titles."""
    often = Counter(term for one in questions for term in {*asked_terms(one)})
    least = _COMMON * len(questions)
    return frozenset(
        term for term, count in often.items() if count > least and len(questions) > 1
    )


def _fit(line: _Asked, quote: Quote) -> float:
    return quote.score * line.coverage(quote.text)


def _prose(text: str) -> Iterator[str]:
    """Yield the sentences of *text* that are no heading, table row, link or label."""
    for begin, end in sentence_spans(text):
        sentence = " ".join(text[begin:end].split())
        for first, last in cut_at_pauses(sentence, _LONGEST):
            said = _MARKS.sub("", sentence[first:last])
            if _is_prose(said):
                yield plain_words(said)


def _is_prose(sentence: str) -> bool:
    if len(sentence) < _LEAST_CHARACTERS or sentence.startswith(_NO_PROSE):
        return False
    is_long = bool(HAN.search(sentence)) or len(sentence.split()) >= _LEAST_WORDS
    return is_long or bool(_END.search(sentence))


def _rows(text: str) -> Iterator[str]:
    """Yield the rows of the tables in *text*, without their outer signs."""
    for line in text.splitlines():
        row = line.strip().strip("|").strip()
        cells = [cell for cell in row.split("|") if any(map(str.isalnum, cell))]
        if line.strip().startswith("|") and len(cells) >= _LEAST_CELLS:
            yield plain_words(" ".join(row.split()))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


_GROUPS: Final = tuple(
    tuple("".join(word_stems(word)) if word.isascii() else word for word in group)
    for group in PROPERTIES
)
_NAMES: Final = {word: group[0] for group in _GROUPS for word in group}
