"""Write an answer without a model: quotations, or the reason for none."""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from typing import Final

from agent.events import Answer, Event, Token
from agent.prompts import language_of, unmark
from agent.without_model.ranking import Passage
from agent.without_model.select import LEAST, SURE, Quote, select
from agent.without_model.sentences import asked_terms, sentences
from agent.without_model.texts import TEXTS
from citations import Source
from websearch import SearchError, SearchResponse

# Signs that could begin markup within a line; all others need no backslash.
_MARKUP: Final = re.compile(
    r"[\\`*\[\]<]|(?<![^\W_])_|_(?![^\W_])|&(?=#?[A-Za-z0-9]+;)"
)
_TILDE: Final = "~"
# A word, or a few characters of a language that puts no space between words.
_PIECE: Final = re.compile(r"\s*[A-Za-z0-9]+\s?|.{1,4}", re.DOTALL)


async def stream(
    text: str, sources: Mapping[int, Source]
) -> AsyncGenerator[Event, None]:
    """Send *text* piece by piece, then as a whole with its sources."""
    for piece in _PIECE.findall(text):
        await asyncio.sleep(0)  # a stop can cancel here
        yield Token(piece)
    yield Answer(text, sources)


def answer_text(
    question: str,
    found: SearchResponse | SearchError | None,
    sources: Iterable[Source] = (),
    *,
    topic: str = "",
) -> str:
    """
    Return the answer in the language of *question*, as Markdown.

    It quotes *sources*: their pages, or else their snippets. *found* is None if no
    search was made. A follow-up question has a *topic* with words of the one before.
    """
    texts = TEXTS[language_of(question)]
    topic = topic or question
    quotations: Sequence[Quote] = ()
    passages = [
        Passage(one.number, one.title, one.text or one.snippet, one.url)
        for one in sources
    ]
    if passages:
        is_offline = isinstance(found, SearchResponse) and found.is_sample
        key, quotations = _ends(passages) if is_offline else _choose(topic, passages)
    else:
        key = _why_nothing(found)
    if not quotations and not asked_terms(topic):
        key = "no_topic"
    items = "\n".join(_item(quote) for quote in quotations)
    return "\n\n".join(part for part in (texts[key], items, texts["better"]) if part)


def _choose(topic: str, passages: Sequence[Passage]) -> tuple[str, Sequence[Quote]]:
    """Return the name of the introduction, and the quotations."""
    chosen = select(topic, passages)
    if chosen.confidence < LEAST:
        return "unfit", ()
    return "quoted" if chosen.confidence >= SURE else "closest", chosen.quotes


def _ends(samples: Sequence[Passage]) -> tuple[str, Sequence[Quote]]:
    """Quote the last sentence of each sample; the first says that it is a sample."""
    return "samples", [
        Quote([*sentences(one.text)][-1], (one.number,)) for one in samples
    ]


def _why_nothing(found: SearchResponse | SearchError | None) -> str:
    if found is None:
        return "no_search"
    return "failed" if isinstance(found, SearchError) else "nothing"


def _item(quote: Quote) -> str:
    markers = "".join(f"[{number}]" for number in quote.numbers)
    return f"- \u201c{escaped(quote.text)}\u201d{markers}"


def escaped(sentence: str) -> str:
    """Escape a foreign *sentence*, so that Markdown shows it unchanged in one line."""
    line = " ".join(unmark(sentence).split())
    shown = _MARKUP.sub(r"\\\g<0>", line)
    # Two tildes strike out the words between them: `10~20, 30~40`.
    return shown.replace(_TILDE, r"\~") if shown.count(_TILDE) > 1 else shown
