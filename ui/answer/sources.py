"""What an answer may cite, and the lists of it below the answer."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from agent import SearchFinished, SearchStarted
from citations import Round, Source, cited, round_list, source_list
from ui.texts import text


class Findings:
    """
    The sources of an answer: what its searches found, and what earlier ones did.

    The model's own searches bear the name of their call, and are listed search by
    search; the one search for the user's words is listed by what of it was cited.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._rounds: list[Round] = []
        self._places: dict[str, int] = {}
        self._is_by_round = False
        self._recalled: dict[int, Source] = {}
        self.sources: dict[int, Source] = {}

    @property
    def is_empty(self) -> bool:
        """Whether this answer's searches have found nothing so far."""
        return not any(one.sources for one in self._rounds)

    def recall(self, sources: Mapping[int, Source]) -> None:
        """Sources of earlier answers: they may be cited, and are listed only then."""
        self._recalled |= sources
        self.sources |= sources

    def begin(self, search: SearchStarted) -> None:
        """Keep the place of a search: of several, any may be the first to end."""
        self._places[search.call] = len(self._rounds)
        self._rounds.append(Round("", ()))

    def take(self, search: SearchFinished) -> None:
        """What a search has found, which markers may name from now on."""
        found = Round(" ".join(search.query.split()), tuple(search.sources))
        place = self._places.pop(search.call, None)  # servers use names again
        if place is None:
            self._rounds.append(found)
        else:
            self._rounds[place] = found
        self._is_by_round = self._is_by_round or bool(search.call)
        self.sources |= {source.number: source for source in search.sources}

    def items(self, sources: Iterable[Source]) -> str:
        """*sources* as a list of cards, without a heading."""
        hint = text("open_source", self._language)
        return source_list(sources, snippets=True, hint=hint)

    def cites_recalled(self, answer: str) -> bool:
        """Whether *answer* rests on earlier searches."""
        return bool(self._earlier(cited(answer, self.sources)))

    def lists(self, answer: str) -> str:
        """Everything found, then what *answer* cites of earlier searches."""
        used = cited(answer, self.sources)
        found = self._by_round(used) if self._is_by_round else self._by_use(used)
        earlier = self._section("earlier_sources", self._earlier(used))
        return "\n\n".join(filter(None, [found, earlier]))

    @property
    def _found(self) -> Mapping[int, Source]:
        return {s.number: s for one in self._rounds for s in one.sources}

    def _earlier(self, used: Collection[int]) -> Sequence[Source]:
        """Of the numbers *used*, those that only earlier answers found."""
        numbers = sorted(self._recalled.keys() & set(used) - self._found.keys())
        return [self._recalled[number] for number in numbers]

    def _by_round(self, used: Collection[int]) -> str:
        return round_list(
            self._distinct_rounds(),
            used=used,
            heading=text("search_sources", self._language),
            round_heading=text("round", self._language),
            hint=text("open_source", self._language),
            mark=text("cited", self._language),
            snippets=True,
        )

    def _distinct_rounds(self) -> Sequence[Round]:
        """Rounds that found something; the same again counts once."""
        rounds: list[Round] = []
        for one in self._rounds:
            if one.sources and one not in rounds:
                rounds.append(one)
        return rounds

    def _by_use(self, used: Collection[int]) -> str:
        """Cited sources as references, the others below them."""
        found = self._found
        references = [found[number] for number in sorted(found.keys() & set(used))]
        others = [source for number, source in found.items() if number not in used]
        heading = "other_sources" if references else "search_sources"
        sections = [
            self._section("references", references),
            self._section(heading, others),
        ]
        return "\n\n".join(filter(None, sections))

    def _section(self, heading: str, sources: Sequence[Source]) -> str:
        if not sources:
            return ""
        return f"#### {text(heading, self._language)}\n\n{self.items(sources)}"
