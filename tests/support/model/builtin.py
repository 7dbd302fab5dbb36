"""Results for the built-in answerer, and its answer taken apart."""

import re

from agent.without_model.answer import answer_text
from citations import Source
from untrusted.text import clean_text
from websearch import SearchItem, SearchResponse


def response(*snippets: str, title: str = "") -> SearchResponse:
    """Results of a search, cleaned as the service cleans them."""
    items = [
        SearchItem(clean_text(title), f"https://site{n}.example/p", text, "searxng", n)
        for n, text in enumerate(map(clean_text, snippets), start=1)
    ]
    return SearchResponse("q", "searxng", items)


def answered(question: str, found: SearchResponse) -> str:
    """The answer to *question*, with results numbered from 1."""
    sources = [Source.of(n, item) for n, item in enumerate(found.items, start=1)]
    return answer_text(question, found, sources)


def quoted(answer: str) -> list[tuple[str, str]]:
    """Each quotation with its markers."""
    return re.findall(r"^- “(.*)”((?:\[[0-9]+\])+)$", answer, re.MULTILINE)
