"""Measure the built-in answerer on public questions, beside a plain BM25.

The questions stand in `../shared/corpora/qa` (CMRC 2018 trial, CLAPnq dev), with the
scorer that tells which quotation answers. They are read in place.
"""

import json
import runpy
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from agent.without_model import Passage
from agent.without_model.select import LEAST, SURE, select
from benchmarks.result import Figure, Skipped
from text.passages import find
from text.sentences import sentences

CORPUS: Final = Path(__file__).parents[2] / "shared" / "corpora" / "qa"

_THRESHOLDS: Final = (0.2, LEAST, 0.35, SURE, 0.6)
_PAGES, _PAGE = 10, 10_000
_SNIPPET: Final = 200  # characters
_ROUNDS: Final = 9

Row = Mapping[str, Any]
Right = Sequence[bool]  # whether each quotation answers its question


def first() -> Figure:
    """First quotation right, to BM25's first sentence: the lowest of the sets."""
    return _ratio(1)


def any_of_three() -> Figure:
    """One of three quotations right, to BM25's first three: the lowest of the sets."""
    return _ratio(3)


def refusal() -> Figure:
    """Measure the share of right answers that are declined, in %."""
    sure = {title: _confidences(ours) for title, (ours, _) in _measured().items()}
    right = [one for answered, _ in sure.values() for one in answered]
    lost = 100 * sum(one < LEAST for one in right) / len(right)
    rows = [f"below {one}: {_declined(one, sure)}" for one in _THRESHOLDS]
    return Figure(lost, "; ".join(rows))


def sure() -> Figure:
    """Snippets without an answer that sound sure, in %: the most of the sets."""
    scorer = runpy.run_path(str(CORPUS / "score.py"))
    shares, rows = [], []
    for title, questions in public_questions().items():
        answered = [_ours(_snippets(row), scorer) for row in questions]
        silent = [_ours(_snippets(row, scorer), scorer)[1] for row in questions]
        shares.append(100 * sum(one >= SURE for one in silent) / len(silent))
        right = [one for right, one in answered if any(right[:1])]
        lost = 100 * sum(one < SURE for one in right) / max(len(right), 1)
        rows.append(f"{title} {shares[-1]:.0f} % ({lost:.0f} % of the right ones lost)")
    return Figure(max(shares), "; ".join(rows))


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


def _ratio(most: int) -> Figure:
    shares = {
        title: (_share([right for right, _ in ours], most), _share(bm25, most))
        for title, (ours, bm25) in _measured().items()
    }
    shares = {title: pair for title, pair in shares.items() if any(pair)}
    details = (
        f"{title} {ours:.1f} % (BM25 {bm25:.1f} %)"
        for title, (ours, bm25) in shares.items()
    )
    return Figure(
        min(ours / bm25 for ours, bm25 in shares.values()), ", ".join(details)
    )


def _share(questions: Sequence[Right], most: int) -> float:
    """Return the questions that one of the first *most* quotations answers, in %."""
    return 100 * sum(any(right[:most]) for right in questions) / len(questions)


def _confidences(
    ours: Sequence[tuple[Right, float]],
) -> tuple[list[float], list[float]]:
    """Return those of the right answers, which some sets have none of, and of all."""
    return [sure for right, sure in ours if any(right)], [sure for _, sure in ours]


def _declined(
    threshold: float, sure: Mapping[str, tuple[Sequence[float], Sequence[float]]]
) -> str:
    lost, declined = [], []
    for title, (answered, asked) in sure.items():
        low = 100 * sum(one < threshold for one in answered or asked)
        if answered:
            lost.append(f"{title} loses {low / len(answered):.1f} %")
        else:
            declined.append(f"{title} declined {low / len(asked):.0f} %")
    return ", ".join([*lost, *sorted(declined)])


@cache
def _measured() -> dict[str, tuple[list[tuple[Right, float]], list[Right]]]:
    """Answer the questions of each set by us, with our confidence, and by BM25."""
    rows = public_questions()
    scorer = runpy.run_path(str(CORPUS / "score.py"))
    return {
        title: ([_ours(row, scorer) for row in of], [_bm25(row, scorer) for row in of])
        for title, of in rows.items()
    }


def _ours(row: Row, scorer: Mapping[str, Any]) -> tuple[Right, float]:
    chosen, confidence = select(row["question"], _passages(row))
    return [scorer["answers"](row, quote.text) for quote in chosen], confidence


def _bm25(row: Row, scorer: Mapping[str, Any]) -> Right:
    texts = scorer["plain"](row["question"], row["passages"])
    return [scorer["answers"](row, text) for text in texts]


def _snippets(row: Row, scorer: Mapping[str, Any] | None = None) -> Row:
    """The question with a snippet of each page; with a *scorer* none that answers."""
    passages = []
    for one in row["passages"]:
        text = " ".join(
            sentence
            for sentence in sentences(one["text"])
            if scorer is None or not scorer["answers"](row, sentence)
        )
        passages.append({**one, "text": find(row["question"], text, _SNIPPET).text})
    return {**row, "passages": passages}


def _passages(row: Row) -> list[Passage]:
    return [
        Passage(number, one["title"], one["text"], one.get("url", ""))
        for number, one in enumerate(row["passages"], start=1)
    ]


def quoted(question: str, passages: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the quotations for the scorer: `score.py benchmarks.quotes:quoted`."""
    row = {"question": question, "passages": passages}
    return [quote.text for quote in select(question, _passages(row))[0]]
