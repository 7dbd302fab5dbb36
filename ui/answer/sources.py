"""The sources of an answer, and the lists below it."""

from collections.abc import Collection, Mapping, Sequence

from agent.events import ReadingFinished, SearchFinished, SearchStarted
from citations import Round, Source, round_list, source_list
from ui.answer.steps import page_facts
from ui.steps import joined
from ui.texts import text


class AnswerSources:
    """
    Sources found by the searches of an answer, given by the user, or found earlier.

    Searches by the model (they have the id of a tool call) are listed one by one. The
    search for the user's words is listed as references and other results.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._rounds: list[Round] = []
        self._running: dict[str, int] = {}  # index of the round by call id
        self._is_by_round = False
        self._recalled: Mapping[int, Source] = {}
        self._given: dict[int, Source] = {}
        self._is_reading = False  # then each source says if its full text is known
        self._facts: dict[int, str] = {}  # what came of reading, by number
        self.sources: dict[int, Source] = {}

    @property
    def is_empty(self) -> bool:
        """Tell if the searches of this answer have found nothing so far."""
        return not any(one.sources for one in self._rounds)

    @property
    def count(self) -> int:
        """The number of sources that were found for this answer, or given with it."""
        return len({*self._found, *self._given})

    def recall(self, sources: Mapping[int, Source]) -> None:
        """Begin with sources of earlier answers, listed only if they are cited."""
        self._recalled = sources
        self.sources.clear()
        self.sources |= sources

    def begin(self, search: SearchStarted) -> None:
        """Reserve a round: parallel searches are listed in the order of their start."""
        self._running[search.call] = len(self._rounds)
        self._rounds.append(Round("", ()))

    def add(self, search: SearchFinished) -> None:
        """Add the results of a search; markers may name them from now on."""
        found = Round(" ".join(search.query.split()), tuple(search.sources))
        index = self._running.pop(search.call, None)  # servers repeat ids
        if index is None:
            self._rounds.append(found)
        else:
            self._rounds[index] = found
        self._is_by_round = self._is_by_round or bool(search.call)
        self.sources |= {source.number: source for source in search.sources}

    def read(self, reading: ReadingFinished) -> None:
        """Add the texts of pages, and the pages that no search has found."""
        self._is_reading = True
        self._facts |= {
            page.source.number: page_facts(page, self._language)
            for page in reading.pages
        }
        self.sources |= reading.sources
        found = self._found.keys() | self._recalled.keys()
        self._given |= {n: s for n, s in reading.sources.items() if n not in found}

    def lists(self, used: Collection[int]) -> str:
        """All results of this answer's searches, then the *used* of earlier ones."""
        sections: list[str] = []
        if self._is_by_round:
            rounds = round_list(
                # Equal ones only once.
                [*dict.fromkeys(found for found in self._rounds if found.sources)],
                used=used,
                kinds=self._kinds(),
                heading=text("search_sources", self._language),
                round_heading=text("round", self._language),
                hint=text("open_source", self._language),
                mark=text("cited", self._language),
                again=text("found_again", self._language),
                snippets=True,
            )
            sections += [self._section("given_sources", [*self._given.values()])]
            sections += [rounds]
        else:  # cited sources as references, the other results below them
            found = {**self._given, **self._found}
            references = [found[number] for number in sorted(found.keys() & set(used))]
            others = [source for number, source in found.items() if number not in used]
            heading = "other_sources" if references else "search_sources"
            sections += [self._section("references", references)]
            sections += [self._section(heading, others)]
        sections += [self._section("earlier_sources", self.earlier(used))]
        return "\n\n".join(filter(None, sections))

    def _kinds(self) -> Mapping[int, str]:
        """Full text or snippet, and the facts of reading, as soon as pages are read."""
        if not self._is_reading and not any(s.is_read for s in self.sources.values()):
            return {}
        kinds: dict[int, str] = {}
        for number, source in self.sources.items():
            facts = self._facts.get(number, "")
            name = "snippet" if source.snippet else "unread"
            if source.is_read:
                kinds[number] = facts or text("full_text", self._language)
            else:
                kinds[number] = joined(text(name, self._language), facts)
        return kinds

    @property
    def _found(self) -> Mapping[int, Source]:
        return {s.number: s for one in self._rounds for s in one.sources}

    def earlier(self, used: Collection[int]) -> Sequence[Source]:
        """The *used* sources that only earlier answers found."""
        known = self._found.keys() | self._given.keys()
        numbers = sorted(self._recalled.keys() & set(used) - known)
        return [self._recalled[number] for number in numbers]

    def _section(self, heading: str, sources: Sequence[Source]) -> str:
        if not sources:
            return ""
        hint = text("open_source", self._language)
        cards = source_list(sources, kinds=self._kinds(), snippets=True, hint=hint)
        return f"#### {text(heading, self._language)}\n\n{cards}"
