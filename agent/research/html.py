"""Write a report as one HTML file: styles inside, no script, no request."""

import re
from html import escape
from typing import Final

from markdown_it import MarkdownIt

from agent.prompts import today
from agent.research.markdown import (
    MOST_TITLE,
    body,
    quoted,
    references,
    summary,
    title_of,
)
from agent.research.report import Report, Statement
from agent.research.texts import text
from text.language import language_of
from untrusted.text import escaped, one_line, shown, visible

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


def as_html(report: Report) -> str:
    """The whole report as a page that can be opened, sent and printed."""
    language = language_of(report.question)

    def mark(number: int, statement: Statement) -> str:
        """Link to the reference, with the evidence as a tooltip."""
        evidence = one_line(statement.evidence.get(number, ""), _LONGEST_TOOLTIP)
        return f'[[{number}]](#s{number} "{escaped(evidence)}")'

    quotations: dict[int, str] = {}
    for number, quotes in report.evidence.items():
        lines = (f"  > {quoted(shown(' '.join(quote.split())))}" for quote in quotes)
        quotations[number] = "\\\n".join(dict.fromkeys(lines))
    made = text("made", language, product=PRODUCT, day=today().isoformat())
    parts = [
        "<!doctype html>",
        f'<html lang="{"zh-CN" if language == "zh" else "en"}">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escape(one_line(report.question, MOST_TITLE))}</title>",
        f"<style>{_STYLE}</style></head><body><main>",
        _rendered(f"# {title_of(report)}\n\n{body(report, mark)}"),
        _REFERENCE.sub(
            r'<li id="s\1"><strong>[\1]',
            _rendered(references(report, below=quotations)),
        ),
        "</main><footer>",
        _rendered(f"*{summary(report)}*\n\n*{made}*"),
        "</footer></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _rendered(words: str) -> str:
    return str(_MARKDOWN.render(visible(words)))
