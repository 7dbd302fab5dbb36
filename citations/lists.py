"""Write lists of sources in Markdown."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from citations.citing import cited
from citations.sources import Round, Source
from untrusted.text import code, escaped, one_line, shown

HEADING: Final = "参考文献"
ROUND: Final = "第 {number} 次搜索 · “{query}”"
HINT: Final = "在新标签页打开"
CITED: Final = "已引用"
AGAIN: Final = "再次找到 {numbers}"

_LONGEST_SNIPPET: Final = 200


def reference_list(
    text: str,
    sources: Mapping[int, Source],
    *,
    heading: str = HEADING,
    hint: str = HINT,
) -> str:
    """Write the section of the sources that *text* cites, '' where it cites none."""
    known = [number for number, source in sources.items() if source.is_known]
    used = [sources[number] for number in sorted(cited(text, known))]
    return f"#### {heading}\n\n{source_list(used, hint=hint)}" if used else ""


def round_list(
    rounds: Sequence[Round],
    text: str = "",
    *,
    used: Collection[int] = (),
    kinds: Mapping[int, str] = MappingProxyType({}),
    heading: str = HEADING,
    round_heading: str = ROUND,
    hint: str = HINT,
    mark: str = CITED,
    again: str = AGAIN,
    snippets: bool = False,
) -> str:
    """
    Write every source found, under the query of its round; '' where there is none.

    One that several rounds found stands under the first, the others give its number.
    Those that *text* cites are marked, and those of the numbers *used*.
    """
    sources = [source for turn in rounds for source in turn.sources if source.is_known]
    numbers = {source.number for source in sources}
    used = {*used, *cited(text, numbers)} & numbers
    if used == numbers:
        used = ()  # if all are cited, marks are useless
    marks = dict.fromkeys(used, mark)
    parts = [f"#### {heading}"]
    listed: set[int] = set()
    for place, turn in enumerate(rounds, start=1):
        found = [source for source in turn.sources if source.is_known]
        if not found:
            continue
        query = shown(one_line(turn.query))
        parts.append("##### " + round_heading.format(number=place, query=query))
        new = [source for source in found if source.number not in listed]
        if new:
            items = source_list(new, marks, kinds, snippets=snippets, hint=hint)
            parts.append(items)
        if repeated := [f"**[{one.number}]**" for one in found if one.number in listed]:
            parts.append(again.format(numbers=" ".join(repeated)))
        listed |= {source.number for source in new}
    return "\n\n".join(parts) if len(parts) > 1 else ""


def source_list(
    sources: Iterable[Source],
    marks: Mapping[int, str] = MappingProxyType({}),
    kinds: Mapping[int, str] = MappingProxyType({}),
    *,
    snippets: bool = False,
    hint: str = HINT,
) -> str:
    """
    Write a line for each of *sources*: number, title, address, domain.

    By number, a mark is appended to the line, and a kind of text to the domain.
    """
    lines: list[str] = []
    for source in sources:
        if not source.is_known:
            continue
        title = one_line(source.title) or source.domain
        link = f'[{escaped(title)}]({source.href} "↗ {hint}")'
        if source.is_private:
            link = f"{shown(title)} {code(source.url)}"
        where = " · ".join(filter(None, [source.domain, kinds.get(source.number)]))
        where = f" `{where}`" if where else ""
        mark = f" *{marks[source.number]}*" if source.number in marks else ""
        lines.append(f"- **[{source.number}]** {link}{where}{mark}")
        text = source.snippet or source.text[:_LONGEST_SNIPPET]
        snippet = one_line(text, _LONGEST_SNIPPET) if snippets else ""
        lines += [f"  > {shown(snippet)}"] if snippet else []
    return "\n".join(lines)
