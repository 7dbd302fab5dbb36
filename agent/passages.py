"""
Take the passages of pages that fit a question, within a budget of characters.

A page is split into pieces of about 350 characters, which are ranked as the built-in
answerer ranks sentences. What is taken stands in page order, with a sign for gaps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.without_model.pieces import SIZE, Piece, split
from agent.without_model.ranking import Passage, Text, read, score, weigh
from untrusted.text import clip

__all__ = [
    "MOST_TEXT",
    "SIGN",
    "Excerpt",
    "Part",
    "Passage",
    "Piece",
    "find",
    "part",
    "pick",
    "split",
]

SIGN: Final = " … "  # stands for what was left out

# Bounds on hostile input.
MOST_TEXT: Final = 200_000  # characters of a page that are looked at
_MOST_PAGES: Final = 30

_LEAST_SIZE: Final = 80
_LONGEST_HEADING: Final = 80
_NEIGHBOUR: Final = 0.2  # share of the better neighbour's score that is added


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The passages taken from a page; `is_whole` if nothing was left out."""

    number: int
    text: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page, its number and how many there are; '' beyond the last one."""

    text: str
    number: int
    count: int


@dataclass(slots=True, eq=False)
class _Page:
    number: int
    text: str
    pieces: Sequence[Piece]
    texts: Sequence[Text]  # the same, for the ranking
    taken: set[int] = field(default_factory=set)

    def scores(self) -> list[float]:
        """Score of each piece, with a share of its neighbour's."""
        around = [0.0, *(text.score for text in self.texts), 0.0]
        return [
            around[at] + _NEIGHBOUR * max(around[at - 1], around[at + 1])
            for at in range(1, len(around) - 1)
        ]


def pick(question: str, pages: Sequence[Passage], budget: int) -> list[Excerpt]:
    """
    Take the passages of *pages* that fit *question*, *budget* characters in all.

    The best piece of every page comes first, then the best pieces of all pages.
    """
    pages = pages[:_MOST_PAGES]
    if sum(len(page.text) for page in pages) <= budget:
        return [Excerpt(page.number, page.text, is_whole=True) for page in pages]
    ranked = _ranked(question, pages, budget)
    in_turn = [*_in_turn(ranked)]
    left = budget
    for page, at in in_turn:
        if (cost := _cost(page, at)) <= left:
            page.taken.add(at)
            left -= cost
    if in_turn and left == budget:  # not one piece is short enough
        page, at = in_turn[0]
        cut = clip(page.pieces[at].text, budget)
        return [Excerpt(p.number, cut * (p is page), is_whole=False) for p in ranked]
    return [_excerpt(page) for page in ranked]


def find(question: str, text: str, budget: int) -> Excerpt:
    """Take the passages of one page that fit *question*."""
    return pick(question, [Passage(1, "", text)], budget)[0]


def part(text: str, number: int, size: int) -> Part:
    """Return a part of *text* by its number, from 1; none is longer than *size*."""
    bounds: list[tuple[int, int]] = []
    for piece in split(text[:MOST_TEXT], max(min(SIZE, size // 4), 1)):
        if bounds and piece.end - bounds[-1][0] <= size:
            bounds[-1] = (bounds[-1][0], piece.end)
        else:
            bounds.append((piece.start, piece.end))
    if not 1 <= number <= len(bounds):
        return Part("", number, len(bounds))
    start, end = bounds[number - 1]
    return Part(text[start:end], number, len(bounds))


def _ranked(question: str, pages: Sequence[Passage], budget: int) -> list[_Page]:
    size = min(SIZE, max(_LEAST_SIZE, budget // 2))
    asked = weigh(question)
    ranked = []
    for page in pages:
        pieces = split(page.text[:MOST_TEXT], size)
        texts = read(page, [piece.text for piece in pieces], asked)
        ranked.append(_Page(page.number, page.text, pieces, texts))
    score([text for page in ranked for text in page.texts], asked)
    return ranked


def _in_turn(pages: Sequence[_Page]) -> Iterator[tuple[_Page, int]]:
    """Yield the best piece of each page, then the others, the best first."""
    every = [
        (score, page, at) for page in pages for at, score in enumerate(page.scores())
    ]
    every.sort(key=lambda one: -one[0])  # stable: the first on a tie
    first: dict[int, int] = {}
    for _, page, at in every:
        first.setdefault(id(page), at)
    for is_first in (True, False):
        for _, page, at in every:
            if (first[id(page)] == at) is is_first:
                yield page, at


def _cost(page: _Page, at: int) -> int:
    """Most characters that a piece takes, with its heading and signs around it."""
    return len(_headed(page.pieces[at])) + 2 * len(SIGN)


def _headed(piece: Piece) -> str:
    """Put the heading before a piece that is not the first of its section."""
    if not piece.heading or piece.text.startswith("#"):
        return piece.text
    return f"## {clip(piece.heading, _LONGEST_HEADING)}\n{piece.text}"


def _excerpt(page: _Page) -> Excerpt:
    """Write what was taken, in page order."""
    written: list[str] = []
    last = -1
    for at in sorted(page.taken):
        piece = page.pieces[at]
        if at > last + 1:
            written += [SIGN, _headed(piece)]
        elif at == 0:
            written.append(piece.text)
        else:
            gap = page.text[page.pieces[last].end : piece.start]
            written += [gap if len(gap) <= len(SIGN) else "\n\n", piece.text]
        last = at
    is_whole = len(page.taken) == len(page.pieces) and len(page.text) <= MOST_TEXT
    if written and not is_whole and last < len(page.pieces) - 1:
        written.append(SIGN)
    return Excerpt(page.number, "".join(written).strip(), is_whole)
