"""The Markdown of an answer: notices, linked text, lists of sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.events import SearchFinished
from citations import Linker, Source, cited, closing, source_list
from citations.titles import shown
from ui.texts import text
from websearch import SearchError
from websearch.advice import Advice, advise, facts_of, facts_of_error, problem_of
from websearch.settings import Settings


@dataclass(frozen=True, slots=True)
class Trouble:
    """A failed search in the user's words."""

    title: str
    details: str
    notice: str


class Markup:
    """Collects an answer's text in the page's form, piece by piece."""

    def __init__(self, language: str, settings: Settings) -> None:
        self._language = language
        self._settings = settings
        self._sources: dict[int, Source] = {}
        self._linker: Linker | None = None
        self._head: list[str] = []
        self._raw: list[str] = []
        self._linked: list[str] = []

    @property
    def has_text(self) -> bool:
        """Whether the model has written anything."""
        return bool(self._raw)

    def take_sources(self, sources: Sequence[Source]) -> None:
        """The sources that markers may name from now on."""
        self._sources |= {source.number: source for source in sources}

    def notice(self, words: str) -> str:
        """A notice at the head of the answer."""
        quoted = "> " + words.replace("\n", "\n> ") + "\n\n"
        self._head.append(quoted)
        return quoted

    def feed(self, words: str) -> str:
        """The next piece of the answer, linked; '' while it is undecided."""
        self._raw.append(words)
        return self._keep(self._own_linker().feed(words))

    def thoughts(self) -> Linker:
        """What makes words of the model harmless that are no answer."""
        return self._new_linker({})

    def whole(self, last: str, *, is_notice: bool) -> str:
        """The complete message: notices, text, what it ended with, sources."""
        self._keep(self._own_linker().close())
        answer = "".join(self._head) + "".join(self._linked)
        parts = [answer + closing(answer)]
        if last:
            parts.append(f"> {last}" if is_notice else last)
        parts.append(self._lists())
        return "\n\n".join(part.strip("\n") for part in parts if part.strip())

    def found(self, event: SearchFinished) -> str:
        """What a search found, for its step."""
        notes = [
            text("engines_failed", self._language, engines=_engines(problem))
            for problem in event.problems
        ]
        listed = self._items(event.sources)
        return "\n\n".join([listed, *notes]).strip()

    def trouble(self, error: SearchError) -> Trouble:
        """Cause and next steps of a failed search."""
        address = self._settings.searxng_base_url
        facts = facts_of(address, self._settings.timeout) | facts_of_error(error)
        advice = advise(problem_of(error), facts, self._language, shown)
        first = next((step for step in advice.cure if "\n" not in step), "")
        went_on = text("went_on", self._language)
        notice = f"**{advice.title}** {advice.cause} {went_on} {first} "
        return Trouble(advice.title, self._details(advice), notice + self._help(advice))

    def _details(self, advice: Advice) -> str:
        steps = [
            f"{number}. {step}".replace("\n", "\n   ")
            for number, step in enumerate(advice.cure, start=1)
        ]
        cause = f"**{text('cause', self._language)}** {advice.cause}"
        heading = f"**{text('next_steps', self._language)}**"
        return "\n\n".join([cause, heading, "\n".join(steps), self._help(advice)])

    def _help(self, advice: Advice) -> str:
        return help_link(advice, self._language)

    def _lists(self) -> str:
        """Cited sources as references, the others below them."""
        used = cited("".join(self._raw), self._sources)
        references = [self._sources[number] for number in sorted(used)]
        others = [s for n, s in self._sources.items() if n not in used]
        heading = "other_sources" if references else "search_sources"
        return "\n\n".join(
            filter(
                None,
                [
                    self._list("references", references),
                    self._list(heading, others),
                ],
            )
        )

    def _list(self, heading: str, sources: Sequence[Source]) -> str:
        if not sources:
            return ""
        return f"#### {text(heading, self._language)}\n\n{self._items(sources)}"

    def _items(self, sources: Sequence[Source]) -> str:
        hint = text("open_source", self._language)
        return source_list(sources, snippets=True, hint=hint)

    def _own_linker(self) -> Linker:
        if self._linker is None:
            self._linker = self._new_linker(self._sources)
        return self._linker

    def _new_linker(self, sources: Mapping[int, Source]) -> Linker:
        image = f"[{text('image_blocked', self._language)}]"
        return Linker(sources, titles=True, image=image)

    def _keep(self, piece: str) -> str:
        self._linked.append(piece)
        return piece


def help_link(advice: Advice, language: str) -> str:
    """Where the whole of an advice can be read."""
    page = advice.link.removeprefix("docs/").replace(".md", "")
    return f'[{text("more", language)}](/help/{page} "⚠ {page}")'


def _engines(error: SearchError) -> str:
    return shown(facts_of_error(error)["engines"])
