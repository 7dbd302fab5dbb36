"""The Markdown of an answer: notices, linked text, lists of sources."""

from agent.events import Notice
from citations import PageLinker, page_form
from ui.answer.search_errors import Explanation
from ui.answer.sources import AnswerSources
from ui.texts import text


class Markup:
    """The Markdown of one answer, linked piece by piece in the page's form."""

    def __init__(self, language: str, sources: AnswerSources) -> None:
        self._language = language
        self._sources = sources
        self._image = f"[{text('image_blocked', language)}]"
        self._notices: list[str] = []
        self._failed: Explanation | None = None
        self.finds_nothing = False  # a search that did not fail; told if none did more
        self._is_closed = False
        self.has_text = False  # of the model
        self._begin()

    @property
    def linked(self) -> str:
        """The answer as far as it can be shown, in the page's form."""
        return "".join(self._linked)

    @property
    def has_notices(self) -> bool:
        """Tell if something stands at the head of the answer."""
        return bool(self._head())

    def lead(self, line: str) -> None:
        """Put a line of Markdown at the head of the answer, once."""
        if line not in self._notices:
            self._notices.append(line)

    def notice(self, notice: Notice) -> None:
        """Put a notice at the head of the answer, once."""
        kind = notice.kind
        words = text(f"notice_{kind}", self._language, count=notice.count)
        is_agents = kind.gives_up or kind.is_unsourced
        name = "agent_mode" if is_agents else "configuration"
        page = "agent" if is_agents else "configuration"
        more = text(name, self._language)
        self.lead(f'{words} [{more}](/help/{page} "ⓘ {page}")')

    def fail(self, explanation: Explanation) -> None:
        """Note a failed search; the answer reports it if no search finds anything."""
        self._failed = explanation

    def feed(self, words: str) -> str:
        """Link the next piece of the answer; '' while it is undecided."""
        head = "" if self.has_text else self._head()
        self.has_text = True
        self._raw.append(words)
        return head + self._keep(self._linker.feed(words))

    def aside(self, words: str) -> str:
        """Return the text before a search, without links, and start a new answer."""
        self._begin()
        return page_form(words, None, image=self._image).strip()

    def thoughts(self) -> PageLinker:
        """A linker for the model's thoughts, which links nothing."""
        return PageLinker(None, image=self._image)

    def reopen(self) -> str:
        """Begin the answer again with all its text, which then goes on."""
        written = "".join(self._raw)
        self._begin()
        return self.feed(written)

    def close(self) -> None:
        """Link what is undecided at the end of the answer, once."""
        if not self._is_closed:
            self._is_closed = True
            self._keep(self._linker.close())

    def whole(self, last: str, *, is_notice: bool, note: str = "") -> str:
        """The complete message: notices, text, a *last* line, a *note*, sources."""
        self.close()
        parts = [self._head() + "".join(self._linked) + self._linker.closing]
        if last:
            parts.append(f"> {last}" if is_notice else last)
        parts += [note, self._sources.lists(self._linker.cited)]
        return "\n\n".join(part.strip("\n") for part in parts if part.strip())

    def _begin(self) -> None:
        self.has_text = False
        self._raw: list[str] = []  # the pieces as the model wrote them
        self._linked: list[str] = []
        self._is_closed = False
        # The mapping grows with each search.
        self._linker: PageLinker = PageLinker(self._sources.sources, image=self._image)

    def _head(self) -> str:
        """The notices; one for all failed searches, if none of them found anything."""
        notices = [*self._notices]
        if self._failed is not None and self._sources.is_empty:
            is_recalling = self._sources.earlier(self._linker.cited)
            consequence = "only_earlier" if is_recalling else "went_on"
            notices.append(self._failed.notice(text(consequence, self._language)))
        elif self.finds_nothing and self._sources.is_empty:
            notices.append(text("nothing_found", self._language))
        return "".join("> " + words.replace("\n", "\n> ") + "\n\n" for words in notices)

    def _keep(self, piece: str) -> str:
        self._linked.append(piece)
        return piece
