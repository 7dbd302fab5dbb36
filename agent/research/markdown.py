"""Write a report as Markdown: on the page, in a file, on standard output."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from agent.prompts import unmark
from agent.research.report import Difference, Ended, Report, Statement
from agent.research.texts import text
from citations import link, source_list
from text.language import language_of
from untrusted.text import clip, one_line, shown
from websearch import engine_title
from websearch.causes import short

MOST_TITLE: Final = 300

_DAY = re.compile(r"\d{4}-\d\d-\d\d")

Mark: TypeAlias = Callable[[int, Statement], str]


def as_markdown(report: Report) -> str:
    """The whole report with its list of references, as a file."""
    parts = [
        f"# {title_of(report)}",
        link(body(report), report.sources),
        references(report),
        f"*{summary(report)}*",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def body(report: Report, mark: Mark = lambda number, _: f"[{number}]") -> str:
    """The sections without title and references; *mark* writes each number."""
    return "\n\n".join(_blocks(report, mark))


def references(
    report: Report,
    *,
    heading: str = "##",
    below: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """The list of the pages that are cited, with lines *below*; '' where none is."""
    language = language_of(report.question)
    lines = [f"{heading} {text('references', language)}\n"]
    for one in report.cited:
        day = _DAY.match(one.published_at or "")
        kind = text("full_text" if one.is_read else "snippet", language)
        kind = f"{day[0]} · {kind}" if day else kind
        hint = text("open", language)
        listed = source_list([one], kinds={one.number: kind}, hint=hint)
        lines += [listed, below.get(one.number, "")] if listed else []
    return "\n".join(filter(None, lines)) if report.cited else ""


def title_of(report: Report) -> str:
    """The question as one line of Markdown."""
    return shown(unmark(one_line(report.question, MOST_TITLE)))


def summary(report: Report) -> str:
    """The spent budget in one line, and why searching and reading ended."""
    language = language_of(report.question)
    line = text("spent", language, **report.spending)
    return f"{line}{text(f'ended_{report.ended}', language)}" if report.ended else line


def quoted(words: str) -> str:
    """Put *words* between quotation marks."""
    return f"\u201c{words}\u201d"


def _blocks(report: Report, mark: Mark) -> Iterator[str]:
    language = language_of(report.question)
    if report.ended is Ended.SAMPLES:
        yield text("samples", language)
        return
    if not report.answered:
        yield text("nothing" if report.ended else "working", language)
    for section in report.answered:
        yield f"## {shown(unmark(section.question))}"
        yield from _statements(section.statements, report, mark)
    if report.differences:
        yield f"## {text('differences', language)}"
        yield text("differences_how", language)
        yield "\n".join(_difference(one, report, mark) for one in report.differences)
    if report.ended and (missing := [*_missing(report, language)]):
        yield f"## {text('missing', language)}"
        yield "\n".join(f"- {shown(unmark(line))}" for line in missing)


def _statements(
    statements: Sequence[Statement], report: Report, mark: Mark
) -> Iterator[str]:
    """Yield quotations as a list, sentences of the model as a paragraph."""
    gap = "" if language_of(report.question) == "zh" else " "
    for is_quoted, group in groupby(statements, lambda one: one.is_quoted):
        told = (_cited(one, report, mark) for one in group)
        yield "\n".join(f"- {one}" for one in told) if is_quoted else gap.join(told)


def _difference(one: Difference, report: Report, mark: Mark) -> str:
    """Both values side by side, and below them their sentences."""
    values = " / ".join(f"**{shown(unmark(value))}**" for value in one.values)
    sides = (f"\n  - {_cited(side, report, mark)}" for side in one.statements)
    return f"- {values}{''.join(sides)}"


def _cited(one: Statement, report: Report, mark: Mark) -> str:
    """A statement with its numbers, and a remark where a page was not read."""
    said = shown(one.text)  # a quotation keeps its brackets: they link nothing
    remark = text("only_snippet", language_of(report.question))
    marks = "".join(
        mark(number, one) + ("" if report.is_read(number) else remark)
        for number in one.numbers
    )
    return f"{quoted(said) if one.is_quoted else said}{marks}"


def _missing(report: Report, language: str) -> Iterator[str]:
    """Yield what was not found, searched or read, and the reasons."""
    for section in report.unanswered:
        yield text("unanswered", language, question=section.question)
    searches = [("search_failed", one) for one in report.failed]
    searches += [("engine_failed", one) for one in report.partly]
    for name, one in searches:
        yield text(
            name,
            language,
            query=one_line(one.query, MOST_TITLE),
            engine=engine_title(one.error.provider or "", language),
            reason=short(one.error, language),
        )
    for page in report.unread:
        if (error := page.error) is not None:
            yield text(
                "page_unread",
                language,
                title=one_line(page.source.title),
                address=clip(page.source.url, MOST_TITLE),
                reason=short(error, language),
            )
