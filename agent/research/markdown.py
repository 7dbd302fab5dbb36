"""Write a report as Markdown: on the page, in a file, on standard output."""

from collections.abc import Iterator
from typing import Final

from agent.prompts import language_of, unmark
from agent.research.report import Difference, Ended, Report, Statement
from agent.research.texts import text
from citations import link, source_list
from untrusted.text import clip, one_line, shown
from websearch.doctor import engine_title, page_error_text, reason_text

MOST_TITLE: Final = 300


def as_markdown(report: Report) -> str:
    """The whole report with its list of references, as a file."""
    parts = [
        f"# {title_of(report)}",
        link(body(report), report.sources),
        references(report),
        f"*{summary(report)}*",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def body(report: Report) -> str:
    """The sections with their `[n]`, without title and references."""
    return "\n\n".join(_blocks(report))


def references(report: Report) -> str:
    """The list of the pages that are cited; '' where none is."""
    language = language_of(report.question)
    kinds = {
        one.number: text("full_text" if one.is_read else "snippet", language)
        for one in report.cited
    }
    listed = source_list(report.cited, kinds=kinds, hint=text("open", language))
    return f"## {text('references', language)}\n\n{listed}" if listed else ""


def title_of(report: Report) -> str:
    """The question as one line of Markdown."""
    return shown(unmark(one_line(report.question, MOST_TITLE)))


def summary(report: Report) -> str:
    """The spent budget in one line, and why searching and reading ended."""
    language, spent, budget = language_of(report.question), report.spent, report.budget
    line = text(
        "spent",
        language,
        searches=f"{spent.searches}/{budget.searches}",
        pages=f"{spent.pages}/{budget.pages}",
        seconds=f"{spent.seconds:.0f}/{budget.seconds:.0f}",
        tokens=f"{spent.tokens:,}/{budget.tokens:,}",
    )
    return f"{line}{text(f'ended_{report.ended}', language)}" if report.ended else line


def problem_lines(report: Report) -> list[str]:
    """A line of plain text for each search that failed and each page not read."""
    language = language_of(report.question)
    tag = "zh-CN" if language == "zh" else "en-US"
    lines = [
        text(
            "engine_failed" if one.is_partial else "search_failed",
            language,
            query=one_line(one.query, MOST_TITLE),
            engine=engine_title(one.error.provider or "", tag),
            reason=reason_text(one.error.code, one.error.detail_code, tag),
        )
        for one in report.failed
    ]
    lines += [
        text(
            "page_unread",
            language,
            title=one_line(one.title),
            address=clip(one.url, MOST_TITLE),
            reason=page_error_text(one.error.code, one.error.detail_code, tag),
        )
        for one in report.unread
    ]
    return lines


def _blocks(report: Report) -> Iterator[str]:
    language = language_of(report.question)
    if report.ended is Ended.SAMPLES:
        yield text("samples", language)
        return
    if not report.answered:
        yield text("nothing" if report.ended else "working", language)
    for section in report.answered:
        yield f"## {shown(unmark(section.question))}"
        yield _statements(section.statements, report)
    if report.differences:
        yield f"## {text('differences', language)}"
        yield text("differences_how", language)
        yield "\n".join(_difference(one) for one in report.differences)
    if report.ended and (missing := [*_missing(report)]):
        yield f"## {text('missing', language)}"
        yield "\n".join(missing)


def _missing(report: Report) -> Iterator[str]:
    language = language_of(report.question)
    for section in report.unanswered:
        asked = shown(unmark(section.question))
        yield f"- {text('unanswered', language, question=asked)}"
    yield from (f"- {shown(unmark(line))}" for line in problem_lines(report))


def _statements(statements: tuple[Statement, ...], report: Report) -> str:
    """Quotations as a list, sentences of the model as a paragraph."""
    language = language_of(report.question)
    lines: list[str] = []
    for one in statements:
        marks = _marks(one, report)
        said = shown(one.text)  # a quotation keeps its brackets: they link nothing
        if one.is_quoted:
            lines.append(f"- {quoted(said)}{marks}")
        elif lines and not lines[-1].startswith("- "):
            gap = "" if language == "zh" else " "
            lines[-1] += f"{gap}{said}{marks}"
        else:
            lines.append(f"{said}{marks}")
    return _spaced(lines)


def _spaced(lines: list[str]) -> str:
    """Join the lines of a list closely, and put paragraphs apart."""
    out = ""
    for number, line in enumerate(lines):
        both = number and line.startswith("- ") and lines[number - 1].startswith("- ")
        out += ("" if not number else "\n" if both else "\n\n") + line
    return out


def _marks(statement: Statement, report: Report) -> str:
    """The numbers of a statement, those of pages that were not read with a remark."""
    return "".join(f"[{n}]{remark(n, report)}" for n in statement.numbers)


def remark(number: int, report: Report) -> str:
    """A remark behind the number of a page that was not read; '' if it was."""
    source = report.sources.get(number)
    if source is None or source.is_read:
        return ""
    return text("only_snippet", language_of(report.question))


def _difference(one: Difference) -> str:
    """Both values side by side, and below them their sentences."""
    values = " / ".join(f"**{shown(unmark(value))}**" for value in one.values)
    sides = "".join(
        f"\n  - {quoted(shown(statement.text))}"
        + "".join(f"[{number}]" for number in statement.numbers)
        for statement in one.statements
    )
    return f"- {values}{sides}"


def quoted(words: str) -> str:
    """Put *words* between quotation marks."""
    return f"\u201c{words}\u201d"
