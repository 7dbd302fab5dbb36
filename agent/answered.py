"""A complete answer, for programs that need no stream."""

from collections.abc import AsyncIterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from agent.causes import ModelProblem
from agent.events import (
    Answer,
    Aside,
    Event,
    Failed,
    Notice,
    ReadingFinished,
    Recalled,
    SearchFailed,
    SearchFinished,
    Token,
)
from citations import Round, Source
from citations.evidence import Evidence, check
from websearch import SearchError


@dataclass(frozen=True, slots=True)
class Answered:
    """
    An answer: its raw text, the sources it may cite, and what was searched for it.

    A page that no search has found has a round of its own, named by its address.
    Where the model failed, *problem* is there, and the text ends where it failed.
    *notices* tell, for example, that nothing was searched.
    """

    text: str
    sources: Mapping[int, Source] = field(default_factory=dict)
    rounds: Sequence[Round] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
    problem: ModelProblem | None = None
    failed: Sequence[SearchError] = ()  # searches without a result
    notices: Sequence[Notice] = ()

    @classmethod
    async def of(cls, events: AsyncIterable[Event]) -> Self:
        """Collect the *events* of an answer, to the last one."""
        written: list[str] = []
        sources: dict[int, Source] = {}
        listed: set[int] = set()  # sources of a round, or of an earlier answer
        opened: dict[int, Source] = {}
        rounds: list[Round] = []
        failed: list[SearchError] = []
        notices: list[Notice] = []
        usage: Mapping[str, int] = {}
        problem: ModelProblem | None = None
        async for event in events:
            match event:
                case Recalled(recalled):
                    sources, listed = dict(recalled), set(recalled)
                case SearchFinished(query):
                    rounds.append(Round(query, tuple(event.sources)))
                    sources |= {source.number: source for source in event.sources}
                    listed |= {source.number for source in event.sources}
                case SearchFailed(error=error):
                    failed.append(error)
                case ReadingFinished():
                    opened |= event.sources
                    sources |= event.sources
                case Token(text):
                    written.append(text)
                case Aside():
                    written.clear()
                case Notice():
                    notices.append(event)
                case Failed(problem):
                    pass
                case Answer(text, found, usage):
                    written = [text]
                    sources |= found
        given = (opened[number] for number in sorted(opened.keys() - listed))
        rounds[:0] = [Round(one.url, (one,)) for one in given]
        return cls("".join(written), sources, rounds, usage, problem, failed, notices)

    @property
    def evidence(self) -> list[Evidence]:
        """The sentences of the sources behind each cited sentence."""
        texts = {number: source.words for number, source in self.sources.items()}
        return check(self.text, texts)
