"""Quotations have the letters of their page, at every edge where they are shown."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable
from html import escape
from typing import Final

import pytest
from selectolax.lexbor import LexborHTMLParser
from support.markdown import PARSER

from agent.research import Budget, Ended, Report, as_html, as_markdown, body
from agent.research.quoting import Library
from agent.research.tool import as_result
from agent.without_model.answer import answer_text
from citations import Source, link, page_form, source_list
from citations.evidence import check
from untrusted.text import for_terminal
from websearch.parsing.extract import Extract, extract

QUESTION: Final = "How deep is Lake Orvane?"
SENTENCES: Final = (
    "Lake Orvane is 214 metres deep, a_b *c* # d $5 <b> [3] and pg_upgrade.",
    "2.6 million cubic metres fill Lake Orvane &amp; its deep *bays*, 10~20 or 30~40.",
    'Lake Orvane # is deep: [a](b) `x_y` ~~z~~ C:\\d\\_e "f" 【2】 [来源1] www.g.org',
    r"Lake Orvane is deep: $x$ and \(a_1\), $5 to $6, \[b = c\] [ $d = 1 ], $HOME.",
)
MORE: Final = (
    "<p>The shore is walked by many people in summer, and by few in winter.</p>" * 9
)


def page(sentence: str) -> Extract:
    """A page that shows *sentence* below its heading, with marks of footnotes."""
    words = escape(sentence).replace("pg_upgrade.", "<code>pg_upgrade</code>.")
    html = (
        f"<html><title>Lake</title><body><article><h2>Lake Orvane deep</h2><p>{words}"
        f'<sup><a href="#a">[1]</a></sup><sup>2</sup></p>{MORE}</article></body></html>'
    )
    return extract(html.encode(), media="html")


def source(sentence: str) -> Source:
    """The page as a source that was read."""
    found = page(sentence)
    return Source(
        1, "Lake", "https://lake.example/", text=found.text, markdown=found.markdown
    )


def report(sentence: str) -> Report:
    """A report that quotes the page."""
    library = Library()
    asyncio.run(library.add_page(source(sentence)))
    sections = library.sections([QUESTION])
    return Report(
        QUESTION, Budget(), sections=sections, sources=library.sources,
        ended=Ended.COMPLETE,
    )  # fmt: skip


def seen(markdown: str) -> str:
    """The letters that a reader of *markdown* sees, who draws formulas in `$`."""
    assert not re.search(r"(?<!\\)\$", markdown)
    blocks = (block.children or () for block in PARSER.parse(markdown))
    return "\n".join("".join(part.content for part in parts) for parts in blocks)


def answer(sentence: str) -> str:
    """The answer without a model, as Markdown."""
    return answer_text(QUESTION, None, [source(sentence)])


EDGES: Final[dict[str, Callable[[str], str]]] = {
    "page that is read": lambda words: page(words).text,
    "page for a model": lambda words: page(words).markdown,
    "answer on the page": lambda words: seen(page_form(answer(words), {})),
    "answer on the command line": lambda words: for_terminal(link(answer(words), {})),
    "preview of a citation": lambda words: check(
        f"Lake Orvane is deep: {words[:40]} [1].", {1: source(words).words}
    )[0].quote,
    "snippet below an answer": lambda words: seen(
        source_list([Source(1, "", "https://x.example/", words)], snippets=True)
    ),
    "report on the page": lambda words: seen(page_form(body(report(words)), {})),
    "report as Markdown": lambda words: seen(as_markdown(report(words))),
    "report as HTML": lambda words: LexborHTMLParser(as_html(report(words))).text(),
    "report as JSON": lambda words: as_result(
        report(words), defaultdict(str), "searxng", 1
    )["sections"][0]["statements"][0]["text"],
}  # fmt: skip


@pytest.mark.spec("X7")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("sentence", SENTENCES, ids=range(len(SENTENCES)))
def test_letters(edge: str, sentence: str) -> None:
    """A sentence makes the round trip, without its footnote and without its heading."""
    shown = EDGES[edge](sentence)

    assert sentence in shown
    assert f"{sentence}[1]²" not in shown.replace(" ", "")
