"""Let a model rewrite a section from its quotations, and check each sentence."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from agent.events import ms_since
from agent.prompts import fenced, unmark
from agent.research.events import SectionRewritten
from agent.research.model_calls import ModelCalls
from agent.research.report import Report, Section, Statement
from agent.research.texts import TEXTS
from citations import markers
from citations.evidence import Cite, Claim, check, sentences
from text.language import language_of
from text.sentences import sentences as plain_sentences
from text.terms import plain, terms
from untrusted.text import clean_text
from untrusted.urls import addresses_in

_SECTION_SECONDS: Final = 60
_LONGEST: Final = 600  # characters of a sentence
_MOST_SENTENCES: Final = 12
_SHORTEST: Final = 4

_TRACES = re.compile(r"[a-z]{3,}|\d+(?:[.,]\d+)*")  # what a translation keeps
_ENDS = re.compile(r"[.。!！?？…][\"”’')）」』]*$")

# The quotations of a section by the numbers of their sources.
Quotations: TypeAlias = Mapping[int, Sequence[str]]


async def rewrite(report: Report, number: int, calls: ModelCalls) -> SectionRewritten:
    """
    Rewrite a section with the model, which sees nothing but its quotations.

    A sentence that fails the check is asked for once more, and then gives way to the
    quotation next to it.
    """
    started = time.monotonic()
    section, texts = report.sections[number], TEXTS[language_of(report.question)]
    quotations: dict[int, list[str]] = {}
    lines = []
    for quoted in section.statements:
        titles = [
            report.sources[n].title for n in quoted.numbers if n in report.sources
        ]
        title = "; ".join(unmark(title) for title in titles)
        lines.append(f"{_marks(quoted.numbers)} ({title}) {unmark(quoted.text)}")
        for source in quoted.numbers:
            quotations.setdefault(source, []).append(quoted.text)
    words = texts["rewrite_words"].format(
        question=unmark(report.question),
        section=unmark(section.question),
        quotes=fenced("\n".join(lines)),
    )
    written = await calls.ask(texts["rewrite"], words, _SECTION_SECONDS)
    checked = await asyncio.to_thread(_checked, written.text, quotations)
    if written.is_cut and checked and not _ENDS.search(checked[-1][0].sentence):
        checked.pop()  # half a sentence
    if (failed := [claim for claim, passed in checked if not passed]) and (
        calls.are_possible
    ):
        lines = [f"{claim.sentence} {_marks(claim.numbers)}" for claim in failed]
        listed = (f"{n}. {line}" for n, line in enumerate(lines, start=1))
        words = "\n".join((f"{words}\n", *listed))
        again = await calls.ask(texts["again"], words, _SECTION_SECONDS)
        second = await asyncio.to_thread(_checked, again.text, quotations)
        known = {claim.sentence for claim, passed in checked if passed}
        better = iter([p for p in second if p[1] and p[0].sentence not in known])
        checked = [pair if pair[1] else next(better, pair) for pair in checked]
    count = sum(passed is not None for _, passed in checked)
    if count:
        section = _with_quotations(checked, section, is_cut=written.is_cut)
    took_ms, refused = ms_since(started), len(checked) - count
    return SectionRewritten(number, section, took_ms, count, refused, written.problem)


def _marks(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _checked(
    written: str, quotations: Quotations
) -> list[tuple[Claim, Statement | None]]:
    """Cut what the model wrote into sentences; with each one that passes the check."""
    cut = sentences(written, markers(written)) or [
        Claim(sentence, sentence, ()) for sentence in plain_sentences(written)
    ]
    claims: list[Claim] = []
    for claim in cut:
        # The words as they are shown, also those that the model wrote as code; a
        # marker goes with the space before it.
        text = claim.sentence
        for place in sorted({cite.place for cite in claim.cites}, reverse=True):
            if not text[place : place + 1].isalnum():
                text = text[:place].rstrip() + text[place:]
        text = clean_text(text)
        cites = tuple(Cite(len(text), number) for number in claim.numbers)
        if len(text) >= _SHORTEST:
            claims.append(Claim(text, text, cites))
    return [
        (claim, _statement(claim, quotations)) for claim in claims[:_MOST_SENTENCES]
    ]


def _statement(claim: Claim, quotations: Quotations) -> Statement | None:
    """
    The sentence as a statement; None if it fails the check.

    In other letters than its quotations it has to share a value or a name with one:
    else there is nothing to compare.
    """
    text = claim.sentence
    is_foreign = not claim.numbers or not quotations.keys() >= {*claim.numbers}
    if is_foreign or len(text) > _LONGEST or addresses_in(text, 1):
        return None
    sources = {n: "\n".join(("", *quotations[n])) for n in claim.numbers}
    evidence = check([claim], sources)
    if any(one.flags for one in evidence):
        return None
    behind = {
        number: quote
        for one in evidence
        for number, quote in zip(one.numbers, one.quotes, strict=True)
        if quote
    }
    if not behind and language_of(text) != language_of("".join(sources.values())):
        traces = {*_TRACES.findall(text.lower())}

        def shared(quote: str) -> int:
            return len(traces & {*_TRACES.findall(quote.lower())})

        best = {n: max(quotations[n], key=shared) for n in claim.numbers}
        behind = {number: quote for number, quote in best.items() if shared(quote)}
    # A number without a sentence that fits says nothing for this one.
    numbers = tuple(number for number in claim.numbers if number in behind)
    return Statement(text, numbers, behind, is_quoted=False) if numbers else None


def _with_quotations(
    checked: Sequence[tuple[Claim, Statement | None]], section: Section, *, is_cut: bool
) -> Section:
    """
    The section of the sentences that passed; in place of each other its quotation.

    Where the answer *is_cut*, the quotations that it did not come to follow.
    """
    used = {q for _, passed in checked if passed for q in passed.evidence.values()}
    left = [quoted for quoted in section.statements if quoted.text not in used]
    statements: list[Statement] = []
    for claim, passed in checked:
        if passed:
            statements.append(passed)
            continue
        words, numbers = {*terms(plain(claim.sentence))}, {*claim.numbers}

        def likeness(quoted: Statement) -> tuple[int, int]:
            shared = words & {*terms(plain(quoted.text))}  # noqa: B023  used at once
            return len(numbers & {*quoted.numbers}), len(shared)  # noqa: B023

        nearest = max(left, key=likeness, default=None)
        if nearest and any(likeness(nearest)):
            left.remove(nearest)
            statements.append(nearest)
    return replace(section, statements=(*statements, *(left if is_cut else ())))
