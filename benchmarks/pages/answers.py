"""
Measure the quotations of a report on public questions, beside plain `quotes`.

A whole report without a model is made for each: its search finds the passages of its
questions, in their order, and all of them are read. The questions are those of
`benchmarks.quotes`, and so is the scorer.
"""

import asyncio
import hashlib
import runpy
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self

from agent import Resources, Session
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.research import Ended, ReportRun
from agent.research.report import Section
from agent.settings import AgentSettings
from agent.without_model import Passage, quotes
from benchmarks.quotes import CORPUS, Row, public_questions
from benchmarks.result import Figure
from websearch import (
    Page,
    PageReader,
    SearchItem,
    SearchRequest,
    SearchResponse,
    SearchService,
)

_MOST: Final = 5  # quotations of a section
_AT_ONCE: Final = 5  # sub-questions of one report, of a page each
_PATIENCE: Final = 60.0  # seconds of a plan that waits; it is decided at once
_ENGINE: Final = "corpus"


def alone(name: str) -> Callable[[], Figure]:
    """Measure reports of one question each, on the set of that *name*."""
    return lambda: _figure({name: [[row] for row in _asked(name)]})


def parts() -> Figure:
    """
    Measure reports of several sub-questions, each of which has an answer of its own.

    The Chinese ones ask for several things of one page, the English ones have nothing
    in common.
    """
    chinese, english = _asked("cmrc page"), _asked("clapnq page")
    by_page = defaultdict(list)
    for row in chinese:
        by_page[row["passages"][0]["text"]].append(row)
    starts = range(0, len(english), _AT_ONCE)
    return _figure(
        {
            "cmrc, one page": [rows for rows in by_page.values() if len(rows) > 1],
            "clapnq, a page each": [english[at : at + _AT_ONCE] for at in starts],
        }
    )


def _asked(name: str) -> list[Row]:
    """The rows of a set, but for the empty question that each Chinese set has."""
    return [row for row in public_questions()[name] if row["question"]]


class _Found:
    """A search engine that finds these *passages*, whatever is asked."""

    name = _ENGINE

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._items = [
            SearchItem(one.title or f"Page {one.number}", one.url, "", _ENGINE)
            for one in passages
        ]

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Find all of them."""
        return SearchResponse(request.query, _ENGINE, self._items)

    async def aclose(self) -> None:
        """Close nothing."""


class _Read(PageReader):
    """A reader of these *passages* as pages, without network and workers."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        super().__init__(None)
        self._passages = {one.url: one for one in passages}

    @property
    def is_enabled(self) -> bool:
        """There is something to read."""
        return True

    async def aread(self, url: str) -> Page:
        """The passage with this address."""
        one = self._passages[url]
        return Page(url, url, one.title, one.text, "text/plain", None, False, 0)

    def for_session(self) -> Self:
        """Keep nothing for a session."""
        return self


def _figure(sets: Mapping[str, Sequence[Sequence[Row]]]) -> Figure:
    """Compare both ways on the reports of each set; the lowest counts."""
    scorer = runpy.run_path(str(CORPUS / "score.py"))["answers"]
    ratios, details = [], []
    for name, reports in sets.items():
        ours, plain = asyncio.run(_measured(reports, scorer))
        shares = [100 * sum(hits) / len(hits) for hits in (ours, plain)]
        ratios.append(shares[0] / shares[1])
        details.append(
            f"{name}, {len(ours)} questions in {len(reports)} reports: "
            f"{shares[0]:.1f} %, plain {shares[1]:.1f} %"
        )
    return Figure(min(ratios), "; ".join(details))


async def _measured(
    reports: Sequence[Sequence[Row]], answers: Callable[[Row, str], bool]
) -> tuple[list[bool], list[bool]]:
    """Tell of each question if its section answers it, and if plain `quotes` do."""
    ours, plain = [], []
    for rows in reports:
        passages = _passages(rows)
        questions = [row["question"] for row in rows]
        for row, section in zip(
            rows, await _sections(questions, passages), strict=True
        ):
            said = [one.text for one in section.statements]
            assert len(said) <= _MOST, "a section has grown: compare with as many"
            ours.append(any(answers(row, text) for text in said))
            found = quotes(row["question"], passages, _MOST)
            plain.append(any(answers(row, one.text) for one in found))
    return ours, plain


async def _sections(
    questions: Sequence[str], passages: Sequence[Passage]
) -> Sequence[Section]:
    """Make a report with these sub-questions."""
    resources = Resources(
        Models(ModelSettings()),
        SearchService(_Found(passages)),
        AgentSettings(),
        reader=_Read(passages),
    )
    run = Session(resources).report(" ".join(questions), plan_seconds=_PATIENCE)
    async for _ in run.follow():
        _decide(run, questions)
    await resources.aclose()
    assert run.report.ended is Ended.COMPLETE, f"the report ended: {run.report.ended}"
    return run.report.sections


def _decide(run: ReportRun, questions: Sequence[str]) -> None:
    """Start a plan of *questions*, as a user who strikes all proposed lines."""
    draft = run.draft
    if draft is not None and draft.is_open:
        for number in range(len(draft.lines)):
            draft.toggle(number)
        assert draft.add("\n".join(questions))
        draft.start()


def _passages(rows: Sequence[Row]) -> list[Passage]:
    """All passages of these questions, each once, with an address of its own."""
    every: list[Mapping[str, Any]] = [one for row in rows for one in row["passages"]]
    texts = {one["text"]: one["title"] for one in every}
    return [
        Passage(number, title, text, f"https://corpus.example/{_digest(text)}")
        for number, (text, title) in enumerate(texts.items(), start=1)
    ]


def _digest(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
