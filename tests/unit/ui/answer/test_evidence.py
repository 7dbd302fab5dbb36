"""The evidence of an answer: sentences behind its citations, and missing values."""

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.markdown import PARSER

from citations import Source, page_form
from citations.evidence import check
from ui.answer import evidence
from ui.answer.evidence import AnswerEvidence, Findings, SourceTexts, Written
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


def written(
    answer: str,
    sources: Mapping[int, Source] = SOURCES,
    known: str = "",
    message_id: str = "a",
) -> Written:
    return Written(message_id, page_form(answer, sources), sources, known)


async def found(
    answer: str,
    language: str = "en-US",
    mode: EvidenceMode = "values",
    known: str = "How high is the tower?",
) -> Findings | None:
    return await AnswerEvidence(SourceTexts(), language, mode).find(
        written(answer, known=known)
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


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("answer", ["", "Unknown[7].", "`[1]`"])
async def test_nothing(answer: str, mode: EvidenceMode) -> None:
    """Without a citation the page gets nothing."""
    assert await found(answer, mode=mode) is None


CHINESE = "来源 [1] 的全文里没有“64 metres”；最接近的是“62 metres”"
ENGLISH = "“64 metres” is not in the full text of [1]; the nearest is “62 metres”"


async def test_several_sources() -> None:
    """A sentence of two sources names both; its value is marked once."""
    entries = await citations("Tower and bridge cost 77 euros[1][2].")

    assert [one["values"] for one in entries] == [["77 euros"], []]
    assert [one["missing"] for one in entries] == [
        ["“77 euros” is not in the texts of [1] and [2]"]
    ] * 2


@pytest.mark.parametrize(
    ("language", "head", "line"),
    [
        ("zh-CN", "**有 1 个数值在所引来源里没有找到** [", CHINESE),
        ("en-US", "**Values not found in the sources cited: 1** [", ENGLISH),
    ],
)
async def test_missing_value(language: str, head: str, line: str) -> None:
    """The citation and the note say what is missing, and what the source has."""
    findings = await found(WRONG, language)

    assert findings
    assert [one["missing"] for one in findings.citations] == [[line], []]
    assert [one["values"] for one in findings.citations] == [["64 metres"], []]
    first, *rest = findings.note.splitlines()
    assert first.startswith(f"> {head}")
    page = "evidence" if language == "en-US" else "evidence.zh-CN"
    assert f'(/help/{page} "§ evidence")' in first
    assert rest == [">", f"> - {line}"]


async def test_sentences_only() -> None:
    """The mode `sentence` shows the sentences, and marks nothing."""
    findings = await found(f"{WRONG} It weighs 4,567 tonnes.", mode="sentence")

    assert findings
    assert findings.note == ""
    assert all(one["quote"] for one in findings.citations)
    assert all(not one["missing"] + one["values"] for one in findings.citations)


async def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mode `off` shows nothing, and costs nothing."""
    monkeypatch.setattr(evidence, "index", lambda _: pytest.fail("indexed"))
    off = AnswerEvidence(SourceTexts(), "en-US", "off")
    off.follow("[[1]](x)", lambda: written(WRONG), ignored)

    assert await off.find(written(WRONG)) is None


async def test_foreign_text() -> None:
    """A value of a stranger is escaped in the note."""
    hostile = Source(
        1, "T", "https://x.example/", "Costs **$2.9** <b>million</b>[x](y)."
    )
    answer = "It costs $3.9 million[1] and **$4.7</b>** million[1]."
    findings = await AnswerEvidence(SourceTexts(), "en-US", "values").find(
        written(answer, {1: hostile})
    )

    assert findings
    blocks = PARSER.parse(findings.note.split("§ evidence", 1)[1])
    parts = [part for block in blocks for part in block.children or ()]
    assert {part.type for part in parts} <= {"text", "text_special", "softbreak"}
    assert "3.9" in "".join(part.content for part in parts)


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
        so_far = written("It is 62 metres high[1].")
        answer.follow(so_far.linked, lambda so_far=so_far: so_far, ignored)  # type: ignore[misc]
        await answer.find(so_far)

    assert len(indexed) == 1


async def test_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed check leaves the answer without evidence."""

    def fails(*_: object) -> None:
        raise ValueError("canary")

    monkeypatch.setattr(evidence, "check", fails)

    assert await found("It is 62 metres high[1].") is None


async def ignored(_: object) -> None:
    """Show nothing."""


class Growing:
    """An answer that is written piece by piece, and the evidence that was shown."""

    def __init__(self, mode: EvidenceMode = "values") -> None:
        self.evidence = AnswerEvidence(SourceTexts(), "en-US", mode)
        self.answer = written("")
        self.messages: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    def write(self, answer: str, message_id: str = "a") -> None:
        """Grow to *answer*; its last piece cites."""
        self.answer = written(answer, message_id=message_id)
        self.evidence.follow(self.answer.linked, lambda: self.answer, self._show)

    async def next(self) -> dict[str, Any]:
        """Wait for the next message to the page."""
        await asyncio.wait_for(self._news.wait(), 10)
        self._news.clear()
        return self.messages[-1]

    async def _show(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        self._news.set()


@pytest.mark.spec("P7")
async def test_sentences_come_while_the_answer_is_written() -> None:
    """Complete sentences have their evidence before the last word, without marks."""
    page = Growing()
    page.write("The tower is 64 metres high[1]. It opened in 1904[1]. The bridge[2]")
    first = await page.next()
    page.write(page.answer.linked + " is 300 metres long[2]. It is of stone[2]. And")
    await page.next()

    assert first["id"] == "a"
    assert ["62 metres" in one["quote"] for one in first["citations"]] == [True, False]
    assert "1904" in first["citations"][1]["quote"]
    assert all(
        not one["values"] + one["missing"]
        for message in page.messages
        for one in message["citations"]
    )
    whole = await page.evidence.find(page.answer)
    assert whole
    assert whole.citations[0]["values"] == ["64 metres"]


@dataclass
class Paused:
    """A check that begins, and waits until it may go on."""

    begun: threading.Event = field(default_factory=threading.Event)
    goes_on: threading.Event = field(default_factory=threading.Event)

    def check(self, *arguments: Any) -> Any:
        """Wait; only the event loop can end it."""
        self.begun.set()
        assert self.goes_on.wait(10)
        return check(*arguments)


@pytest.fixture
async def paused(monkeypatch: pytest.MonkeyPatch) -> tuple[Paused, Growing]:
    """An answer whose first look is under way."""
    made, page = Paused(), Growing()
    monkeypatch.setattr(evidence, "check", made.check)
    page.write("The tower is 62 metres high[1]. It opened in 1904[1]. And")
    await asyncio.to_thread(made.begun.wait, 10)
    return made, page


@pytest.mark.spec("P7")
async def test_nothing_comes_behind_the_last_word(
    paused: tuple[Paused, Growing],
) -> None:
    """A look that is under way when the answer ends is not shown behind it."""
    look, page = paused
    last = asyncio.create_task(page.evidence.find(page.answer))
    await asyncio.sleep(0)  # the answer ends here
    look.goes_on.set()

    assert await last
    assert page.messages == []


@pytest.mark.spec("P7")
async def test_nothing_blocks_the_event_loop(paused: tuple[Paused, Growing]) -> None:
    """The check runs in a thread, and the loop goes on meanwhile."""
    look, page = paused
    look.goes_on.set()  # by the loop, so it cannot be blocked

    assert (await page.next())["citations"]


async def test_evidence_of_a_text_that_became_an_aside(
    paused: tuple[Paused, Growing],
) -> None:
    """Evidence of one message is never shown with another."""
    look, page = paused
    page.write("The bridge is 300 metres long[2]. It is long[2].", "b")
    look.goes_on.set()

    assert (await page.next())["id"] == "b"
    assert [one["id"] for one in page.messages] == ["b"]


UNSOURCED = "It is 62 metres high[1]. It weighs 4,567 tonnes. It opened in 1904."


@pytest.mark.spec("P4")
async def test_figure_without_a_source() -> None:
    """A figure without a citation that no source holds stands in the note alone."""
    findings = await found(UNSOURCED)

    assert findings
    head, *lines = findings.note.splitlines()
    assert head.startswith("> Figures without a source: 1 [how this is checked](")
    assert lines == [
        ">",
        "> - no source is given for “4,567 tonnes”, and none that was found has it",
    ]
    assert all(not one["values"] + one["missing"] for one in findings.citations)


@pytest.mark.spec("P4")
@pytest.mark.parametrize(
    "answer",
    [
        "It weighs 4,567 tonnes.",  # nothing is cited at all
        "It is 62 metres high[1]. The bridge is 300 metres long.",  # a source has it
        "# 4,567 towers\n\nIt is 62 metres high[1].",
        "It is 62 metres high[1]. Run `sleep 4567`.\n\n```\nx = 4567\n```",
        "It is 62 metres high[1]. You asked for 999 metres.",
        "| | |\n|---|---|\n| a | 4,567 |\n\nIt is 62 metres high[1].",
    ],
)
async def test_figures_that_need_no_source(answer: str) -> None:
    """The question's figures, code, headings and tables are silent."""
    findings = await found(answer, known="Is it 999 metres?")

    assert findings is None or findings.note == ""


@pytest.mark.spec("P7")
@pytest.mark.parametrize("failure", [TimeoutError, ValueError])
async def test_figures_that_take_too_long_lose_no_sentence(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences and missing values are shown where the other figures are late."""

    def late(*_: object) -> None:
        raise failure

    monkeypatch.setattr(evidence, "unsourced", late)
    findings = await found(f"{WRONG} It weighs 4,567 tonnes.")

    assert findings
    assert [bool(one["quote"]) for one in findings.citations] == [True, True]
    assert "64 metres" in findings.note
    assert "4,567" not in findings.note
