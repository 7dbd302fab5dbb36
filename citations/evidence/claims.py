"""Cut an answer into its sentences, as a reader of its Markdown sees them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from citations.linker import Linker
from citations.models import Source

_PARSER: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# A citation that is linked already leads to this address and its number.
ADDRESS: Final = "https://source.invalid/"
_CELL: Final = " | "
_RIGHT_TO_LEFT: Final = "\u0590-\u08ff"  # Hebrew and Arabic
_ENDS = re.compile(
    r"[。！？!?۔؟]+[”’」』）)\"']*|\n+|[;；؛]"
    rf"|(?<!\d)\.[\"”)]*(?=\s+[\"“(«]?[A-Z\u3400-\u9fff{_RIGHT_TO_LEFT}]|\s*\Z)"
    rf"|(?<=\d)\.(?=\s+[\"“(«]?[A-Z{_RIGHT_TO_LEFT}]|\s*\Z)"
)
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:vs|no|dr|mr|mrs|ms|st|jr|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov"
    r"|dec|inc|ltd|fig|approx|ca|e\.g|i\.e|u\.s|p\.m|a\.m))\Z",
    re.IGNORECASE,
)


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


@dataclass(slots=True)
class _Block:
    """The words of a paragraph, a list item or a row of a table."""

    words: list[str] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    cites: list[Cite] = field(default_factory=list)
    length: int = 0
    is_row: bool = False  # a whole row of a table
    is_prose: bool = True  # no heading, no part of a table

    def add(self, words: str, *, is_code: bool = False) -> None:
        """Add *words* at the end."""
        self.words.append(words)
        self.checked.append(" " * len(words) if is_code else words)
        self.length += len(words)


def claims(answer: str, numbers: Sequence[int]) -> list[Claim]:
    """Return the sentences of *answer* that cite one of these *numbers*."""
    return [claim for claim in sentences(answer, numbers) if claim.cites]


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
    return [
        claim
        for block in _blocks(linked, addresses)
        for claim in _claims(block)
        if claim.cites or block.is_prose
    ]


def _blocks(linked: str, addresses: Mapping[str, int]) -> Iterator[_Block]:
    """Yield the blocks of words."""
    row: list[_Block] | None = None
    is_heading = False
    for token in _PARSER.parse(linked):
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield from _cells(row)
            row = None
        elif token.type in ("heading_open", "heading_close"):
            is_heading = token.type == "heading_open"
        elif token.type == "inline" and token.children:
            block = _Block(is_prose=row is None and not is_heading)
            _read(token.children, addresses, block)
            if row is None:
                yield block
            else:
                row.append(block)


def _cells(row: Sequence[_Block]) -> Iterator[_Block]:
    """Yield the cells of a row; all as one where sources have a cell of their own."""
    if any(cell.cites and "".join(cell.words).strip() for cell in row):
        yield from row
        return
    whole = _Block(is_row=True, is_prose=False)
    for cell in row:
        whole.add(_CELL if whole.length else "")
        whole.cites += (Cite(whole.length + c.place, c.number) for c in cell.cites)
        whole.add("".join(cell.words))
    yield whole


def _read(tokens: Sequence[Token], addresses: Mapping[str, int], into: _Block) -> None:
    is_cite = False
    for token in tokens:
        if token.type == "link_open":
            number = addresses.get(str(token.attrs.get("href", "")))
            is_cite = number is not None
            if number is not None:
                into.cites.append(Cite(into.length, number))
        elif token.type == "link_close":
            is_cite = False
        elif is_cite:
            continue
        elif token.type in ("text", "code_inline"):
            into.add(token.content, is_code=token.type == "code_inline")
        elif token.type in ("softbreak", "hardbreak"):
            into.add("\n")


def _claims(block: _Block) -> Iterator[Claim]:
    is_row = block.is_row
    words, checked = "".join(block.words), "".join(block.checked)
    begin = 0
    waiting = list(block.cites)
    for end in [len(words)] if is_row else _ends(words, {c.place for c in block.cites}):
        cites, waiting = _split(waiting, words, end)
        if cites or words[begin:end].strip():
            yield _claim(words, checked, (begin, end), cites, is_row)
        begin = end


def _split(cites: list[Cite], words: str, end: int) -> tuple[list[Cite], list[Cite]]:
    """Part the cites of a sentence, and those right behind it, from later ones."""
    count = 0
    while count < len(cites) and (
        cites[count].place <= end or not words[end : cites[count].place].strip()
    ):
        count += 1
    return cites[:count], cites[count:]


def _claim(
    words: str, checked: str, span: tuple[int, int], cites: list[Cite], is_row: bool
) -> Claim:
    begin, end = span
    said = words[begin:end]
    begin += len(said) - len(said.lstrip())
    said = said.strip()
    end = begin + len(said)
    within = (Cite(min(max(c.place - begin, 0), len(said)), c.number) for c in cites)
    return Claim(said, checked[begin:end], tuple(within), is_row)


def _ends(words: str, cited: set[int]) -> list[int]:
    """Return the ends of the sentences; a semicolon ends one only beside a citation."""
    ends = []
    for match in _ENDS.finditer(words):
        if match[0][0] == "." and _ABBREVIATION.search(
            words, max(0, match.start() - 8), match.start()
        ):
            continue
        if match[0] in ";；؛" and cited.isdisjoint(match.span()):
            continue
        ends.append(match.end())
    return [*(end for end in ends if words[end:].strip()), len(words)]
