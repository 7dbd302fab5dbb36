"""Cut an answer into its sentences, as a reader of its Markdown sees them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from citations.linker import Linker
from citations.models import Source
from text.sentences import sentence_spans

_PARSER: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# A citation that is linked already leads to this address and its number.
ADDRESS: Final = "https://source.invalid/"
_CELL: Final = " | "
_SEMICOLON = re.compile("[;；؛]")


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation, and the place in its sentence that it follows."""

    place: int
    number: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with its citations; in *checked* its code is blank."""

    sentence: str
    checked: str
    cites: tuple[Cite, ...]
    is_row: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sources cited, each once, in their order."""
        return tuple(dict.fromkeys(cite.number for cite in self.cites))


@dataclass(frozen=True, slots=True)
class _Block:
    """The words of a paragraph, a list item, a cell or a row; in *checked* no code."""

    words: str
    checked: str
    cites: tuple[Cite, ...]


def sentences(answer: str, numbers: Sequence[int]) -> list[Claim]:
    """
    Return the sentences of an *answer* that cites one of these *numbers*.

    Headings and tables only as far as they cite.
    """
    addresses = {f"{ADDRESS}{number}": number for number in numbers}
    sources = {n: Source(n, str(n), address) for address, n in addresses.items()}
    linked = Linker(sources, is_logged=False).whole(answer)
    if ADDRESS not in linked:
        return []
    found: list[Claim] = []
    row: list[Sequence[Token]] = []
    for before, token in pairwise(_PARSER.parse(linked)):
        if token.type == "tr_close":
            found += _of_row(row, addresses)
            row = []
        elif token.type == "inline" and before.type in ("td_open", "th_open"):
            row.append(token.children or [])
        elif token.type == "inline":
            is_prose = before.type == "paragraph_open"
            claims = _claims(_block(token.children or [], addresses))
            found += (claim for claim in claims if claim.cites or is_prose)
    return found


def _of_row(
    row: Sequence[Sequence[Token]], addresses: Mapping[str, int]
) -> Iterator[Claim]:
    """Yield the claims of a row; it is one where sources have a cell of their own."""
    cells = [_block(cell, addresses) for cell in row]
    if not any(cell.cites and cell.words.strip() for cell in cells):
        border = Token("text", "", 0, content=_CELL)
        tokens = [token for cell in row for token in (border, *cell)][1:]
        whole = _block(tokens, addresses)
        claims = [_claim(whole, (0, len(whole.words)), whole.cites, is_row=True)]
    else:
        claims = [claim for cell in cells for claim in _claims(cell)]
    yield from (claim for claim in claims if claim.cites)


def _block(tokens: Sequence[Token], addresses: Mapping[str, int]) -> _Block:
    words: list[str] = []
    checked: list[str] = []
    cites: list[Cite] = []
    length, is_cite = 0, False
    for token in tokens:
        number = addresses.get(str(token.attrs.get("href", "")))
        if token.type == "link_open" and number is not None:
            cites.append(Cite(length, number))
            is_cite = True
        elif token.type == "link_close":
            is_cite = False
        elif not is_cite:
            is_break = token.type in ("softbreak", "hardbreak")
            is_code = token.type == "code_inline"
            said = "\n" if is_break else token.content
            said = said if is_break or is_code or token.type == "text" else ""
            words.append(said)
            checked.append(" " * len(said) if is_code else said)
            length += len(said)
    return _Block("".join(words), "".join(checked), tuple(cites))


def _claims(block: _Block) -> Iterator[Claim]:
    begin, first = 0, 0
    for end in _ends(block):
        # The citations of a sentence stand in it, or right behind it.
        last = first
        while last < len(block.cites) and (
            block.cites[last].place <= end
            or not block.words[end : block.cites[last].place].strip()
        ):
            last += 1
        if first < last or block.words[begin:end].strip():
            yield _claim(block, (begin, end), block.cites[first:last])
        begin, first = end, last


def _claim(
    block: _Block, span: tuple[int, int], cites: Sequence[Cite], *, is_row: bool = False
) -> Claim:
    begin, end = span
    said = block.words[begin:end]
    begin += len(said) - len(said.lstrip())
    said = said.strip()
    within = (Cite(min(max(c.place - begin, 0), len(said)), c.number) for c in cites)
    checked = block.checked[begin : begin + len(said)]
    return Claim(said, checked, tuple(within), is_row)


def _ends(block: _Block) -> list[int]:
    """Return the ends of the sentences; a semicolon ends one only beside a citation."""
    cited = {cite.place for cite in block.cites}
    ends = {end for _, end in sentence_spans(block.words)}
    for match in _SEMICOLON.finditer(block.words):
        if not cited.isdisjoint(match.span()):
            ends.add(match.end())
    return sorted(ends)
