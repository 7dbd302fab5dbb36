"""Let a model rewrite a section from its quotations, and check each sentence."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final, TypeAlias

from agent.events import ms_since
from agent.prompts import fenced, unmark
from agent.research.budget import ModelCalls
from agent.research.report import Report, Section, SectionRewritten, Statement
from agent.research.texts import TEXTS
from citations import markers
from citations.evidence import Cite, Claim, sentences, unquoted
from text.language import language_of
from text.sentences import sentences as plain_sentences
from text.terms import is_character, plain, terms
from untrusted.text import clean_text
from untrusted.urls import addresses_in

_SECTION_SECONDS: Final = 60
_LONGEST: Final = 600  # characters of a sentence
_MOST_SENTENCES: Final = 12
_SHORTEST: Final = 4
_LEAST_SHARED: Final = 2  # words of a sentence and the quotation behind it

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
    section = report.sections[number]
    language = language_of(report.question)
    texts = TEXTS[language]
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
    judged = await asyncio.to_thread(checked, written.text, quotations, language)
    if written.is_cut and judged and not _ENDS.search(judged[-1][0].sentence):
        judged.pop()  # half a sentence
    if (failed := [claim for claim, passed in judged if not passed]) and (
        calls.are_possible
    ):
        lines = [f"{claim.sentence} {_marks(claim.numbers)}" for claim in failed]
        listed = (f"{n}. {line}" for n, line in enumerate(lines, start=1))
        words = "\n".join((f"{words}\n", *listed))
        again = await calls.ask(texts["again"], words, _SECTION_SECONDS)
        second = await asyncio.to_thread(checked, again.text, quotations, language)
        known = {claim.sentence for claim, passed in judged if passed}
        better = iter([p for p in second if p[1] and p[0].sentence not in known])
        judged = [pair if pair[1] else next(better, pair) for pair in judged]
    count = sum(passed is not None for _, passed in judged)
    if count:
        section = _with_quotations(judged, section, is_cut=written.is_cut)
    took_ms, refused = ms_since(started), len(judged) - count
    return SectionRewritten(number, section, took_ms, count, refused, written.problem)


def _marks(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def checked(
    written: str, quotations: Quotations, language: str
) -> list[tuple[Claim, Statement | None]]:
    """
    Cut what the model wrote into sentences; with each one that passes the check.

    A sentence that comes again is left out, and one in another language than the
    report's gives way.
    """
    cut = sentences(written, markers(written)) or [
        Claim(sentence, sentence, ()) for sentence in plain_sentences(written)
    ]
    claims: dict[str, Claim] = {}
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
            claims.setdefault(text, Claim(text, text, cites))
    return [
        (
            claim,
            _statement(claim, quotations) if language_of(text) == language else None,
        )
        for text, claim in [*claims.items()][:_MOST_SENTENCES]
    ]


def _statement(claim: Claim, quotations: Quotations) -> Statement | None:
    """
    The sentence as a statement; None if it fails the check.

    The quotation behind a number shares two words with it, or one in another language;
    a number without such a quotation goes.
    """
    text, own = claim.sentence, _words(claim.sentence)
    is_known = quotations.keys() >= {*claim.numbers}
    if not is_known or len(text) > _LONGEST or addresses_in(text, 1):
        return None
    if unquoted(text, [quote for n in claim.numbers for quote in quotations[n]]):
        return None
    behind = {}
    for number in claim.numbers:
        shared, quote = max(
            ((len(own & _words(quote)), quote) for quote in quotations[number]),
            key=itemgetter(0),
        )
        if shared >= (_LEAST_SHARED if language_of(text) == language_of(quote) else 1):
            behind[number] = quote
    return Statement(text, (*behind,), behind, is_quoted=False) if behind else None


def _words(text: str) -> set[str]:
    return {term for term in terms(plain(text)) if not is_character(term)}


def _with_quotations(
    checked: Sequence[tuple[Claim, Statement | None]], section: Section, *, is_cut: bool
) -> Section:
    """
    The section of the sentences that passed; in place of each other its quotation.

    The quotations that are left follow where the answer *is_cut*, or where half of all
    or more stand behind none of its sentences.
    """
    used = {q for _, passed in checked if passed for q in passed.evidence.values()}
    left = [quoted for quoted in section.statements if quoted.text not in used]
    is_poor = 2 * len(left) >= len(section.statements)
    statements: list[Statement] = []
    for claim, passed in checked:
        if passed:
            statements.append(passed)
            continue
        words, numbers = _words(claim.sentence), {*claim.numbers}

        def likeness(quoted: Statement) -> tuple[int, int]:
            shared = words & _words(quoted.text)  # noqa: B023  used at once
            return len(numbers & {*quoted.numbers}), len(shared)  # noqa: B023

        nearest = max(left, key=likeness, default=None)
        if nearest and any(likeness(nearest)):
            left.remove(nearest)
            statements.append(nearest)
    return replace(
        section, statements=(*statements, *(left if is_cut or is_poor else ()))
    )
