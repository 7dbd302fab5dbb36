"""Write a report as Markdown: on the page, in a file, on standard output."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from agent.prompts import unmark
from agent.research.report import Ended, Report, Statement
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
    language = language_of(report.question)
    if report.ended is Ended.SAMPLES:
        return text("samples", language)

    def cited(statement: Statement) -> str:
        """The statement with its numbers, and a remark where a page was not read."""
        words = shown(statement.text)  # a quotation's brackets stay: they link nothing
        parts = [quoted(words) if statement.is_quoted else words]
        for number in statement.numbers:
            parts.append(mark(number, statement))
            if not report.is_read(number):
                parts.append(text("only_snippet", language))
        return "".join(parts)

    blocks: list[str] = []
    if not report.answered:
        blocks.append(text("nothing" if report.ended else "working", language))
    gap = "" if language == "zh" else " "
    for section in report.answered:
        blocks.append(f"## {shown(unmark(section.question))}")
        for is_quoted, group in groupby(section.statements, lambda s: s.is_quoted):
            lines = map(cited, group)
            # Quotations are a list, sentences of the model a paragraph.
            blocks.append(_list(lines) if is_quoted else gap.join(lines))
    if report.differences:
        how = text("differences_how", language)
        blocks += [f"## {text('differences', language)}", how]
        pairs = []
        for pair in report.differences:
            values = " / ".join(f"**{shown(unmark(value))}**" for value in pair.values)
            sides = (f"\n  - {cited(side)}" for side in pair.statements)
            pairs.append(f"{values}{''.join(sides)}")
        blocks.append(_list(pairs))
    if report.ended and (missing := [*_missing(report, language)]):
        heading = f"## {text('missing', language)}"
        blocks += [heading, _list(shown(unmark(line)) for line in missing)]
    return "\n\n".join(blocks)


def references(
    report: Report,
    *,
    heading: str = "##",
    below: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """The list of the pages that are cited, with lines *below*; '' where none is."""
    language = language_of(report.question)
    lines = [f"{heading} {text('references', language)}\n"]
    for source in report.cited:
        day = _DAY.match(source.published_at or "")
        kind = text("full_text" if source.is_read else "snippet", language)
        kind = f"{day[0]} · {kind}" if day else kind
        hint = text("open", language)
        listed = source_list([source], kinds={source.number: kind}, hint=hint)
        lines += [listed, below.get(source.number, "")] if listed else []
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


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _missing(report: Report, language: str) -> Iterator[str]:
    """Yield what was not found, searched or read, and the reasons."""
    for section in report.unanswered:
        yield text("unanswered", language, question=section.question)
    searches = [("search_failed", search) for search in report.failed]
    searches += [("engine_failed", search) for search in report.partly]
    for name, search in searches:
        yield text(
            name,
            language,
            query=one_line(search.query, MOST_TITLE),
            engine=engine_title(search.error.provider or "", language),
            reason=short(search.error, language),
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
