"""Quote the pages of a report: for each sub-question the sentences that fit it."""

import asyncio
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final, Self

from agent.research.report import Section, Statement
from agent.without_model.select import Quote, measured, quotes, wanted
from citations import Source
from text.language import HAN
from text.passages import SIZE
from text.rank import CutPage, Passage, rank
from text.sentences import cut_at_pauses, sentence_spans
from text.terms import asked_terms, is_character, plain, terms
from untrusted.urls import page_key
from websearch import SearchItem

MOST_QUOTES: Final = 5  # of a section

_MOST_TEXT: Final = 100_000  # characters of a page that are looked at
_MOST_LOOKED_AT: Final = 40_000  # characters of all pages, for one sub-question
_LEAST: Final = 0.2  # share of the best quotation's score
_LEAD_SENTENCES: Final = 4
# Persons and places are told by loose patterns: a sentence without one may answer.
_STRICT: Final = 0.5
_LONGEST_ROW: Final = 1_000  # characters
_MOST_CHARACTERS: Final = 3  # of a line that is told by single characters: 多高
_LEAST_CHARACTERS: Final = 5
_LONGEST: Final = 240  # characters of a sentence; a longer one is cut at a pause
# The date that begins a page is no date of a search result.
_FIRST_LINE: Final = "-\n"
_LEAST_WORDS: Final = 5
_SHARED: Final = 2 / 3  # of the lines of a plan, which have the terms of its subject
_MARKS = re.compile(r"^(?:[-*•·]\s+)+")  # of a list item; a minus sign stays
_NO_PROSE: Final = ("#", "```", "[", "!", "http")
_END = re.compile(r"[.。!！?？;；:：…][\"”’')）」』\]]*$")


@dataclass(frozen=True, slots=True)
class _Text:
    """A page, or the snippet of one that was not read, as lines that can be quoted."""

    source: Source
    lines: str = field(repr=False)
    pieces: CutPage = field(repr=False)  # of some lines each, ready to be ranked

    @classmethod
    def of(cls, source: Source) -> Self:
        """Keep the sentences and table rows of a page; no heading, link or label."""
        lines: list[str] = []
        for line in (source.text or source.snippet)[:_MOST_TEXT].splitlines():
            if len(cells := line.split(" | ")) > 1:
                if sum(any(map(str.isalnum, cell)) for cell in cells) > 1:
                    lines.append(line[:_LONGEST_ROW].strip())
                continue
            for begin, end in sentence_spans(line):
                sentence = " ".join(line[begin:end].split())
                for first, last in cut_at_pauses(sentence, _LONGEST):
                    part = _MARKS.sub("", sentence[first:last])
                    if len(part) < _LEAST_CHARACTERS or part.startswith(_NO_PROSE):
                        continue
                    is_long = HAN.search(part) or len(part.split()) >= _LEAST_WORDS
                    if is_long or _END.search(part):
                        lines.append(part)
        pieces = [""]
        for line in lines:
            if len(pieces[-1]) > SIZE:
                pieces.append("")
            pieces[-1] += f"{line}\n"
        passage = Passage(source.number, source.title, "", source.url)
        return cls(source, "\n".join(lines), CutPage.of(passage, pieces))

    def has_any(self, wanted: Collection[str]) -> bool:
        """Tell if the page has one of these terms."""
        known, texts = self.pieces.known | self.pieces.title, self.pieces.plain
        return not known.isdisjoint(wanted) or any(
            term in text for term in wanted if HAN.search(term) for text in texts
        )


