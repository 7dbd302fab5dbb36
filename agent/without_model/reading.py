"""What the built-in answerer is asked, read out of the messages a model gets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from agent import prompts
from agent.agent_mode import prompts as agent_prompts
from agent.without_model.quote_query import keywords
from agent.without_model.quote_stops import POINTING
from agent.without_model.quote_text import asked_terms
from agent.without_model.quoting import Passage

MOST_QUERY: Final = 200

_FENCE = re.compile("=====search-results-[0-9a-f]{16}=====")
_PROMPT_ITEM = re.compile(
    r"\[([0-9]{1,4})\] (.*)\nSource: .*\nURL: (.*)\nSnippet: ?(.*)"
)
_TOOL_ITEM = re.compile(r"\[([0-9]{1,4})\] ([^|]*?) \| (\S*) \| ?(.*)")
_HOLE = re.compile(r"\{\w+\}")
# Terms of a question that does not stand alone, and of one that may point back.
_FEW: Final = 2
_SHORT: Final = 6


class Outcome(Enum):
    """What came of searching."""

    NOT_SEARCHED = auto()
    FAILED = auto()
    NOTHING = auto()
    FOUND = auto()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what was found; the *subject* may lean on the one before."""

    question: str
    subject: str
    outcome: Outcome
    passages: Sequence[Passage] = ()

    @property
    def query(self) -> str:
        """Keywords to search with; '' where there is nothing to look for."""
        return keywords(self.subject)[:MOST_QUERY].strip()


def read(messages: Sequence[BaseMessage]) -> Asked:
    """The last question, and the results that stand in it or follow it."""
    questions = [n for n, one in enumerate(messages) if isinstance(one, HumanMessage)]
    if not questions:
        return Asked("", "", Outcome.NOT_SEARCHED)
    last = questions[-1]
    earlier = [messages[n].text for n in questions[:-1]]
    told = [one.text for one in messages[last:] if isinstance(one, ToolMessage)]
    asked = _from_prompt(messages[last].text)
    if asked.outcome is not Outcome.NOT_SEARCHED:
        return asked  # what was searched for was this question alone
    subject = _subject(asked.question, earlier[-1] if earlier else "")
    if not told:
        return Asked(asked.question, subject, asked.outcome)
    passages = [passage for text in told for passage in _tool_items(text)]
    return Asked(asked.question, subject, _outcome(told, passages), passages)


def _from_prompt(text: str) -> Asked:
    """Chat mode's message: question and results in one, or the question alone."""
    for texts in prompts.TEXTS.values():
        head, middle = _HOLE.split(texts["results"])[:2]
        if text.startswith(head) and (fence := _FENCE.match(text, len(head))):
            results, _, rest = text[fence.end() :].rpartition(fence[0])
            question = rest.removeprefix(middle)
            items = list(_prompt_items(results))
            return Asked(question, question, Outcome.FOUND, items)
        head = _HOLE.split(texts["nothing"])[0]
        if text.startswith(head):
            question = text.removeprefix(head)
            return Asked(question, question, Outcome.NOTHING)
    return Asked(text, text, Outcome.NOT_SEARCHED)


def _prompt_items(results: str) -> Iterator[Passage]:
    for block in results.strip("\n").split("\n\n"):
        if match := _PROMPT_ITEM.fullmatch(block):
            number, title, url, snippet = match.groups()
            yield Passage(int(number), title, snippet, url)


def _tool_items(text: str) -> Iterator[Passage]:
    fence = _FENCE.match(text)
    if fence is None:
        return
    results, _, _ = text[fence.end() :].rpartition(fence[0])
    for line in results.split("\n"):
        if match := _TOOL_ITEM.fullmatch(line):
            number, title, url, snippet = match.groups()
            yield Passage(int(number), title, snippet, url)


def _outcome(told: Sequence[str], passages: Sequence[Passage]) -> Outcome:
    if passages:
        return Outcome.FOUND
    nothing = tuple(texts["nothing"] for texts in agent_prompts.TEXTS.values())
    found_none = any(text.startswith(nothing) for text in told)
    return Outcome.NOTHING if found_none else Outcome.FAILED


def _subject(question: str, earlier: str) -> str:
    """The question, behind the one before where it says too little by itself."""
    count = len(asked_terms(question))
    points = count < _SHORT and POINTING.search(question)
    if earlier and (points or count < _FEW):
        return f"{keywords(earlier)} {question}"
    return question if count else ""
