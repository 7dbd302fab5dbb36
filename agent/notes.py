"""What an answer leaves for the next one, also where it was stopped."""

from agent.events import (
    Aside,
    Event,
    Notice,
    NoticeKind,
    Recalled,
    SearchFinished,
    Token,
)
from agent.history import Turn, with_known_markers, without_markers
from citations import Source


class Notes:
    """Taken of an answer while its events pass; *lasting* numbers are Agent mode's."""

    def __init__(self, *, lasting: bool) -> None:
        self._lasting = lasting
        self._written: list[str] = []
        self._aside = ""
        self._sources: dict[int, Source] = {}

    @property
    def text(self) -> str:
        """The answer, as far as it came; before it began, what was said before."""
        return "".join(self._written) or self._aside

    def take(self, event: Event) -> None:
        """Note what matters of *event*."""
        match event:
            case Token(words):
                self._written.append(words)
            case Aside(words):
                self._aside = words
                self._written.clear()
            case Notice(NoticeKind.NO_TOOLS):  # answered as in Chat mode
                self._lasting = False
                self._sources.clear()
            case Recalled(sources):
                self._sources |= sources
            case SearchFinished():
                self._sources |= {source.number: source for source in event.sources}

    def turn(self) -> Turn:
        """The answer as history; its numbers are kept only where they last."""
        plain = without_markers(self.text, self._sources)
        marked = with_known_markers(self.text, self._sources) if self._lasting else ""
        # Servers refuse a message without words.
        return Turn("assistant", plain if plain.strip() else "…", marked)
