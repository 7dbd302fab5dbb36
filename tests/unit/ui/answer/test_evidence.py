"""The evidence of an answer: sentences behind its citations, and missing values."""

from typing import Any, get_args

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from citations import Source, page_form
from ui.answer import evidence
from ui.answer.evidence import AnswerEvidence, Findings, SourceTexts
from ui.server.settings import EvidenceMode

TOWER = Source(
    1,
    "The tower",
    "https://tower.example/",
    snippet="A tower.",
    text="The tower opened in 1904.\nIt is 62 metres high.\nIt stands by the river.",
)
BRIDGE = Source(
    2, "The bridge", "https://bridge.example/", "The bridge is 300 metres long."
)
SOURCES = {1: TOWER, 2: BRIDGE}
WRONG = "The tower is 64 metres high[1]. The bridge is 300 metres long[2]."
MODES: tuple[EvidenceMode, ...] = get_args(EvidenceMode)


async def found(
    answer: str,
    language: str = "en-US",
    mode: EvidenceMode = "values",
    known: str = "How high is the tower?",
) -> Findings | None:
    return await AnswerEvidence(SourceTexts(), language, mode).find(
        answer, SOURCES, known
    )


async def citations(answer: str, **options: Any) -> list[dict[str, Any]]:
    findings = await found(answer, **options)
    return findings.message("id")["citations"] if findings else []


@pytest.mark.parametrize(
    ("language", "kinds"),
    [("zh-CN", ["全文", "摘要"]), ("en-US", ["Full text", "Snippet"])],
)
async def test_sentences(language: str, kinds: list[str]) -> None:
    """Each citation has its number, its sentence, and the kind of the text."""
    answer = "The tower is 62 metres high[1]. The bridge is 300 metres long[2]."
    entries = await citations(answer, language=language)

    assert [one["number"] for one in entries] == [1, 2]
    assert entries[0]["quote"] == "It is 62 metres high."
    assert entries[1]["quote"].startswith("The bridge is 300 metres long")
    assert [one["kind"] for one in entries] == kinds


async def test_message() -> None:
    """The message names its answer."""
    findings = await found(WRONG)

    assert findings
    assert findings.message("a") | {"citations": []} == {
        "type": "websearch:evidence",
        "id": "a",
        "citations": [],
    }


async def test_order_of_the_citations() -> None:
    """There is one entry for each citation as it stands, repeated or not."""
    answer = "The tower is 62 metres high[1][1]. It opened in 1904[1]; see `[2]`[9]."
    entries = await citations(answer)

    assert [one["number"] for one in entries] == [1, 1, 1]
    assert "1904" in entries[2]["quote"]


ODD = """
# The tower is 62 metres high[1]

> It opened in 1904[1]. **The bridge[2]** is 300 metres long[2]

- It is 62 metres high[1]
  - nested[2][1], ~~gone[1]~~

| tower | bridge |
| --- | --- |
| 62 metres[1] | 300 metres[2] |
| high | [1][2] |

    code[1]

`[1]` \\[1\\] [a link[1]](https://tower.example/) ![image[1]](x) <b>[2]</b> $[1]$

It opened in 1904[1](https://tower.example/) [[2]](https://bridge.example/) [^1][2]

[1]: https://evil.example/ "title"

1904[1]\u202e, 62 metres[[2]] and [1, 2] [1-2]（[1]）［2］【1】 arr[1] H100[1]

Heading[2]
===

Cut in the middle[1] of **a sentence[2
"""


@pytest.mark.parametrize("words", [ODD, *ODD.split("\n\n")], ids=ascii)
async def test_citations_are_those_of_the_page(words: str) -> None:
    """The page finds the entry of a citation by its place: none too many or too few."""

    def links(tokens: list[Token]) -> list[int]:
        return [
            int(str(one.attrs["title"])[1])
            for token in tokens
            for one in (token.children or ())
            if str(one.attrs.get("title", "")).startswith("[")
        ]

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    on_page = links(parser.parse(page_form(words, SOURCES)))
    entries = [one["number"] for one in await citations(words)]

    assert entries in ([], on_page)
    assert entries or words is not ODD


async def test_shared_words() -> None:
    """The places of the shared words are those in the sentence."""
    (one,) = await citations("The tower is 62 metres high[1].")

    shared = [one["quote"][start:end] for start, end in one["shared"]]
    assert any("high" in words for words in shared)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("answer", ["", "Nothing cited.", "Unknown[7].", "`[1]`"])
