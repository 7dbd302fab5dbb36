"""
Read labelled answers over public pages.

A line `# page 99e8805a | question` names the text that the answer below it cites, by
the beginning of its SHA-1; `# snippet` takes its first 220 characters. Behind
`# own | question` stand the texts themselves, each a line `[1] title: text`. Each
further line is one sentence, with its values in braces: `{2,280}` stands in the text or
follows from it, `{!9,280}` does not. `{@Ada Lovelace}` is a name that the text holds.
Where several texts are at hand, a sentence ends with its citations.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.result import Skipped
from citations.evidence import IndexedText, index

CORPUS: Final = Path(__file__).parents[3] / "shared" / "corpora" / "qa"
SETS: Final = {
    name: Path(__file__).with_name(f"{name}.txt")
    for name in ("tuned", "held", "reckoned")
}
_SNIPPET: Final = 220
_FEW_HAN: Final = 10  # characters of a name on an English page
_OWN = re.compile(r"\[(\d)\] (.*?)(?:：|: )(.*)")
_CITES = re.compile(r"((?:\[\d\])+)(?=[。.]?$)")
_MARK = re.compile(r"\{([!@]?)([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of an answer, with the places of its values; True where sound."""

    words: str
    values: Mapping[tuple[int, int], bool] = field(default_factory=dict)
    cites: str = "[1]"

    @property
    def cited(self) -> str:
        """The sentence with its citations before the full stop."""
        return re.sub(r"([。.]?)$", rf"{self.cites}\1", self.words, count=1)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question, over one text or several."""

    question: str
    texts: Mapping[int, IndexedText]
    lines: tuple[Line, ...]

    @property
    def original(self) -> str:
        """All its texts."""
        return "\n".join(text.original for text in self.texts.values())

    @property
    def language(self) -> str:
        """The language of the texts that are cited: `zh` or `en`."""
        han = re.findall("[\u4e00-\u9fff]", self.original[:100])
        return "zh" if len(han) > _FEW_HAN else "en"


@cache
def answers(name: str) -> tuple[Answer, ...]:
    """Read a set; skipped where the public pages that it needs are missing."""
    return tuple(_read(SETS[name].read_text(encoding="utf-8")))


def _read(content: str) -> Iterator[Answer]:
    for block in re.split(r"^# ", content, flags=re.MULTILINE)[1:]:
        head, *lines = block.strip().splitlines()
        source, _, question = head.partition(" | ")
        kind, _, digest = source.partition(" ")
        own = [match for line in lines if (match := _OWN.fullmatch(line))]
        if kind == "own":
            texts = {int(one[1]): index(f"{one[2]}\n{one[3]}") for one in own}
        else:
            text = public_texts()[digest]
            texts = {1: index(text[:_SNIPPET] if kind == "snippet" else text)}
        yield Answer(question, texts, tuple(map(_line, lines[len(own) :])))


def _line(written: str) -> Line:
    cites = _CITES.search(written)
    written = _CITES.sub("", written)
    words, at = "", 0
    values: dict[tuple[int, int], bool] = {}
    for match in _MARK.finditer(written):
        words += written[at : match.start()]
        if match[1] != "@":
            values[len(words), len(words) + len(match[2])] = match[1] != "!"
        words, at = words + match[2], match.end()
    return Line(words + written[at:], values, cites[1] if cites else "[1]")


@cache
def public_texts() -> Mapping[str, str]:
    """Return each passage, with its title, by the beginning of its SHA-1."""
    if not CORPUS.is_dir():
        raise Skipped(f"{CORPUS} is missing; the pages are not part of this")
    found = {}
    for file in sorted(CORPUS.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            for passage in json.loads(line)["passages"]:
                said = passage["text"]
                digest = hashlib.sha1(said.encode(), usedforsecurity=False).hexdigest()
                found[digest[:8]] = f"{passage['title']}\n{said}".lstrip()
    return found
