"""Write a report as one HTML file: styles inside, no script, no request."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from agent.prompts import language_of, today
from agent.research.markdown import MOST_TITLE, problem_lines, quoted, remark
from agent.research.report import Difference, Ended, Report, Section, Statement
from agent.research.texts import text
from citations import Source
from untrusted.text import clip, one_line, visible
from untrusted.urls import safe_url

PRODUCT: Final = "websearch-chat"

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --soft: #666; }
body { font: 1rem/1.65 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif;
  max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.3; } h2 { font-size: 1.2rem; margin-top: 2rem; }
blockquote { margin: .6rem 0; padding: .1rem 0 .1rem .9rem;
  border-left: 3px solid var(--line); }
a.n { font-size: .75em; vertical-align: super; text-decoration: none; }
.soft { color: var(--soft); font-size: .875rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.pair > div { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem; }
.references > li { margin-bottom: .8rem; }
li:target { outline: 2px solid; outline-offset: .3rem; }
@media (max-width: 32rem) { .pair { grid-template-columns: 1fr; } }
@media (prefers-color-scheme: dark) { :root { --soft: #aaa; } }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; }
  blockquote, .references > li, .pair { break-inside: avoid; }
  .references a[href^="http"]::after { content: " (" attr(href) ")"; } }
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def as_html(report: Report, summary: str = "") -> str:
    """The whole report as a page that can be opened, sent and printed."""
    language = language_of(report.question)
    title = _escaped(one_line(report.question, MOST_TITLE))
    made = text("made", language, product=PRODUCT, day=today().isoformat())
    parts = [
        "<!doctype html>",
        f'<html lang="{"zh-CN" if language == "zh" else "en"}">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{title}</title><style>{_STYLE}</style></head>",
        f"<body><main><h1>{title}</h1>",
        *_main(report, language),
        "</main><footer>",
        f'<p class="soft">{escape(summary)}</p>' if summary else "",
        f'<p class="soft">{escape(made)}</p></footer></body></html>',
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _main(report: Report, language: str) -> Iterator[str]:
    if report.ended is Ended.SAMPLES:
        yield f"<p>{escape(text('samples', language))}</p>"
        return
    if not report.answered:
        name = "nothing" if report.ended else "working"
        yield f"<p>{escape(text(name, language))}</p>"
    for section in report.answered:
        yield from _section(section, report)
    yield from _differences(report.differences, report)
    if report.ended:
        yield from _missing(report, language)
    yield from _references(report, language)


def _section(section: Section, report: Report) -> Iterator[str]:
    yield f"<section><h2>{_escaped(section.question)}</h2>"
    gap = "" if language_of(report.question) == "zh" else " "
    for is_quoted, group in groupby(section.statements, lambda one: one.is_quoted):
        if is_quoted:
            for one in group:
                words = quoted(_escaped(one.text))
                yield f"<blockquote>{words}{_marks(one, report)}</blockquote>"
        else:
            told = gap.join(
                f"{_escaped(one.text)}{_marks(one, report)}" for one in group
            )
            yield f"<p>{told}</p>"
    yield "</section>"


def _differences(found: Sequence[Difference], report: Report) -> Iterator[str]:
    if not found:
        return
    language = language_of(report.question)
    yield f"<section><h2>{escape(text('differences', language))}</h2>"
    yield f"<p>{escape(text('differences_how', language))}</p>"
    for one in found:
        sides = (
            f"<div><strong>{_escaped(value)}</strong><br>"
            f"{quoted(_escaped(statement.text))}{_marks(statement, report)}</div>"
            for value, statement in zip(one.values, one.statements, strict=True)
        )
        yield f'<div class="pair">{"".join(sides)}</div>'
    yield "</section>"


def _missing(report: Report, language: str) -> Iterator[str]:
    lines = [
        escape(text("unanswered", language, question=visible(one.question)))
        for one in report.unanswered
    ]
    lines += [escape(visible(line)) for line in problem_lines(report)]
    if lines:
        yield f"<section><h2>{escape(text('missing', language))}</h2>"
        yield f"{_list(lines)}</section>"


def _references(report: Report, language: str) -> Iterator[str]:
    """Each cited page with the sentences of it that stand behind the report."""
    if not report.cited:
        return
    yield f"<section><h2>{escape(text('references', language))}</h2>"
    yield '<ol class="references">'
    for source in report.cited:
        url = safe_url(source.url)
        title = _escaped(one_line(source.title) or source.domain)
        link = title
        if url is not None:
            link = f'<a href="{escape(url)}" rel="noopener noreferrer">{title}</a>'
        kind = text("full_text" if source.is_read else "snippet", language)
        facts = (source.domain, (source.published_at or "")[:10], kind)
        yield (
            f'<li id="s{source.number}" value="{source.number}">'
            f"{link} "
            f'<span class="soft">{_escaped(" · ".join(filter(None, facts)))}</span>'
        )
        for quote in _evidence(report, source):
            yield f'<blockquote class="soft">{quoted(_escaped(quote))}</blockquote>'
        yield "</li>"
    yield "</ol></section>"


def _evidence(report: Report, source: Source) -> Iterable[str]:
    """The sentences of a page behind the report's, each once."""
    found = (one.evidence.get(source.number, "") for one in report.statements)
    return dict.fromkeys(filter(None, found))


def _marks(statement: Statement, report: Report) -> str:
    """The numbers of a statement, with their evidence in the tooltip, and remarks."""
    marks = []
    for number in statement.numbers:
        evidence = clip(visible(statement.evidence.get(number, "")), 300)
        marks.append(
            f'<a class="n" href="#s{number}" title="{escape(evidence)}">[{number}]</a>'
        )
        marks.append(escape(remark(number, report)))
    return "".join(marks)


def _list(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


def _escaped(words: str) -> str:
    return escape(visible(words))
