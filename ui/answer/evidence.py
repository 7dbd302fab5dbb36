"""The evidence of an answer: the sentence behind each citation, and missing values."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from cachetools import LRUCache

from citations import Source, page_form
from citations.evidence import ADDRESS, Evidence, Text, check, index, shared_words
from ui.server.settings import EvidenceMode
from ui.texts import text
from untrusted.text import shown

logger = logging.getLogger(__name__)

_LINKED: Final = re.compile(r"\[\[([0-9]{1,4})\]\]\(")
_CITATION: Final = re.compile(r'\[\[([0-9]{1,4})\]\]\(\S+ "\[\1\] [^"]*"\)')
_MOST_KEPT: Final = 40  # a long page takes about 2 MB
_MOST_SECONDS: Final = 3.0  # beyond the last word


class SourceTexts:
    """The texts of sources, each indexed once; all conversations share them."""

    def __init__(self) -> None:
        self._kept: LRUCache[str, Text] = LRUCache(_MOST_KEPT)
        self._lock = Lock()  # threads of several answers come here

    def of(self, source: Source) -> Text:
        """The index of a source: of its whole text, or else of its snippet."""
        words = source.words
        with self._lock:
            known = self._kept.get(words)
        if known is None:
            known = index(words)
            with self._lock:
                self._kept[words] = known
        return known


@dataclass(frozen=True, slots=True)
class Findings:
    """The evidence on the page: an entry for each citation, a note below the answer."""

    citations: Sequence[Mapping[str, Any]]
    note: str

    def message(self, message_id: str) -> dict[str, Any]:
        """The message to the page, which shows it with the citations of the answer."""
        entries = [*self.citations]
        return {"type": "websearch:evidence", "id": message_id, "citations": entries}


class AnswerEvidence:
    """
    Finds the evidence in threads: while the answer is written, and when it is done.

    No word waits for it, and where it fails the answer stays as it is.
    """

    def __init__(
        self, texts: SourceTexts, language: str, mode: EvidenceMode = "sentence"
    ) -> None:
        self._texts = texts
        self._language = language
        self._mode = mode
        self._ahead: asyncio.Task[None] | None = None
        self._begun: set[int] = set()

    def prepare(self, linked: str, sources: Mapping[int, Source]) -> None:
        """Index the texts of the sources that a piece of the answer cites."""
        new = {int(number) for number in _LINKED.findall(linked)} - self._begun
        if self._mode != "off" and (new := new & sources.keys()):
            self._begun |= new
            found = [sources[number] for number in sorted(new)]
            self._ahead = asyncio.create_task(self._index(self._ahead, found))

    async def find(
        self, answer: str, sources: Mapping[int, Source], known: str
    ) -> Findings | None:
        """The evidence of an answer; None if there is none to show."""
        if self._mode == "off":
            return None
        try:
            async with asyncio.timeout(_MOST_SECONDS):
                if self._ahead:
                    await self._ahead
                return await asyncio.to_thread(self._found, answer, sources, known)
        except TimeoutError:
            logger.warning("The evidence was not found within %g s", _MOST_SECONDS)
        except Exception:
            logger.exception("The evidence was not found")
        return None

    async def _index(
        self, before: "asyncio.Task[None] | None", sources: Sequence[Source]
    ) -> None:
        if before:
            await before
        for source in sources:
            await asyncio.to_thread(self._texts.of, source)

    def _found(
        self, answer: str, sources: Mapping[int, Source], known: str
    ) -> Findings | None:
        # As on the page, where `[1](address)` is a citation too.
        shown_as = page_form(answer, sources)
        numbers = {int(number) for number in _CITATION.findall(shown_as)}
        texts = {n: self._texts.of(sources[n]) for n in sorted(numbers)}
        words = _CITATION.sub(rf"[[\1]]({ADDRESS}\1)", shown_as)
        found = check(words, texts, known)
        entries = [entry for one in found for entry in self._entries(one, sources)]
        if not any(entry["quote"] or entry["missing"] for entry in entries):
            return None
        return Findings(entries, self._note(found, sources))

    def _entries(
        self, evidence: Evidence, sources: Mapping[int, Source]
    ) -> Iterator[dict[str, Any]]:
        """One entry for each citation of a sentence, in the order of the answer."""
        quotes = dict(zip(evidence.numbers, evidence.quotes, strict=True))
        missing = self._missing(evidence, sources)
        values = [flag.value for flag in evidence.flags] if missing else []
        for place, number in enumerate(evidence.cites):
            yield {
                "number": number,
                "quote": quotes[number],
                "kind": self._kind([sources[number]]),
                "shared": shared_words(evidence.sentence, quotes[number]),
                "missing": missing,
                "values": [] if place else values,  # marked once, before the first
            }

    def _note(self, found: Sequence[Evidence], sources: Mapping[int, Source]) -> str:
        """The note below the answer, as Markdown; '' where nothing is missing."""
        lines = [line for one in found for line in self._missing(one, sources, shown)]
        if not lines:
            return ""
        head = text("evidence_note", self._language, count=len(lines))
        how = text("evidence_how", self._language)
        items = "".join(f"\n> - {line}" for line in lines)
        return f"> {head} {how}\n>{items}"

    def _missing(
        self,
        evidence: Evidence,
        sources: Mapping[int, Source],
        form: Callable[[str], str] = str,
    ) -> list[str]:
        """A line for each value that no cited source holds, values in this *form*."""
        if self._mode != "values":
            return []
        cited_sources = [sources[number] for number in evidence.numbers]
        facts = {
            "kind": self._kind(cited_sources).lower(),
            "numbers": text("evidence_and", self._language).join(
                f"[{one.number}]" for one in cited_sources
            ),
        }
        return [
            text("evidence_missing", self._language, value=form(flag.value), **facts)
            + self._nearest(form(flag.nearest))
            for flag in evidence.flags
        ]

    def _nearest(self, value: str) -> str:
        if not value:
            return ""
        return text("evidence_nearest", self._language, nearest=value)

    def _kind(self, sources: Sequence[Source]) -> str:
        names = {"full_text" if one.is_read else "snippet" for one in sources}
        name = names.pop() if len(names) == 1 else "evidence_texts"
        return text(name, self._language)
