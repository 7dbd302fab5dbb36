"""Measure the built-in answerer on public questions, beside a plain BM25.

The questions stand in `../shared/corpora/qa` (CMRC 2018 trial, CLAPnq dev), with the
scorer that tells which quotation answers. They are read in place.
"""

import json
import runpy
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from agent.without_model import Passage
from agent.without_model.select import LEAST, SURE, select
from benchmarks.result import Figure, Skipped

CORPUS: Final = Path(__file__).parents[2] / "shared" / "corpora" / "qa"

_THRESHOLDS: Final = (0.2, LEAST, 0.35, SURE, 0.6)
_PAGES, _PAGE = 10, 10_000
_ROUNDS: Final = 9

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a question: the first quotation answers, any of them answers."""

    first: bool
    any: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Measured:
    """The questions of one set, answered by us and by BM25."""

    ours: Sequence[Outcome]
    bm25: Sequence[Outcome]

    def shares(self, name: str) -> tuple[float, float]:
        """Return the percentage of right answers, ours and that of BM25."""
        ours, bm25 = (
            100 * sum(getattr(one, name) for one in side) / len(side)
            for side in (self.ours, self.bm25)
        )
        return ours, bm25


def first() -> Figure:
    """First quotation right, to BM25's first sentence: the lowest of the sets."""
    return _ratio("first")


def any_of_three() -> Figure:
    """One of three quotations right, to BM25's first three: the lowest of the sets."""
    return _ratio("any")


def refusal() -> Figure:
    """Measure the share of right answers that are declined, in %."""
    answered, unanswered = _parted()
    right = [one for outcomes in answered.values() for one in outcomes if one.any]
    lost = 100 * sum(one.confidence < LEAST for one in right) / len(right)
    rows = [
        f"below {threshold}: {_declined(threshold, answered, unanswered)}"
        for threshold in _THRESHOLDS
    ]
    return Figure(lost, "; ".join(rows))


def pages() -> Figure:
    """CPU time of choosing from ten Chinese pages of 10,000 characters, in ms."""
    texts = (
        p["text"] for row in public_questions()["cmrc page"] for p in row["passages"]
    )
    text = "".join(dict.fromkeys(texts))
    found = [Passage(n, "", text[n * _PAGE : (n + 1) * _PAGE]) for n in range(_PAGES)]
    assert all(len(one.text) == _PAGE for one in found), "the corpus is too small"
    times = []
    for _ in range(_ROUNDS):
        started = time.process_time()
        select("港珠澳大桥是什么时候通车的，全长多少公里？", found)
        times.append(1000 * (time.process_time() - started))
    return Figure(min(times), f"{max(times):.1f} ms the slowest of {_ROUNDS}")


def public_questions() -> dict[str, list[Row]]:
    """The questions of each set; skipped where the folder is missing."""
    if not CORPUS.is_dir():
        raise Skipped(f"{CORPUS} is missing; the public questions are not part of this")
    sets = defaultdict(list)
    for file in sorted(CORPUS.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            sets[row["set"]].append(row)
    return sets


def _ratio(name: str) -> Figure:
    shares = {title: one.shares(name) for title, one in _measured().items()}
    shares = {title: pair for title, pair in shares.items() if any(pair)}
    details = (
        f"{title} {ours:.1f} % (BM25 {bm25:.1f} %)"
        for title, (ours, bm25) in shares.items()
    )
    return Figure(
        min(ours / bm25 for ours, bm25 in shares.values()), ", ".join(details)
    )


def _parted() -> tuple[dict[str, Sequence[Outcome]], dict[str, Sequence[Outcome]]]:
    """Split the questions into those with and those without an answer."""
    ours = {title: one.ours for title, one in _measured().items()}
    answered = {title: of for title, of in ours.items() if any(one.any for one in of)}
    return answered, {title: ours[title] for title in ours.keys() - answered.keys()}


def _declined(
    threshold: float,
    answered: Mapping[str, Sequence[Outcome]],
    unanswered: Mapping[str, Sequence[Outcome]],
) -> str:
    parts = []
    for title, of in answered.items():
        right = [one.confidence < threshold for one in of if one.any]
        parts.append(f"{title} loses {100 * sum(right) / len(right):.1f} %")
    for title, of in sorted(unanswered.items()):
        low = sum(one.confidence < threshold for one in of)
        parts.append(f"{title} declined {100 * low / len(of):.0f} %")
    return ", ".join(parts)


@cache
def _measured() -> dict[str, Measured]:
    rows = public_questions()
    scorer = runpy.run_path(str(CORPUS / "score.py"))
    return {
        title: Measured(
            [_ours(row, scorer) for row in of], [_bm25(row, scorer) for row in of]
        )
        for title, of in rows.items()
    }


def _ours(row: Row, scorer: Mapping[str, Any]) -> Outcome:
    chosen = select(row["question"], _passages(row))
    texts = [quote.text for quote in chosen.quotes]
    return _outcome(row, texts, scorer, chosen.confidence)


def _bm25(row: Row, scorer: Mapping[str, Any]) -> Outcome:
    texts = scorer["plain"](row["question"], row["passages"])
    return _outcome(row, texts, scorer, 1.0)


def _outcome(
    row: Row, texts: Sequence[str], scorer: Mapping[str, Any], confidence: float
) -> Outcome:
    right = [scorer["answers"](row, text) for text in texts]
    return Outcome(right[:1] == [True], any(right), confidence)


def _passages(row: Row) -> list[Passage]:
    return [
        Passage(number, one["title"], one["text"], one.get("url", ""))
        for number, one in enumerate(row["passages"], start=1)
    ]


def quoted(question: str, passages: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the quotations for the scorer: `score.py benchmarks.quotes:quoted`."""
    row = {"question": question, "passages": passages}
    return [quote.text for quote in select(question, _passages(row)).quotes]
