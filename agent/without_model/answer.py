"""What the built-in answerer writes: quotations, or why there are none."""

import re
from collections.abc import Sequence
from typing import Final

from agent.prompts import language_of
from agent.sanitize import unmark
from agent.without_model.quote_text import sentences
from agent.without_model.quoting import Passage, Quote, quotes
from agent.without_model.reading import Asked, Outcome
from agent.without_model.texts import TEXTS
from websearch import is_sample

# Signs that could begin markup within a line; all others are left to be read.
_MARKUP: Final = re.compile(
    r"[\\`*\[\]<]|(?<![^\W_])_|_(?![^\W_])|&(?=#?[A-Za-z0-9]+;)"
)
_TILDE: Final = "~"
_REASONS: Final = {
    Outcome.NOT_SEARCHED: "no_search",
    Outcome.FAILED: "failed",
    Outcome.NOTHING: "nothing",
}


def answer_to(asked: Asked) -> str:
    """The whole answer, in the language of the question, as Markdown."""
    texts = TEXTS[language_of(asked.question)]
    found: Sequence[Quote] = ()
    if _is_demo(asked):
        found = _of_samples(asked.passages)
    elif asked.outcome is Outcome.FOUND:
        found = quotes(asked.subject, asked.passages)
    parts = [texts[_head(asked, found)], texts["better"]]
    if found:
        parts.insert(1, "\n".join(_item(quote) for quote in found))
    return "\n\n".join(parts)


def _is_demo(asked: Asked) -> bool:
    found = asked.outcome is Outcome.FOUND
    return found and all(is_sample(one.title) for one in asked.passages)


def _of_samples(passages: Sequence[Passage]) -> list[Quote]:
    """The last sentence of each, whatever was asked: the first says what it is."""
    said = ((one.number, sentences(one.text)[-1:]) for one in passages)
    return [Quote(last[0], (number,)) for number, last in said if last]


def _head(asked: Asked, found: Sequence[Quote]) -> str:
    if _is_demo(asked) and found:
        return "samples"
    if asked.outcome is Outcome.FOUND:
        return "quoted" if found else "unfit"
    return _REASONS[asked.outcome] if asked.subject else "no_subject"


def escaped(sentence: str) -> str:
    """A stranger's *sentence* as one line that Markdown shows as it is."""
    line = " ".join(unmark(sentence).split())
    shown = _MARKUP.sub(r"\\\g<0>", line)
    # Two of them strike out what stands between: `10~20, 30~40`.
    return shown.replace(_TILDE, r"\~") if shown.count(_TILDE) > 1 else shown


def _item(quote: Quote) -> str:
    return f"- \u201c{escaped(quote.text)}\u201d{_markers(quote.numbers)}"


def _markers(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)
