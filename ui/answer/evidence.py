"""The evidence of an answer: the sentence behind each citation, and missing values."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, TypeVar

from cachetools import LRUCache

from citations import Source, markers
from citations.evidence import (
    Claim,
    Evidence,
    IndexedText,
    check,
    index,
    quoted,
    sentences,
    shared_words,
    unsourced,
)
from ui.server.settings import EvidenceMode
from ui.texts import text
from untrusted.text import shown

logger = logging.getLogger(__name__)

T = TypeVar("T")
Show = Callable[[dict[str, Any]], Awaitable[object]]

_LINKED: Final = re.compile(r'\[\[([0-9]{1,4})\]\]\(\S+ "\[\1\] [^"]*"\)')
_END: Final = re.compile(r"[。！？!?۔؟\n]|\.(?:\s|\Z)")
_MOST_KEPT: Final = 40  # a long page takes about 2 MB
_MOST_SECONDS: Final = 3.0  # beyond the last word
_LEAST_PAUSE: Final = 0.3  # seconds between two looks at an answer that goes on
_REST: Final = 10  # times: a look takes a tenth of the time at most


class SourceTexts:
    """
    The texts of sources, each indexed once, and the thread that looks into them.

    All conversations share them. The thread is no other's, for the first word of the
    next answer waits for the threads of the loop.
    """

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, "evidence")
        self._kept: LRUCache[str, IndexedText] = LRUCache(_MOST_KEPT)
        self._lock = Lock()  # threads of several answers come here

    def of(self, source: Source) -> IndexedText:
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


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as far as it is written, linked for the page, with its sources."""

    message_id: str
    linked: str
    sources: Mapping[int, Source]
    question: str


