"""Cut an answer into its sentences, as a reader of its Markdown sees them."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from citations.markdown.inline import Marker
from text.sentences import sentence_spans

_CITATION: Final = "citation"
_SEMICOLON = re.compile("[;；؛]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
# Before a marker that stands for the source itself: “According to [1]”, “来源：[1]”.
_NOUN = re.compile(
    r"(?:[:：是为据照自从由按如见在]|\b(?:is|are|of|to|from|in|by|see|with)|[Ss]ources?)"
    r"[\s(（\[【“\"]*\Z"
)
_JOINED = re.compile(r"[\s,，、;；.。)）\]】”\"和与及]*(?:and|or|&)?[\s.]*")


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation, and the place in its sentence that it follows."""

    place: int
    number: int


@dataclass(frozen=True, slots=True)
class Claim:
    """
    A sentence with its citations, or a row of a table; in *checked* its code is blank.

    *head* has the words over the columns of a row.
    """

    sentence: str
    checked: str
    cites: tuple[Cite, ...]
    is_row: bool = False
    head: str = ""

    @property
    def names_sources(self) -> bool:
        """True if the first citation is a noun of the sentence: “From [1] we know”."""
        return bool(self.cites) and bool(
            _NOUN.search(self.sentence, 0, self.cites[0].place)
        )

    @property
    def is_label(self) -> bool:
        """True if it only names the source of the sentence before: “来源：[1]”."""
        if not self.cites or any(map(str.isdigit, self.sentence)):
            return False
        first = self.cites[0].place
        is_noun = self.names_sources or not _JOINED.sub("", self.sentence[:first])
        return is_noun and _JOINED.fullmatch(self.sentence, first) is not None

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
    if not any(marker.numbers for marker in cited):
        return []
    found: list[Claim] = []
    row: list[Sequence[Token]] = []
    head = ""
    is_behind_prose = False  # so that citations may belong to the last sentence found
    for before, token in pairwise(
        _PARSER.parse(answer, {"answer": answer, "cited": cited})
    ):
        if token.type == "tr_close":
            found += (replace(claim, head=head) for claim in _of_row(row))
            if before.type == "th_close":
                head = " ".join(_block(cell).words for cell in row)
            row = []
            is_behind_prose = False
        elif token.type == "inline" and before.type in ("td_open", "th_open"):
            row.append(token.children or [])
        elif token.type == "inline":
            is_prose = before.type == "paragraph_open"
            for claim in _of_lines(token.children or []):
                if claim.is_label and is_prose and is_behind_prose:
                    last = found[-1]
                    end = len(last.sentence)
                    cites = (Cite(end, cite.number) for cite in claim.cites)
                    found[-1] = replace(last, cites=(*last.cites, *cites))
                elif claim.cites or (is_prose and claim.sentence):
                    found.append(claim)
                    is_behind_prose = is_prose
            is_behind_prose = is_behind_prose and is_prose
    return found


def _of_lines(tokens: Sequence[Token]) -> Iterator[Claim]:
    """Yield the claims of a block, line by line where lines begin with citations."""
    lines: list[list[Token]] = [[]]
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            lines.append([])
        else:
            lines[-1].append(token)
    head = "".join(token.content for token in lines[0]).rstrip()
    is_list = len(lines) > 1
    for line in lines[1:] if head.endswith((":", "：")) else lines:
        # Each begins with a citation, and has words behind it.
        seen = [one for one in line if one.type == _CITATION or one.content.strip()]
        is_led = bool(seen) and seen[0].type == _CITATION
        is_list = is_list and is_led and seen[-1].type != _CITATION
    for part in lines if is_list else [tokens]:
        yield from _claims(_block(part))


def _of_row(row: Sequence[Sequence[Token]]) -> Iterator[Claim]:
    """Yield the claims of a row: the row, or those cells that cite for themselves."""
    cells = [_block(cell) for cell in row]
    citing = [cell for cell in cells if cell.cites and cell.words.strip()]
    if len(citing) > 1:
        for cell in citing:
            yield from (claim for claim in _claims(cell) if claim.cites)
        return
    border = Token("text", "", 0, content=" | ")
    whole = _block([token for cell in row for token in (border, *cell)][1:])
    if whole.cites:
        yield _claim(whole, (0, len(whole.words)), whole.cites, is_row=True)


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
    if not block.words.strip():
        yield Claim("", "", block.cites)
        return
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
