"""Cut the text of a page into pieces that begin and end with sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agent.without_model.sentences import spans

SIZE: Final = 350

_HEADING = re.compile(r"#{1,6}\s+(?=\S)")
_FENCE: Final = "```"
_ROW: Final = "|"
_PAUSE = re.compile(r"[,;，；、:：]\s*|\s+")
_MOST: Final = 4  # times the size that a piece with a block of code may have


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
    wanted: int  # characters that should fit: the paragraph's at its beginning
    heading: str = ""
    is_glued: bool = False  # continues a block of code


def split(text: str, size: int = SIZE) -> list[Piece]:
    """
    Cut *text* into pieces of about *size* characters, in order.

    Nothing but spaces lies between two pieces. A heading begins the first piece of
    its section, and all pieces of the section name it.
    """
    pieces: list[Piece] = []
    start, last = 0, _Unit(0, 0, 0)
    heading = ""
    for unit in _units(text, size):
        if last.end > start and _is_full(start, last, unit, size):
            pieces.append(Piece(text[start : last.end], start, last.end, heading))
            start = unit.start
        start = start if last.end > start else unit.start
        heading = unit.heading or heading
        last = unit
    if last.end > start:
        pieces.append(Piece(text[start : last.end], start, last.end, heading))
    return pieces


def _is_full(start: int, last: _Unit, unit: _Unit, size: int) -> bool:
    """Tell whether *unit* begins a new piece."""
    length = unit.end - start
    if length > _MOST * size:
        return True
    if last.heading or unit.is_glued:
        return False
    is_long = last.end - start >= size // 2 and unit.start + unit.wanted - start > size
    return bool(unit.heading) or length > size or is_long


def _units(text: str, size: int) -> Iterator[_Unit]:
    at, is_code = 0, False
    for line in text.splitlines(keepends=True):
        start, end = _trimmed(text, at, at + len(line))
        at += len(line)
        if start == end:
            continue
        if text.startswith(_FENCE, start) and end - start <= size:
            yield _Unit(start, end, end - start, is_glued=is_code)
            is_code = not is_code
        elif is_code:
            for begin, stop in _short(text, start, end, size):
                yield _Unit(begin, stop, 0, is_glued=True)
        elif end - start <= size and (sign := _HEADING.match(text, start, end)):
            title = text[sign.end() : end].strip("#* \t")
            yield _Unit(start, end, end - start, title)
        elif text.startswith(_ROW, start) and end - start <= 2 * size:
            yield _Unit(start, end, end - start)
        else:
            yield from _sentences(text, start, end, size)


def _sentences(text: str, start: int, end: int, size: int) -> Iterator[_Unit]:
    wanted = end - start
    for begin, stop in spans(text[start:end]):
        for first, last in _short(text, start + begin, start + stop, size):
            yield _Unit(first, last, wanted)
            wanted = 0


def _short(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut a sentence of more than *size* characters at its pauses."""
    start, end = _trimmed(text, start, end)
    while end - start > size:
        pauses = [*_PAUSE.finditer(text, start + size // 2, start + size)]
        cut = pauses[-1].end() if pauses else start + size
        yield _trimmed(text, start, cut)
        start, end = _trimmed(text, cut, end)
    if start < end:
        yield start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the spaces at both ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
