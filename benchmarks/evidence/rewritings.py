"""
Count sound rewritings of quotations that the gate of a report refuses.

A line `# page` names a text by the beginning of its SHA-1, `> words` quotes the first
of its sentences with them, and each other line is a rewriting that says the same. All
were written before the gate had judged one of them. The English texts are cut into
words, which are joined here as on a page.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from agent.research.write import checked
from benchmarks.evidence.answers import public_texts
from benchmarks.result import Figure
from text.language import language_of
from text.sentences import sentence_spans

SETS: Final = {
    name: Path(__file__).with_name(f"{name}.txt")
    for name in ("rewritings", "rewritings_held")
}


def refused() -> Figure:
    """Measure the share of sound rewritings that give way to quotations, in %."""
    details, shares = [], []
    for name in SETS:
        judged = [
            (language_of(sentence), not passes(sentence, quotations))
            for sentence, quotations in rewritings(name)
        ]
        for language in ("zh", "en"):
            lost = [is_lost for one, is_lost in judged if one == language]
            details.append(f"{name}, {language}: {sum(lost)} of {len(lost)}")
        shares.append(100 * sum(is_lost for _, is_lost in judged) / len(judged))
    return Figure(max(shares), "; ".join(details))


def passes(sentence: str, quotations: Sequence[str]) -> bool:
    """Tell whether a sentence of a model with these quotations stands in a report."""
    cited = re.sub(r"([。.]?)$", r"[1]\1", sentence, count=1)
    judged = checked(cited, {1: quotations}, language_of(sentence))
    return all(statement for _, statement in judged)


def rewritings(name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each rewriting of a set with its quotations."""
    texts = public_texts()
    content = SETS[name].read_text(encoding="utf-8")
    for block in re.split(r"^# ", content, flags=re.MULTILINE)[1:]:
        page, *lines = block.strip().splitlines()
        said = _joined(texts[page])
        quoted = [" ".join(said[slice(*one)].split()) for one in sentence_spans(said)]
        quotations = [
            next(one for one in quoted if _joined(line[2:]) in one)
            for line in lines
            if line.startswith("> ")
        ]
        yield from ((line, quotations) for line in lines if line[:2] != "> ")


def _joined(text: str) -> str:
    text = (
        text.replace(" -- ", "\u2013")
        .replace(" - ", "-")
        .replace("( ", "(")
        .replace(" / ", "/")
    )
    return re.sub(r" (?=[,.;:%)?!]|'s\b)", "", text)
