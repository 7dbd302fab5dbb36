"""The sentence of its source behind each citation, for the previews of the page."""

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from citations import Source, cited
from citations.evidence import Evidence, Text, check, index, shared_words
from ui.texts import text

logger = logging.getLogger(__name__)

_LINKED: Final = re.compile(r"\[\[([0-9]{1,4})\]\]\(")
_MOST_KEPT: Final = 40  # texts of a conversation; a long page takes about 2 MB


class SourceTexts:
    """The texts of a conversation's sources, each indexed once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Text] = OrderedDict()

    def of(self, source: Source) -> Text:
        """The index of a source: of its whole text, or else of its snippet."""
        words = f"{source.title}\n{source.text or source.snippet}"
        if words not in self._kept:
            self._kept[words] = index(words)
        self._kept.move_to_end(words)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept[words]


class AnswerEvidence:
    """
    Finds the sentences in threads: while the answer is written, and when it is done.

    Nothing waits for it, and where it fails the answer stays as it is.
    """

    def __init__(self, texts: SourceTexts, language: str) -> None:
        self._texts = texts
        self._language = language
        self._ahead: asyncio.Task[None] | None = None
        self._begun: set[int] = set()

    def prepare(self, linked: str, sources: Mapping[int, Source]) -> None:
        """Index the texts of the sources that a piece of the answer cites."""
        new = {int(number) for number in _LINKED.findall(linked)} - self._begun
        if new := new & sources.keys():
            self._begun |= new
            found = [sources[number] for number in sorted(new)]
            self._ahead = asyncio.create_task(self._index(self._ahead, found))

    async def message(
        self, message_id: str, answer: str, sources: Mapping[int, Source], known: str
    ) -> dict[str, Any] | None:
        """What the page needs to show the sentences; None if there are none."""
        try:
            if self._ahead:
                await self._ahead
            found = await asyncio.to_thread(self._found, answer, sources, known)
        except Exception:
            logger.exception("The sentences of the sources were not found")
            return None
        if not any(one["quote"] for one in found):
            return None
        return {"type": "websearch:evidence", "id": message_id, "citations": found}

    async def _index(
        self, before: "asyncio.Task[None] | None", sources: list[Source]
    ) -> None:
        if before:
            await before
        for source in sources:
            await asyncio.to_thread(self._texts.of, source)

    def _found(
        self, answer: str, sources: Mapping[int, Source], known: str
    ) -> list[dict[str, Any]]:
        texts = {n: self._texts.of(sources[n]) for n in cited(answer, sources)}
        return [
            shown
            for evidence in check(answer, texts, known)
            for shown in self._shown(evidence, sources)
        ]

    def _shown(
        self, evidence: Evidence, sources: Mapping[int, Source]
    ) -> Iterator[dict[str, Any]]:
        """One entry for each citation of a sentence, in the order of the answer."""
        quotes = dict(zip(evidence.numbers, evidence.quotes, strict=True))
        for number in evidence.cites:
            quote, is_read = quotes[number], sources[number].is_read
            yield {
                "number": number,
                "quote": quote,
                "kind": text("full_text" if is_read else "snippet", self._language),
                "shared": shared_words(evidence.sentence, quote),
            }
