"""Cut an answer into its sentences, as a reader of its Markdown sees them."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from citations.markdown.inline import Marker
from text.sentences import sentence_spans

_CELL: Final = " | "
_CITATION: Final = "citation"
_SEMICOLON = re.compile("[;；؛]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")


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


def sentences(answer: str, cited: Sequence[Marker]) -> list[Claim]:
    """
    Return the sentences of an *answer*, and what is *cited* at its place in them.

    None where nothing is cited. Headings and tables only as far as they cite.
    """
    if not cited:
        return []
    found: list[Claim] = []
    row: list[Sequence[Token]] = []
    for before, token in pairwise(
        _PARSER.parse(answer, {"answer": answer, "cited": cited})
    ):
        if token.type == "tr_close":
            found += _of_row(row)
            row = []
        elif token.type == "inline" and before.type in ("td_open", "th_open"):
            row.append(token.children or [])
        elif token.type == "inline":
            is_prose = before.type == "paragraph_open"
            claims = _claims(_block(token.children or []))
            found += (claim for claim in claims if claim.cites or is_prose)
    return found


def _of_row(row: Sequence[Sequence[Token]]) -> Iterator[Claim]:
    """Yield the claims of a row; it is one where sources have a cell of their own."""
    cells = [_block(cell) for cell in row]
    if not any(cell.cites and cell.words.strip() for cell in cells):
        border = Token("text", "", 0, content=_CELL)
        tokens = [token for cell in row for token in (border, *cell)][1:]
        whole = _block(tokens)
        claims = [_claim(whole, (0, len(whole.words)), whole.cites, is_row=True)]
    else:
        claims = [claim for cell in cells for claim in _claims(cell)]
    yield from (claim for claim in claims if claim.cites)


def _block(tokens: Sequence[Token]) -> _Block:
    words: list[str] = []
    checked: list[str] = []
    cites: list[Cite] = []
    length = 0
    for token in tokens:
        part = "\n" if token.type in ("softbreak", "hardbreak") else ""
        if token.type == _CITATION:
            cites += (Cite(length, number) for number in token.meta["numbers"])
        elif token.type in ("text", "code_inline"):
            part = token.content
        words.append(part)
        checked.append(" " * len(part) if token.type == "code_inline" else part)
        length += len(part)
    return _Block("".join(words), "".join(checked), tuple(cites))


def _claims(block: _Block) -> Iterator[Claim]:
    cited = {cite.place for cite in block.cites}
    ends = {end for _, end in sentence_spans(block.words)}
    for match in _SEMICOLON.finditer(block.words):
        # A semicolon ends a sentence only beside a citation.
        if not cited.isdisjoint(match.span()):
            ends.add(match.end())
    begin, first = 0, 0
    for end in sorted(ends):
        # The citations of a sentence stand in it, or right behind it.
        last = first
        while last < len(block.cites) and (
            block.cites[last].place <= end
            or not block.words[end : block.cites[last].place].strip()
        ):
            last += 1
        if block.words[begin:end].strip():
            yield _claim(block, (begin, end), block.cites[first:last])
        begin, first = end, last


def _claim(
    block: _Block, span: tuple[int, int], cites: Sequence[Cite], *, is_row: bool = False
) -> Claim:
    begin, end = span
    words = block.words[begin:end]
    begin += len(words) - len(words.lstrip())
    words = words.strip()
    within = (Cite(min(max(c.place - begin, 0), len(words)), c.number) for c in cites)
    checked = block.checked[begin : begin + len(words)]
    return Claim(words, checked, tuple(within), is_row)


def _read_inline(state: StateCore) -> None:
    """Read the content of each block, as markdown-it does, with its citations."""
    answer = state.env["answer"].replace("\0", "\ufffd")  # as the parser has it
    cited: Sequence[Marker] = state.env["cited"]
    starts = [marker.start for marker in cited]
    lines = [match.span() for match in _LINE.finditer(answer)]
    behind = 0  # the last cell
    for before, token in pairwise(state.tokens):
        if token.type != "inline" or token.map is None:
            continue
        state.env["here"] = here = {}
        is_cell = before.type in ("td_open", "th_open")
        offset = 0  # of a part in the content
        for number, part in enumerate(token.content.split("|" if is_cell else "\n")):
            if is_cell:
                begin, end = lines[token.map[0]]
                place = answer.find(part, max(begin, behind), end)
                behind = place + len(part) if place >= 0 else behind
            else:  # containers stand before it
                place = answer.rfind(part, *lines[token.map[0] + number])
            if place >= 0:
                until = bisect_left(starts, place + len(part))
                for marker in cited[bisect_left(starts, place) : until]:
                    here[marker.start - place + offset] = marker
            offset += len(part) + 1
        token.children = []
        state.md.inline.parse(token.content, state.md, state.env, token.children)


def _read_citation(state: StateInline, silent: bool) -> bool:
    marker: Marker | None = state.env["here"].get(state.pos)
    if marker is None:
        return False
    if not silent:
        state.push(_CITATION, "", 0).meta = {"numbers": marker.numbers}
    state.pos = min(state.pos + marker.end - marker.start, state.posMax)
    return True


# A parser that reads the citations whose places it is given as tokens.
_PARSER: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_PARSER.core.ruler.at("inline", _read_inline)
_PARSER.inline.ruler.before("text", _CITATION, _read_citation)
for _sign in "【［":  # `[` is one
    _PARSER.inline.add_terminator_char(_sign)
