"""Write a report as Markdown, and as one HTML file without script or request."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from markdown_it import MarkdownIt

from agent.prompts import today, unmark
from agent.research.report import Difference, Ended, Report, Statement
from agent.research.texts import text
from citations import link, source_list
from text.language import language_of
from untrusted.text import clip, in_title, one_line, shown, visible
from websearch import engine_title
from websearch.causes import short

PRODUCT: Final = "websearch-chat"

_LONGEST_TOOLTIP: Final = 300
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --soft: #666; }
body { font: 1rem/1.65 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif;
  max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.3; } h2 { font-size: 1.2rem; margin-top: 2rem; }
ul { list-style: none; padding: 0; }
li { margin: .6rem 0; padding: .1rem 0 .1rem .9rem;
  border-left: 3px solid var(--line); }
li ul { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
a[href^="#"] { font-size: .75em; vertical-align: super; text-decoration: none; }
blockquote, code, em { color: var(--soft); font: .875rem/1.65 system-ui, sans-serif; }
blockquote { margin: .3rem 0; }
li:target { outline: 2px solid; outline-offset: .3rem; }
@media (max-width: 32rem) { li ul { grid-template-columns: 1fr; } }
@media (prefers-color-scheme: dark) { :root { --soft: #aaa; } }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; }
  li { break-inside: avoid; }
  a[href^="http"]::after { content: " (" attr(href) ")"; } }
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
# The Markdown has strangers' signs as entities; what is left of HTML would be text.
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).disable("image")
_REFERENCE = re.compile(r"<li><strong>\[(\d+)\]")
_MOST_TITLE: Final = 300
_LONGEST_NAME: Final = 60  # letters of a file's name
_DEVICE: Final = 4  # so long are the names that Windows keeps for devices: CON, LPT1
_WORDS = re.compile(r"\w+")

_DAY = re.compile(r"\d{4}-\d\d-\d\d")

Mark: TypeAlias = Callable[[int, Statement], str]


def as_markdown(report: Report) -> str:
    """The whole report with its list of references, as a file."""
    parts = [
        link(body(report), report.sources),
        references(report),
        f"*{summary(report)}*",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def as_html(report: Report) -> str:
    """The whole report as a page that can be opened, sent and printed."""
    language = language_of(report.question)

    def mark(number: int, statement: Statement) -> str:
        """Link to the reference, with the evidence as a tooltip."""
        evidence = one_line(statement.evidence.get(number, ""), _LONGEST_TOOLTIP)
        return f'[[{number}]](#s{number} "{in_title(evidence)}")'

    quotations: dict[int, str] = {}
    for number, quotes in report.evidence.items():
        lines = (f"  > {quoted(shown(' '.join(quote.split())))}" for quote in quotes)
        quotations[number] = "\\\n".join(dict.fromkeys(lines))
    is_rewritten = any(section.is_rewritten for section in report.sections)
    made = text("made", language, product=PRODUCT, day=today().isoformat())
    made += text("made_rewritten" if is_rewritten else "made_quoted", language)
    parts = [
        "<!doctype html>",
        f'<html lang="{"zh-CN" if language == "zh" else "en"}">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escape(one_line(report.question, _MOST_TITLE))}</title>",
        f"<style>{_STYLE}</style></head><body><main>",
        _rendered(body(report, mark)),
        _REFERENCE.sub(
            r'<li id="s\1"><strong>[\1]',
            _rendered(references(report, below=quotations)),
        ),
        "</main><footer>",
        _rendered(f"*{summary(report)}*\n\n*{made}*"),
        "</footer></body></html>",
    ]
    return "\n".join(parts) + "\n"


def body(report: Report, mark: Mark = lambda number, _: f"[{number}]") -> str:
    """Title, key points and sections; *mark* writes each number."""
    return "\n\n".join(_Body(report, mark).blocks())


@dataclass(frozen=True, slots=True)
class _Body:
    """The blocks of a report's text."""

    report: Report
    mark: Mark

    def blocks(self) -> Iterator[str]:
        """Yield title, key points, sections, differences, and what was not found."""
        report = self.report
        # The question as one line of Markdown.
        yield f"# {shown(unmark(one_line(report.question, _MOST_TITLE)))}"
        if report.ended is Ended.SAMPLES:
            yield self.text("samples")
            return
        yield from self.part("key_points", map(self.point, report.key_points))
        if not report.answered:
            ended = "searches_failed" if report.failed else "nothing"
            yield self.text(ended if report.ended else "working")
        gap = "" if language_of(report.question) == "zh" else " "
        for section in report.answered:
            if section.question != report.question:  # which is the title
                yield f"## {shown(unmark(section.question))}"
            if not section.answers:
                yield self.text("closest")
            # Quotations are a list, sentences of the model a paragraph.
            for is_quoted, group in groupby(section.statements, lambda s: s.is_quoted):
                yield (_list if is_quoted else gap.join)(map(self.cited, group))
        pairs = map(self.difference, report.differences)
        yield from self.part("differences", pairs, self.text("differences_how"))
        if report.ended:
            lines = _missing(report, language_of(report.question))
            yield from self.part("missing", (shown(unmark(line)) for line in lines))

    def part(self, name: str, lines: Iterable[str], how: str = "") -> Iterator[str]:
        """A heading with its lines; nothing where there are none."""
        if listed := _list(lines):
            yield from filter(None, (f"## {self.text(name)}", how, listed))

    def point(self, statement: Statement) -> str:
        """A key point, with a remark where another source has another value."""
        values = [value for pair in self.report.differences for value in pair.values]
        places = (re.search(rf"(?<!\d){re.escape(v)}", statement.text) for v in values)
        return self.cited(statement) + (self.text("disputed") if any(places) else "")

    def difference(self, pair: Difference) -> str:
        """Two values, and the sentences of both sources below them."""
        values = " / ".join(f"**{shown(value)}**" for value in pair.values)
        return "\n  - ".join((values, *map(self.cited, pair.statements)))

    def cited(self, statement: Statement) -> str:
        """The statement with its numbers, and a remark where a page was not read."""
        words = shown(statement.text)  # a quotation's brackets stay: they link nothing
        parts = [quoted(words) if statement.is_quoted else words]
        for number in statement.numbers:
            parts.append(self.mark(number, statement))
            if not self.report.is_read(number):
                parts.append(self.text("only_snippet"))
        return "".join(parts)

    def text(self, name: str) -> str:
        """Words in the language of the report."""
        return text(name, language_of(self.report.question))


def file_name(question: str) -> str:
    """A file's name of the words of *question*, without its ending; safe anywhere."""
    words = "-".join(_WORDS.findall(one_line(question, _LONGEST_NAME)))
    is_device = words.isascii() and len(words) <= _DEVICE
    return f"report-{words}".strip("-") if is_device else words


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


def summary(report: Report) -> str:
    """The spent budget in one line, and why searching and reading ended."""
    language = language_of(report.question)
    return (text("spent", language, **report.spending) + ending(report)).rstrip()


def ending(report: Report) -> str:
    """Why searching and reading ended before everything was done, or ''."""
    language = language_of(report.question)
    return text(f"ended_{report.ended}", language) if report.ended else ""


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
            query=one_line(search.query, _MOST_TITLE),
            engine=engine_title(search.error.provider or "", language),
            reason=short(search.error, language),
        )
    for page in report.unread:
        if (error := page.error) is not None:
            yield text(
                "page_unread",
                language,
                title=one_line(page.source.title),
                address=clip(page.source.url, _MOST_TITLE),
                reason=short(error, language),
            )


def _rendered(words: str) -> str:
    return str(_MARKDOWN.render(visible(words)))