async def test_nothing(answer: str, mode: EvidenceMode) -> None:
    """Without a citation the page gets nothing."""
    assert await found(answer, mode=mode) is None


CHINESE = "来源 [1] 的全文里没有“64 metres”；最接近的是“62 metres”"
ENGLISH = "“64 metres” is not in the full text of [1]; the nearest is “62 metres”"


@pytest.mark.parametrize(("language", "line"), [("zh-CN", CHINESE), ("en-US", ENGLISH)])
async def test_missing_value(language: str, line: str) -> None:
    """A value that no cited source holds, and what the source has instead."""
    entries = await citations(WRONG, language=language)

    assert [one["missing"] for one in entries] == [[line], []]
    assert [one["values"] for one in entries] == [["64 metres"], []]


async def test_several_sources() -> None:
    """A sentence of two sources names both; its value is marked once."""
    entries = await citations("Tower and bridge cost 77 euros[1][2].")

    assert [one["values"] for one in entries] == [["77 euros"], []]
    assert [one["missing"] for one in entries] == [
        ["“77 euros” is not in the texts of [1] and [2]"]
    ] * 2


async def test_note() -> None:
    """The note counts the missing values, and lists them as plain words."""
    findings = await found(WRONG, "zh-CN")

    assert findings
    head, rest = findings.note.split("\n", 1)
    assert head.startswith("> **有 1 个数值在所引来源里没有找到**")
    assert '(/help/evidence.zh-CN "§ evidence")' in head
    assert rest == (">\n> - 来源 [1] 的全文里没有“64 metres”；最接近的是“62 metres”")


async def test_note_in_english() -> None:
    """The note leads to the page of its language."""
    findings = await found(WRONG)

    assert findings
    assert '(/help/evidence "§ evidence")' in findings.note


async def test_nothing_missing() -> None:
    """An answer whose values all stand has no note, and no word of approval."""
    findings = await found("The tower is 62 metres high[1].")

    assert findings
    assert findings.note == ""
    assert [one["missing"] for one in findings.citations] == [[]]


async def test_question() -> None:
    """A value of the question is not the answer's claim."""
    entries = await citations(WRONG, known="Is it 64 metres high?")

    assert [one["values"] for one in entries] == [[], []]


async def test_sentences_only() -> None:
    """The mode `sentence` shows the sentences, and marks nothing."""
    findings = await found(WRONG, mode="sentence")

    assert findings
    assert findings.note == ""
    assert all(one["quote"] for one in findings.citations)
    assert all(not one["missing"] + one["values"] for one in findings.citations)


async def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mode `off` shows nothing, and costs nothing."""
    monkeypatch.setattr(evidence, "index", lambda _: pytest.fail("indexed"))
    off = AnswerEvidence(SourceTexts(), "en-US", "off")
    off.prepare('It is 62 metres[[1]](https://tower.example/ "x")', SOURCES)

    assert await off.find(WRONG, SOURCES, "") is None


async def test_foreign_text() -> None:
    """A value of a stranger is escaped in the note."""
    hostile = Source(
        1, "T", "https://x.example/", "Costs **$2.9** <b>million</b>[x](y)."
    )
    answer = "It costs $3.9 million[1] and **$4.7</b>** million[1]."
    findings = await AnswerEvidence(SourceTexts(), "en-US", "values").find(
        answer, {1: hostile}, ""
    )

    assert findings
    foreign = findings.note.split("§ evidence", 1)[1].replace("[1]", "")
    assert "3.9" in foreign
    assert not set("<*[$") & set(foreign)


async def test_indexed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is indexed once for a conversation, and while the answer is written."""
    indexed: list[str] = []

    def index(text: str) -> Any:
        indexed.append(text)
        return real(text)

    real = evidence.index
    monkeypatch.setattr(evidence, "index", index)
    texts = SourceTexts()
    for _ in range(2):
        answer = AnswerEvidence(texts, "en-US")
        answer.prepare('It is 62 metres[[1]](https://tower.example/ "x")', SOURCES)
        await answer.find("It is 62 metres high[1].", SOURCES, "")

    assert len(indexed) == 1


async def test_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed check leaves the answer without evidence."""

    def fails(*_: object) -> None:
        raise ValueError("canary")

    monkeypatch.setattr(evidence, "check", fails)

    assert await found("It is 62 metres high[1].") is None
