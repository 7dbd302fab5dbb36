"""
Take the passages of pages that fit a question, within a budget of characters.

A page is split into pieces of about 350 characters, which are ranked as the built-in
answerer ranks sentences. What is taken stands in page order, with a sign for gaps.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from text.rank import CutPage, Passage, rank
from text.sentences import cut, cut_at_pauses
from untrusted.text import clip

SIGN: Final = " … "  # stands for what was left out
SIZE: Final = 350  # characters of a piece

# Bounds on hostile input.
MOST_TEXT: Final = 200_000  # characters of a page that are looked at
_MOST_PAGES: Final = 30

_LEAST_SIZE: Final = 80
_LONGEST_HEADING: Final = 80
_MOST_CODE: Final = 4  # times the size that a piece with a block of code may have

_HEADING = re.compile(r"#{1,6}\s+(?=\S)")
_FENCE, _ROW = "```", "|"


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


@dataclass(frozen=True, slots=True)
class Piece:
    """Neighbouring sentences, table rows or lines of code of one section."""

    text: str
    start: int  # offsets into the text of the page
    end: int
    heading: str = ""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, a table row, a line of code or a heading; it is not cut."""

    start: int
    end: int
    heading: str = ""
    is_glued: bool = False  # continues a block of code


def pick(question: str, pages: Sequence[Passage], budget: int) -> list[Excerpt]:
    """
    Take the passages of *pages* that fit *question*, *budget* characters in all.

    The best piece of every page comes first where these take half of the budget at
    most; then come the best pieces of all pages.
    """
    pages = pages[:_MOST_PAGES]
    if sum(len(page.text) for page in pages) <= budget:
        return [Excerpt(page.number, page.text, is_whole=True) for page in pages]
    size = min(SIZE, max(_LEAST_SIZE, budget // 2))
    pieces = [split(page.text[:MOST_TEXT], size) for page in pages]
    cut_pages = [
        CutPage.of(page, (piece.text for piece in own))
        for page, own in zip(pages, pieces, strict=True)
    ]
    ranked = iter(rank(question, cut_pages))
    firsts, order = 0, []
    for page, own in enumerate(pieces):
        scores = [next(ranked).score for _ in own]
        best = scores.index(max(scores)) if scores else 0
        firsts += _cost(own[best]) if own else 0
        order += [(at != best, -score, page, at) for at, score in enumerate(scores)]
    skipped = 0 if 2 * firsts <= budget else 1  # then the best of all come first
    order.sort(key=lambda piece: piece[skipped:])
    taken: list[set[int]] = [set() for _ in pages]
    for _, _, page, at in order:
        if (cost := _cost(pieces[page][at])) <= budget:
            taken[page].add(at)
            budget -= cost
    return [
        _excerpt(page, own, sorted(chosen))
        for page, own, chosen in zip(pages, pieces, taken, strict=True)
    ]


def find(question: str, text: str, budget: int) -> Excerpt:
    """Take the passages of one page that fit *question*."""
    return pick(question, [Passage(1, "", text)], budget)[0]


def part(text: str, number: int, size: int) -> Part:
    """Return a part of *text* by its number, from 1; none is longer than *size*."""
    bounds: list[tuple[int, int]] = []
    for piece in split(text[:MOST_TEXT], max(min(SIZE, size // _MOST_CODE), 1)):
        fits = bounds and piece.end - bounds[-1][0] <= size
        start = bounds.pop()[0] if fits else piece.start
        bounds.append((start, piece.end))
    if not 1 <= number <= len(bounds):
        return Part("", number, len(bounds))
    start, end = bounds[number - 1]
    return Part(text[start:end], number, len(bounds))


def split(text: str, size: int = SIZE) -> list[Piece]:
    """
    Cut *text* into pieces of about *size* characters, in order.

    Nothing but spaces lies between two pieces. A heading begins the first piece of
    its section, and all pieces of the section name it.
    """
    pieces: list[Piece] = []
    last = _Unit(0, 0)
    for unit in _units(text, size):
        before = pieces[-1] if pieces else Piece("", 0, 0)
        length = unit.end - before.start  # with this unit
        if last.heading or unit.is_glued:
            is_next = length > _MOST_CODE * size
        else:
            is_next = bool(unit.heading) or length > size
        is_next = is_next or not pieces
        start = unit.start if is_next else pieces.pop().start
        heading = unit.heading or before.heading
        pieces.append(Piece(text[start : unit.end], start, unit.end, heading))
        last = unit
    return pieces


def _units(text: str, size: int) -> Iterator[_Unit]:
    at, is_code = 0, False
    for line in text.splitlines(keepends=True):
        words, start = line.strip(), at + len(line) - len(line.lstrip())
        at += len(line)
        is_short = 0 < len(words) <= size
        if is_short and words.startswith(_FENCE):
            yield _Unit(start, start + len(words), is_glued=is_code)
            is_code = not is_code
        elif is_short and not is_code and (sign := _HEADING.match(words)):
            yield _Unit(start, start + len(words), words[sign.end() :].strip("#* \t"))
        else:
            is_whole = is_code or words.startswith(_ROW)
            for first, last in (cut_at_pauses if is_whole else cut)(words, size):
                yield _Unit(start + first, start + last, is_glued=is_code)


def _cost(piece: Piece) -> int:
    """Most characters that a piece takes, with its heading and signs around it."""
    return len(_headed(piece)) + 2 * len(SIGN)


def _headed(piece: Piece) -> str:
    """Put the heading before a piece that is not the first of its section."""
    if not piece.heading or piece.text.startswith("#"):
        return piece.text
    return f"## {clip(piece.heading, _LONGEST_HEADING)}\n{piece.text}"


def _excerpt(page: Passage, pieces: Sequence[Piece], taken: Sequence[int]) -> Excerpt:
    """Write what was taken, in page order."""
    written: list[str] = []
    end = 0  # of the piece written last
    for at in taken:
        piece = pieces[at]
        if at == 0 or at - 1 in taken:
            gap = page.text[end : piece.start]
            written += [gap if len(gap) <= len(SIGN) else "\n\n", piece.text]
        else:
            written += [SIGN, _headed(piece)]
        end = piece.end
    is_whole = len(taken) == len(pieces) and len(page.text) <= MOST_TEXT
    if taken and not is_whole and taken[-1] < len(pieces) - 1:
        written.append(SIGN)
    return Excerpt(page.number, "".join(written).strip(), is_whole)
