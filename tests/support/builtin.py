"""What the built-in answerer is given, and what it gives."""

import re

from agent.prompts import question_prompt
from agent.without_model.model import BuiltinChatModel
from untrusted.text import clean_text
from websearch import SearchItem, SearchResponse

MODEL = BuiltinChatModel()


def response(*snippets: str, title: str = "") -> SearchResponse:
    """What a search found, cleaned as it is by the service."""
    items = [
        SearchItem(clean_text(title), f"https://site{n}.example/p", text, "stub", n)
        for n, text in enumerate(map(clean_text, snippets), start=1)
    ]
    return SearchResponse("q", "stub", items)


def chat(question: str, found: SearchResponse | None) -> str:
    """The answer to Chat mode's message."""
    messages = [("system", "…"), ("user", question_prompt(question, found, 10, 2_000))]
    return MODEL.invoke(messages).text


def quoted(answer: str) -> list[tuple[str, str]]:
    """Each quotation with its markers."""
    return re.findall(r"^- “(.*)”((?:\[[0-9]+\])+)$", answer, re.MULTILINE)
