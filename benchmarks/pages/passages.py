"""
Measure the passages of pages that the model gets, on public questions.

The questions stand in `../shared/corpora/qa`, with a plain BM25. They are read in
place. A long page is made of many pages of the set, one of which has the answer.
"""

import random
import runpy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from agent.without_model import Passage
from benchmarks.quotes import CORPUS, Row, public_questions
from benchmarks.result import Figure
from text.passages import pick, split
from untrusted.text import clip

_BUDGETS: Final = (1_000, 2_000)
_WHOLE: Final = 12_000
_SNIPPET: Final = 200
_LONG_PAGE: Final = 10_000
_PAGES: Final = 5
_SEED: Final = 7

Pages = Sequence[str]
Way = Callable[[str, Pages, int], str]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with the pages that a search found, and the letters of its answers."""

    question: str
    pages: Pages
    answers: Sequence[str]


def quality() -> Figure:
    """Share with the answer, to the better of BM25 and the beginning: the lowest."""
    scorer = runpy.run_path(str(CORPUS / "score.py"))
    ranked = runpy.run_path(str(CORPUS / "bm25.py"))["ranked"]
    ways: dict[str, Way] = {
        "ours": _ours,
        "BM25": lambda question, pages, most: _bm25(ranked, question, pages, most),
        "beginning": _beginning,
    }
    ratios, details = [], []
    for title, cases, budget in _sets(scorer["letters"]):
        shares = {
            name: _share(cases, way, budget, scorer["letters"])
            for name, way in ways.items()
        }
        snippets = _share(
            cases,
            lambda question, pages, _: _snippets(ranked, question, pages),
            budget,
            scorer["letters"],
        )
        ratios.append(shares["ours"] / max(shares["BM25"], shares["beginning"]))
        told = ", ".join(f"{name} {share:.1f} %" for name, share in shares.items())
        details.append(
            f"{title}, {len(cases)} questions, {budget}: {told}, "
            f"without reading {snippets:.1f} %"
        )
    return Figure(min(ratios), "; ".join(details))


def _sets(letters: Callable[[str], str]) -> Iterator[tuple[str, list[Case], int]]:
    """Yield sets of cases with a budget: pages as they are, and long pages."""
    for title, rows in public_questions().items():
        cases = [case for row in rows if (case := _case(row, letters)) is not None]
        if not cases:
            continue
        for budget in _BUDGETS:
            longer = [case for case in cases if sum(map(len, case.pages)) > budget]
            if len(longer) >= len(cases) / 4:  # else almost every page fits whole
                yield title, longer, budget
        if len(cases[0].pages) == 1:
            yield f"{title}, {_PAGES} long pages", _long(cases), _WHOLE


def _case(row: Row, letters: Callable[[str], str]) -> Case | None:
    """The question of *row*; None where its pages have no answer."""
    pages = [str(one["text"]) for one in row["passages"]]
    answers = [*row["gold"], *map(letters, row["answers"])]
    held = letters("\n".join(pages))
    answers = [answer for answer in answers if answer and answer in held]
    return Case(row["question"], pages, answers) if answers else None


def _long(cases: Sequence[Case]) -> list[Case]:
    """Put the page of each question into one of five long pages, at any place."""
    chance = random.Random(_SEED)
    every = list(dict.fromkeys(chain.from_iterable(case.pages for case in cases)))
    made = []
    for case in cases:
        pages = [_filled(every, case.pages, chance) for _ in range(_PAGES)]
        parts = chance.choice(pages)
        parts.insert(chance.randint(0, len(parts)), case.pages[0])
        made.append(
            Case(case.question, ["\n\n".join(one) for one in pages], case.answers)
        )
    return made


def _filled(every: Pages, but: Pages, chance: random.Random) -> list[str]:
    parts: list[str] = []
    while sum(map(len, parts)) < _LONG_PAGE:
        one = chance.choice(every)
        if one not in but:
            parts.append(one)
    return parts


def _share(
    cases: Sequence[Case], way: Way, budget: int, letters: Callable[[str], str]
) -> float:
    """Percentage of the cases with an answer in what *way* gives."""
    hits = 0
    for case in cases:
        given = letters(way(case.question, case.pages, budget))
        hits += any(answer in given for answer in case.answers)
    return 100 * hits / len(cases)


def _ours(question: str, pages: Pages, budget: int) -> str:
    passages = [Passage(n, "", text) for n, text in enumerate(pages, start=1)]
    return "\n".join(one.text for one in pick(question, passages, budget))


def _bm25(
    ranked: Callable[[str, list[str]], list[str]],
    question: str,
    pages: Pages,
    budget: int,
) -> str:
    """Take the best passages of all pages, cut as ours are, while they fit."""
    size = min(350, budget // 2)
    every = [piece.text for page in pages for piece in split(page, size)]
    taken: list[str] = []
    left = budget
    for text in ranked(question, every):
        if len(text) <= left:
            taken.append(text)
            left -= len(text)
    return "\n".join(taken)


def _beginning(_: str, pages: Pages, budget: int) -> str:
    return "\n".join(page[: budget // len(pages)] for page in pages)


def _snippets(
    ranked: Callable[[str, list[str]], list[str]], question: str, pages: Pages
) -> str:
    """The best piece of each page, as long as a search engine's snippet."""
    best = []
    for page in pages:
        pieces = [piece.text for piece in split(page, _SNIPPET)]
        best += [clip(one, _SNIPPET) for one in ranked(question, pieces)[:1]]
    return "\n".join(best)
