"""Let a model rewrite a section from its quotations, and check each sentence."""

import asyncio
import re
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from agent.events import ms_since
from agent.prompts import fenced, unmark
from agent.research.events import SectionRewritten
from agent.research.model_calls import ModelCalls
from agent.research.report import Report, Section, Statement
from agent.research.texts import TEXTS
from citations import Source
from citations.evidence import Cite, Claim, check
from text.language import language_of
from text.sentences import sentence_spans
from text.terms import plain, terms
from untrusted.text import clean_text
from untrusted.urls import addresses_in

_SECTION_SECONDS: Final = 60
_LONGEST: Final = 600  # characters of a sentence
_MOST_SENTENCES: Final = 12
_SHORTEST: Final = 4

_MARK = re.compile(r"\s?[\[【［]\s*(\d{1,4}(?:\s*[,，、]\s*\d{1,4})*)\s*[\]】］]")
_LEADING = re.compile(rf"(?:{_MARK.pattern})+")
_LINE_SIGN = re.compile(r"^\s*(?:#{1,6}|[-*•>]|\d{1,2}[.)、])\s+", re.MULTILINE)
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)|`+")
_STOPS: Final = ".。!！?？;；"
_TRACES = re.compile(r"[a-z]{3,}|\d+(?:[.,]\d+)*")  # what a translation keeps
_ENDS = re.compile(r"[.。!！?？…][\"”’')）」』]*$")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence as the model wrote it, without its markers; None: it failed."""

    text: str
    numbers: tuple[int, ...]
    statement: Statement | None = field(default=None, compare=False)


async def rewrite(report: Report, number: int, calls: ModelCalls) -> SectionRewritten:
    """
    Rewrite a section with the model, which sees nothing but its quotations.

    A sentence that fails the check is asked for once more, and then gives way to the
    quotation next to it.
    """
    started = time.monotonic()
    section, texts = report.sections[number], TEXTS[language_of(report.question)]
    given = _given(section)
    words = texts["rewrite_words"].format(
        question=unmark(report.question),
        section=unmark(section.question),
        quotes=_listed(section, report.sources),
    )
    written = await calls.ask(texts["rewrite"], words, _SECTION_SECONDS)
    found = await asyncio.to_thread(_checked, written.text, given)
    if written.is_cut and found and not _ENDS.search(found[-1].text):
        found = found[:-1]  # half a sentence
    failed = [one for one in found if one.statement is None]
    if failed and calls.are_possible:
        lines = [f"{n}. {_marked(one)}" for n, one in enumerate(failed, start=1)]
        words = "\n".join((f"{words}\n", *lines))
        again = await calls.ask(texts["again"], words, _SECTION_SECONDS)
        found = _mended(found, await asyncio.to_thread(_checked, again.text, given))
    passed = sum(one.statement is not None for one in found)
    if passed:
        statements = _with_quotations(found, section)
        if written.is_cut:  # what it did not come to is quoted
            statements += _untold(statements, section)
        section = replace(section, statements=tuple(statements))
    refused, took_ms = len(found) - passed, ms_since(started)
    return SectionRewritten(number, section, took_ms, passed, refused, written.problem)


def _mended(found: Sequence[_Sentence], better: Sequence[_Sentence]) -> list[_Sentence]:
    """Put the sentences that passed the second time in place of those that failed."""
    known = {one.text for one in found if one.statement is not None}
    new = (one for one in better if one.statement is not None)
    mended = iter([one for one in new if one.text not in known])
    return [one if one.statement is not None else next(mended, one) for one in found]


def _given(section: Section) -> Mapping[int, str]:
    """The quotations of the section by the numbers of their sources."""
    given: dict[int, list[str]] = {}
    for statement in section.statements:
        for number in statement.numbers:
            given.setdefault(number, []).append(statement.text)
    return {number: "\n".join(quotes) for number, quotes in given.items()}


def _listed(section: Section, sources: Mapping[int, Source]) -> str:
    lines = []
    for one in section.statements:
        titles = [unmark(sources[n].title) for n in one.numbers if n in sources]
        marks = "".join(f"[{number}]" for number in one.numbers)
        lines.append(f"{marks} ({'; '.join(titles)}) {unmark(one.text)}")
    return fenced("\n".join(lines))


def _checked(written: str, given: Mapping[int, str]) -> list[_Sentence]:
    """Cut what the model wrote into sentences, and check each of them."""
    return [
        replace(one, statement=_statement(one, given)) for one in _sentences(written)
    ]


def _sentences(written: str) -> list[_Sentence]:
    """The sentences with the numbers of the markers in them or right behind them."""
    plain_text = _EMPHASIS.sub("", _LINE_SIGN.sub("", written))
    found: list[_Sentence] = []
    for begin, end in sentence_spans(plain_text):
        piece = plain_text[begin:end].strip()
        if (lead := _LEADING.match(piece)) and found:
            last = found[-1]
            numbers = (*last.numbers, *_numbers(lead[0]))
            found[-1] = replace(last, numbers=tuple(dict.fromkeys(numbers)))
            piece = piece[lead.end() :]
        text = clean_text(_MARK.sub("", piece))
        if len(text) >= _SHORTEST:
            found.append(_Sentence(text, tuple(dict.fromkeys(_numbers(piece)))))
    return found[:_MOST_SENTENCES]


def _numbers(text: str) -> list[int]:
    return [int(n) for match in _MARK.findall(text) for n in re.findall(r"\d+", match)]


def _statement(one: _Sentence, given: Mapping[int, str]) -> Statement | None:
    """The sentence as a statement; None if it fails the check."""
    is_foreign = not one.numbers or not {*one.numbers} <= given.keys()
    if is_foreign or len(one.text) > _LONGEST or addresses_in(one.text, 1):
        return None
    texts = {number: f"\n{given[number]}" for number in one.numbers}
    cites = tuple(Cite(len(one.text.rstrip(_STOPS)), number) for number in one.numbers)
    found = check([Claim(one.text, one.text, cites)], texts)
    if not found or any(evidence.flags for evidence in found):
        return None
    quotes = {
        number: quote
        for evidence in found
        for number, quote in zip(evidence.numbers, evidence.quotes, strict=True)
        if quote
    }
    if quotes:  # a number without a sentence that fits says nothing for this one
        numbers = tuple(number for number in one.numbers if number in quotes)
        return Statement(one.text, numbers, quotes, is_quoted=False)
    if language_of(one.text) == language_of("".join(texts.values())):
        return None
    return _translated(one, given)


def _translated(one: _Sentence, given: Mapping[int, str]) -> Statement | None:
    """
    A sentence in other letters than its quotations, which shares a value or a name.

    Without one there is nothing to compare, and it fails.
    """
    said = {*_TRACES.findall(one.text.lower())}
    quotes: dict[int, str] = {}
    for number in one.numbers:
        told = given[number].split("\n")
        shared = [len(said & {*_TRACES.findall(quote.lower())}) for quote in told]
        if most := max(shared):
            quotes[number] = told[shared.index(most)]
    if not quotes:
        return None
    return Statement(one.text, tuple(quotes), quotes, is_quoted=False)


def _marked(one: _Sentence) -> str:
    end = one.text[-1] if one.text[-1] in _STOPS else ""
    marks = "".join(f"[{number}]" for number in one.numbers)
    return f"{one.text.removesuffix(end)}{marks}{end}"


def _with_quotations(found: Sequence[_Sentence], section: Section) -> list[Statement]:
    """The sentences that passed; in place of each other one its quotation."""
    passed = [one.statement for one in found if one.statement is not None]
    left = _untold(passed, section)
    statements: list[Statement] = []
    for one in found:
        if one.statement is not None:
            statements.append(one.statement)
        elif quotation := _nearest(one, left):
            left.remove(quotation)
            statements.append(quotation)
    return statements


def _untold(statements: Sequence[Statement], section: Section) -> list[Statement]:
    """The quotations of *section* on which none of *statements* rests."""
    told = {quote for one in statements for quote in one.evidence.values()}
    return [one for one in section.statements if one.text not in told]


def _nearest(one: _Sentence, left: Collection[Statement]) -> Statement | None:
    """The quotation that shares most words with a sentence, or most of its numbers."""
    said = set(terms(plain(one.text)))

    def likeness(statement: Statement) -> tuple[int, int]:
        shared = said & set(terms(plain(statement.text)))
        return len({*one.numbers} & {*statement.numbers}), len(shared)

    best = max(left, key=likeness, default=None)
    return best if best is not None and any(likeness(best)) else None
