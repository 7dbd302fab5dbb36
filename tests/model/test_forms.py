"""
What models write beside plain text, forced on a real model by a grammar.

The server splits it into pieces where the model's own tokens end.
"""

import re

import pytest
from support.model.real_model import QUESTIONS, Start, beside
from support.pages.pages_web import PagesWeb
from support.world import answer_of

from agent import Mode
from agent.events import SearchFinished, SearchStarted, Thought
from citations import link

pytestmark = pytest.mark.slow

WORDS = "[a-z ]{5,20}"
CALL = '{"name": "web_search", "arguments": {"query": "Pelmar Bridge"}}'


def grammar(*parts: str) -> dict[str, str]:
    """Options of a server whose model writes these parts; `[a-z]` are free letters."""
    quoted = (
        part
        if part == WORDS
        else '"'
        + part.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        + '"'
        for part in parts
    )
    return {"sampling__grammar": f"root ::= {' '.join(quoted)}"}


MARKED = (
    "[1]",
    *("[citation:1]", "[[citation:1]]", "[^1^]", "【1†source】", "[cite: 1, 2]"),
    *("[ref_1]", "[webpage 1]", "[来源1]", "[Source 1]"),
)


@pytest.mark.spec("Y4")
async def test_markers(start_llama: Start, web: PagesWeb) -> None:
    """Each form of a marker becomes a link; unknown numbers and addresses don't."""
    unsafe = ("[77]", "[3](https://invented.example/a)", "https://invented.example/b")
    parts = [part for one in (*MARKED, *unsafe) for part in (WORDS, f" {one}. ")]
    with start_llama(n_ctx=2_048, **grammar(*parts)) as server:
        async with beside(server.base_url, web) as w:
            answer = answer_of(await w.ask(QUESTIONS["en"]))

    linked = link(answer.text, answer.sources)
    urls = re.findall(r"\]\(([^)]+)\)", linked.partition("[77]")[0])
    assert len(urls) == len(MARKED) + 1  # one names two
    assert set(urls) <= {source.url for source in answer.sources.values()}


@pytest.mark.spec("Y3")
async def test_thoughts(start_llama: Start, web: PagesWeb) -> None:
    """`<think>` in the text is thought, and no part of the answer."""
    options = grammar("<think>", WORDS, "</think>\n\n", WORDS, ".")
    with start_llama(n_ctx=1_024, reasoning_format=0, **options) as server:
        async with beside(server.base_url, web, on=False) as w:
            events = await w.ask("Hello!")

    assert any(isinstance(event, Thought) for event in events)
    assert "think" not in answer_of(events).text


@pytest.mark.spec("Y3")
@pytest.mark.parametrize(
    "form", ["```json\n{}\n```", "<tool_call>\n{}\n</tool_call>", "{}"]
)
async def test_calls_as_text(form: str, start_llama: Start, web: PagesWeb) -> None:
    """A call that a model writes as text is made, and never shown as the answer."""
    options = grammar(form.replace("{}", CALL))
    with start_llama(n_ctx=4_096, **options) as server:
        async with beside(
            server.base_url,
            web,
            mode=Mode.AGENT,
            AGENT_MAX_SEARCHES=1,
            AGENT_MAX_PAGES=1,
        ) as w:
            events = await w.ask(QUESTIONS["en"])

    searched = [event.query for event in events if isinstance(event, SearchStarted)]
    assert "Pelmar Bridge" in searched
    assert any(isinstance(event, SearchFinished) for event in events)
