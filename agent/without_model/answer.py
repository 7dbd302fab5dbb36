"""Write a query and an answer without a model: quotations, or the reason for none."""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Final

from agent.events import Answer, Event, Token
from agent.without_model.select import LEAST, SURE, Quote, select
from agent.without_model.texts import TEXTS
from citations import Source
from text.language import language_of
from text.rank import Passage
from text.sentences import sentences
from text.terms import ASKING, STOPS, asked_terms
from untrusted.text import escaped
from websearch import SearchError, SearchResponse

MOST_QUERY: Final = 200

# Question words, a particle at the end, and pronouns at the beginning.
_LEFT_OUT = re.compile(
    rf"(?<!\S)那?[它他她其]的?|{ASKING}|[的了][?？]?$", re.IGNORECASE
)
_SIGNS: Final = "?!,;.:\"'()？！。，、；“”‘’（）"
# A word, or a few characters of a language that puts no space between words.
_PIECE = re.compile(r"\s*[A-Za-z0-9]+\s?|.{1,4}", re.DOTALL)


def keywords(question: str) -> str:
    """Return the words of *question* that a search engine needs, as written."""
    kept = _LEFT_OUT.sub(" ", " ".join(question.split()))
    words = (word.strip(_SIGNS) for word in kept.split())
    # Names are written in capitals: `US`, `IT` and `WHO`.
    return " ".join(
        word
        for word in words
        if word.lower() not in ("", *STOPS) or (word.isupper() and len(word) > 1)
    )


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
    stands_in: bool = False,
) -> str:
    """
    Return the answer in the language of *question*, as Markdown.

    It quotes *sources*: their pages, or else their snippets. *found* is None if no
    search was made. A follow-up question has a *topic*: the question as searched.
    Where it *stands_in* for a model that failed, it is '' without a fitting sentence.
    """
    texts = TEXTS[language_of(question)]
    passages = [
        Passage(source.number, source.title, source.text or source.snippet, source.url)
        for source in sources
    ]
    topic = topic or question
    heads, quotations = ["excerpts" if stands_in else "quoted"], list[Quote]()
    if isinstance(found, SearchResponse) and found.is_sample:
        heads.append("samples")
        for sample in passages:  # the first sentence says that it is a sample
            *_, last = sentences(sample.text)
            quotations.append(Quote(last, (sample.number,)))
    else:
        quotations, confidence = select(topic, passages)
        if confidence < LEAST:
            if stands_in:
                return ""
            quotations = []
            if not asked_terms(topic):
                heads = ["no_topic"]
            elif passages:
                heads = ["unfit"]
            elif found is None:
                heads = ["no_search"]
            else:
                heads = ["failed" if isinstance(found, SearchError) else "nothing"]
        elif confidence < SURE:
            heads.append("closest")
    items = (
        f"- \u201c{escaped(quote.text)}\u201d"
        + "".join(f"[{n}]" for n in quote.numbers)
        for quote in quotations
    )
    parts = [*(texts[name] for name in heads), "\n".join(items)]
    parts += [] if stands_in else [texts["better"]]
    return "\n\n".join(part for part in parts if part)