class AnswerEvidence:
    """
    Finds the evidence in threads: while the answer is written, and when it is done.

    No word waits for it, and where it fails the answer stays as it is. The sentences
    come while the answer is written; marks and the note only with the last word, for
    the page builds the text anew at every piece, and they would flicker.
    """

    def __init__(
        self, texts: SourceTexts, language: str, mode: EvidenceMode = "sentence"
    ) -> None:
        self._texts = texts
        self._language = language
        self._mode = mode
        self._following: asyncio.Task[None] | None = None
        self._has_cited = False  # since the last look
        self._has_new = False  # sentences that cite, and are complete
        self._quoted: dict[Claim, Evidence] = {}  # so far
        self._is_done = asyncio.Event()

    def follow(self, piece: str, written: Callable[[], Written], show: Show) -> None:
        """Find the evidence so far where a *piece* ends a sentence, and show it."""
        self._has_cited = self._has_cited or bool(_LINKED.search(piece))
        if self._mode == "off" or not (self._has_cited and _END.search(piece)):
            return
        self._has_new = True
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow(written, show))

    async def find(self, written: Written) -> Findings | None:
        """The evidence of a complete answer; None if there is none to show."""
        if self._mode == "off":
            return None
        self._is_done.set()
        try:
            async with asyncio.timeout(_MOST_SECONDS) as limit:
                if self._following:
                    await self._following
                claims = await self._in_thread(_claims, written)
                found, entries = await self._in_thread(self._found, written, claims)
            alone = await self._alone(written, claims, limit.when())
            note = self._note(found, written.sources, alone)
        except TimeoutError:
            logger.warning("The evidence was not found within %g s", _MOST_SECONDS)
        except Exception:
            logger.exception("The evidence was not found")
        else:
            if note or any(entry["quote"] for entry in entries):
                return Findings(entries, note)
        return None

    async def _alone(
        self, written: Written, claims: Sequence[Claim], until: float | None
    ) -> list[str]:
        """The figures without a source; none in time or at all loses no sentence."""
        try:
            async with asyncio.timeout_at(until):
                return await self._in_thread(self._unsourced, written, claims)
        except TimeoutError:
            logger.warning("Figures without a source: not within %g s", _MOST_SECONDS)
        except Exception:
            logger.exception("Figures without a source were not looked for")
        return []

    async def _follow(self, written: Callable[[], Written], show: Show) -> None:
        """Look at the answer again and again, until it is done; fail in silence."""
        loop = asyncio.get_running_loop()
        try:
            while self._has_new and not self._is_done.is_set():
                self._has_new = False
                begun, answer = loop.time(), written()
                self._has_cited = not _is_ended(answer.linked)
                findings = await self._in_thread(self._found_so_far, answer)
                is_current = written().message_id == answer.message_id
                if findings and is_current and not self._is_done.is_set():
                    await show(findings.message(answer.message_id))
                pause = max(_LEAST_PAUSE, _REST * (loop.time() - begun))
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._is_done.wait(), pause)
        except Exception:
            logger.exception("The evidence was not found while the answer was written")

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._texts.thread, work, *arguments)

    def _found_so_far(self, written: Written) -> Findings | None:
        """The sentences behind the citations, but not behind one that goes on."""
        found, entries = self._found(written, _claims(written))
        if found and not _is_ended(written.linked):
            del entries[len(entries) - len(found[-1].cites) :]
        for entry in entries:
            entry |= {"missing": [], "values": []}
        return Findings(entries, "") if any(e["quote"] for e in entries) else None

    def _found(
        self, written: Written, claims: Sequence[Claim]
    ) -> tuple[list[Evidence], list[dict[str, Any]]]:
        """The evidence of the sentences that cite, and an entry for each citation."""
        cited = [claim for claim in claims if claim.cites]
        numbers = sorted({number for claim in cited for number in claim.numbers})
        texts = {number: self._texts.of(written.sources[number]) for number in numbers}
        if self._mode == "values":
            found = check(cited, texts, written.question)
        else:  # each sentence is looked for once
            new = [claim for claim in cited if claim not in self._quoted]
            self._quoted |= zip(new, quoted(new, texts), strict=True)
            found = [self._quoted[claim] for claim in cited]
        entries: list[dict[str, Any]] = []
        for evidence in found:
            quotes = dict(zip(evidence.numbers, evidence.quotes, strict=True))
            missing = self._missing(evidence, written.sources)
            values = [flag.value for flag in evidence.flags] if missing else []
            for place, number in enumerate(evidence.cites):
                entries.append(
                    {
                        "number": number,
                        "quote": quotes[number],
                        "kind": self._kind([written.sources[number]]),
                        "shared": shared_words(evidence.sentence, quotes[number]),
                        "missing": missing,
                        "values": [] if place else values,  # marked before the first
                    }
                )
        return found, entries

    def _unsourced(self, written: Written, claims: Sequence[Claim]) -> list[str]:
        """The figures without a citation that no source found holds."""
        if self._mode != "values" or not claims:
            return []
        texts = {n: self._texts.of(one) for n, one in written.sources.items()}
        return [flag.value for flag in unsourced(claims, texts, written.question)]

    def _note(
        self,
        found: Sequence[Evidence],
        sources: Mapping[int, Source],
        alone: Sequence[str],
    ) -> str:
        """The note below the answer, as Markdown; '' where nothing is missing."""
        lines = [line for one in found for line in self._missing(one, sources, shown)]
        if not lines and not alone:
            return ""
        counts = {"evidence_note": len(lines), "evidence_unsourced": len(alone)}
        heads = [text(n, self._language, count=c) for n, c in counts.items() if c]
        how = text("evidence_how", self._language)
        lines += [
            text("evidence_without", self._language, value=shown(value))
            for value in alone
        ]
        items = "".join(f"\n> - {line}" for line in lines)
        return f"> {' · '.join(heads)} {how}\n>{items}"

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
        lines: list[str] = []
        for flag in evidence.flags:
            value, nearest = form(flag.value), form(flag.nearest)
            line = text("evidence_missing", self._language, value=value, **facts)
            if nearest:
                line += text("evidence_nearest", self._language, nearest=nearest)
            lines.append(line)
        return lines

    def _kind(self, sources: Sequence[Source]) -> str:
        names = {"full_text" if one.is_read else "snippet" for one in sources}
        name = names.pop() if len(names) == 1 else "evidence_texts"
        return text(name, self._language)


def _claims(written: Written) -> list[Claim]:
    """The sentences of an answer with the citations of the page."""
    return sentences(written.linked, markers(written.linked, written.sources))


def _is_ended(linked: str) -> bool:
    """Tell whether the last sentence that cites is complete, and others follow."""
    end = max((match.end() for match in _LINKED.finditer(linked)), default=0)
    return bool(_END.search(linked, end))
