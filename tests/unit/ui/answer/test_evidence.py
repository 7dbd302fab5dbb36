"""The page gets the sentence of its source for each citation."""

from typing import Any

import pytest

from citations import Source
from ui.answer import evidence
from ui.answer.evidence import AnswerEvidence, SourceTexts

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


async def citations(answer: str, language: str = "en-US") -> list[dict[str, Any]]:
    found = AnswerEvidence(SourceTexts(), language)
    message = await found.message("id", answer, SOURCES, "How high is the tower?")
    return message["citations"] if message else []


@pytest.mark.parametrize(
    ("language", "kinds"),
    [("zh-CN", ["全文", "摘要"]), ("en-US", ["Full text", "Snippet"])],
)
async def test_sentences(language: str, kinds: list[str]) -> None:
    """Each citation has its number, its sentence, and the kind of the text."""
    answer = "The tower is 62 metres high[1]. The bridge is 300 metres long[2]."
    found = await citations(answer, language)

    assert [one["number"] for one in found] == [1, 2]
    assert found[0]["quote"] == "It is 62 metres high."
    assert found[1]["quote"].startswith("The bridge is 300 metres long")
    assert [one["kind"] for one in found] == kinds


async def test_order_of_the_citations() -> None:
    """There is one entry for each citation as it stands, repeated or not."""
    answer = "The tower is 62 metres high[1][1]. It opened in 1904[1]; see `[2]`[9]."
    found = await citations(answer)

    assert [one["number"] for one in found] == [1, 1, 1]
    assert "1904" in found[2]["quote"]


async def test_shared_words() -> None:
    """The places of the shared words are those in the sentence."""
    (one,) = await citations("The tower is 62 metres high[1].")

    shared = [one["quote"][start:end] for start, end in one["shared"]]
    assert any("high" in words for words in shared)


@pytest.mark.parametrize("answer", ["", "Nothing cited.", "Unknown[7].", "`[1]`"])
async def test_nothing(answer: str) -> None:
    """Without a citation the page gets nothing."""
    assert await citations(answer) == []


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
        found = AnswerEvidence(texts, "en-US")
        found.prepare('It is 62 metres[[1]](https://tower.example/ "x")', SOURCES)
        await found.message("id", "It is 62 metres high[1].", SOURCES, "")

    assert len(indexed) == 1


async def test_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it fails the answer stays without sentences."""

    def fails(*_: object) -> None:
        raise ValueError("canary")

    monkeypatch.setattr(evidence, "check", fails)

    assert await citations("It is 62 metres high[1].") == []