class Library:
    """The pages of a report; each is numbered when it is first quoted."""

    def __init__(self) -> None:
        self._texts: list[_Text] = []
        self._numbers: dict[int, int] = {}  # of texts

    @property
    def sources(self) -> Mapping[int, Source]:
        """The quoted pages by their numbers."""
        return {
            number: replace(self._texts[at].source, number=number)
            for at, number in self._numbers.items()
        }

    async def add_page(self, source: Source) -> None:
        """Keep a page that was read; it is cut in a thread, as it may be long."""
        self._texts.append(await asyncio.to_thread(_Text.of, source))

    def add_snippet(self, item: SearchItem) -> None:
        """Keep the snippet of a result that was not read."""
        if item.snippet:
            self._texts.append(_Text.of(Source.of(0, item)))

    def arrange(self, places: Mapping[str, tuple[int, int]]) -> None:
        """
        Order the pages by their *places*, whenever they came, and keep one text once.

        A place belongs to the key of a page; those without one come first.
        """
        first = (-1, -1)
        self._texts.sort(key=lambda one: places.get(page_key(one.source.url), first))
        once: dict[str, _Text] = {}
        for one in self._texts:
            once.setdefault(one.source.text or one.source.url, one)
        self._texts = [*once.values()]

    def sections(self, questions: Sequence[str]) -> list[Section]:
        """
        Quote what fits each of *questions*.

        Each section begins with its best quotation; any other sentence stands once, in
        the section that it fits best.
        """
        often = Counter(term for one in questions for term in {*asked_terms(one)})
        shared = {t for t, count in often.items() if count > _SHARED * len(questions)}
        found = [
            self._fitting(one, {*asked_terms(one)} - shared if questions[1:] else ())
            for one in questions
        ]
        best: dict[str, float] = {}
        for one in (quote for quotations, _ in found for quote in quotations):
            best[one.text] = max(best.get(one.text, 0.0), one.score)
        used: set[str] = set()
        sections = []
        for question, (quotations, answers) in zip(questions, found, strict=True):
            own = [
                one
                for at, one in enumerate(quotations)
                if at == 0 or (one.score >= best[one.text] and one.text not in used)
            ][:MOST_QUOTES]
            used.update(one.text for one in own)
            told = tuple(one.text for one in own if one.text in answers)
            sections.append(Section(question, tuple(map(self.cite, own)), told))
        return sections

    def cite(self, quote: Quote) -> Statement:
        """Cite the pages that have the quotation letter for letter."""
        pages = [at for at in quote.numbers if quote.text in self._texts[at].lines]
        numbers = tuple(
            self._numbers.setdefault(at, len(self._numbers) + 1)
            for at in pages or quote.numbers[:1]
        )
        return Statement(quote.text, numbers, dict.fromkeys(numbers, quote.text))

    def _fitting(
        self, question: str, own: Collection[str]
    ) -> tuple[list[Quote], Collection[str]]:
        """
        Quote the pages that were read, else the snippets of the others.

        Where the line of a plan has terms of its *own*, each quotation has one of them,
        or an amount of what they measure: every page speaks of the subject, which is no
        answer yet. With them the texts that may be an answer.
        """
        characters = {term for term in own if is_character(term)}
        if len(characters) > _MOST_CHARACTERS:  # 计 alone says nothing of 设计师
            own = {*own} - characters
        for at, one in enumerate(self._texts):  # the line is the address of a page
            if one.source.is_read and page_key(one.source.url) == page_key(question):
                lead = [
                    line for line in one.lines.split("\n")[:_LEAD_SENTENCES] if line
                ]
                return [Quote(sentence, (at,), 1.0) for sentence in lead], lead

        def is_about(text: str) -> bool:
            return not own or not {*own}.isdisjoint(terms(plain(text)))

        def is_on_page_with(wanted: Collection[str], quote: Quote) -> bool:
            pages = (self._texts[at] for at in quote.numbers)
            return not wanted or any(one.has_any(wanted) for one in pages)

        is_measured = measured(question)

        def may_answer(quote: Quote) -> bool:
            return is_about(quote.text) or bool(is_measured and is_measured(quote.text))

        read = self.quotes(question, is_read=True)
        fitting = (
            [one for one in read if may_answer(one)]
            or [one for one in read if is_on_page_with(own, one)]
            or [one for one in self.quotes(question, is_read=False) if may_answer(one)]
        )
        # What the lines of the plan share: a page without it is about something else.
        subject = {*asked_terms(question)} - {*own} if own else ()
        answers = [
            one.text
            for one in fitting
            if may_answer(one) and is_on_page_with(subject, one)
        ]
        is_wanted, share = wanted(question)
        if share > _STRICT:  # nothing else tells that a sentence answers
            return fitting, answers[:1]
        return fitting, {text for text in answers if is_wanted(text)}

    def quotes(
        self, question: str, *, is_read: bool, most: int = 2 * MOST_QUOTES
    ) -> list[Quote]:
        """Quote the pages that were read, or the snippets of the others."""
        texts = {
            at: one
            for at, one in enumerate(self._texts)
            if one.lines and one.source.is_read is is_read
        }
        near = {at: one.lines for at, one in texts.items()}
        if sum(map(len, near.values())) > _MOST_LOOKED_AT:
            # The pieces of all pages that fit the question best, in page order.
            pages = [at for at, one in texts.items() for _ in one.pieces.texts]
            ranked = rank(question, [one.pieces for one in texts.values()])
            best = sorted(range(len(ranked)), key=lambda place: -ranked[place].score)
            sizes = accumulate(len(ranked[place].text) for place in best)
            taken = [
                p for p, s in zip(best, sizes, strict=True) if s <= _MOST_LOOKED_AT
            ]
            near = dict.fromkeys(sorted({pages[place] for place in taken}), "")
            for place in sorted(taken):
                near[pages[place]] += ranked[place].text
        passages = [
            Passage(at, one.source.title, _FIRST_LINE + near[at], one.source.url)
            for at, one in texts.items()
            if at in near
        ]
        return [one for one in quotes(question, passages, most) if one.score >= _LEAST]
