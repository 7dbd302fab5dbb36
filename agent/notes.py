"""What an answer leaves for the next one, also where it was stopped."""

from agent.events import Aside, Event, Recalled, SearchFinished, Token
from agent.history import Turn, without_markers
from citations import Source


class Notes:
    """Taken of an answer while its events pass."""

    def __init__(self) -> None:
        self._written: list[str] = []
        self._aside = ""
        self._own: dict[int, Source] = {}  # Chat mode's, which mean nothing later
        self._lasting: dict[int, Source] = {}  # the session's

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
            case Recalled(sources):
                self._lasting |= sources
            case SearchFinished():
                numbered = self._lasting if event.call else self._own
                numbered |= {source.number: source for source in event.sources}

    def turn(self) -> Turn:
        """The answer as history; its numbers are kept only where they last."""
        plain = without_markers(self.text, self._lasting | self._own)
        return Turn("assistant", plain, "" if self._own else self.text)
