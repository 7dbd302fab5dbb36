"""The Markdown of an answer: notices, linked text, what stands below it."""

from agent import Notice
from citations import Linker, closing, link
from ui.answer.search_errors import Trouble
from ui.answer.sources import Findings
from ui.texts import notice_text, text


class Markup:
    """Collects an answer's text in the page's form, piece by piece."""

    def __init__(self, language: str, findings: Findings) -> None:
        self._language = language
        self._findings = findings
        self._image = f"[{text('image_blocked', language)}]"
        self._notices: list[str] = []
        self._trouble: Trouble | None = None
        self._begin()

    @property
    def has_text(self) -> bool:
        """Whether the model has written anything."""
        return bool(self._raw)

    def notice(self, notice: Notice) -> None:
        """Something to be said at the head of the answer, once."""
        words = notice_text(notice.kind, self._language, count=notice.count)
        more = text("configuration", self._language)
        said = f'{words} [{more}](/help/configuration "ⓘ configuration")'
        if said not in self._notices:
            self._notices.append(said)

    def fail(self, trouble: Trouble) -> None:
        """A search has failed; the answer says so if none finds anything."""
        self._trouble = trouble

    def feed(self, words: str) -> str:
        """The next piece of the answer, linked; '' while it is undecided."""
        head = "" if self._raw else self._head()
        self._raw.append(words)
        return head + self._keep(self._linker.feed(words))

    def aside(self, words: str) -> str:
        """What was no answer, made harmless; the answer begins anew."""
        self._begin()
        return link(words, {}, titles=True, image=self._image).strip()

    def thoughts(self) -> Linker:
        """What makes words of the model harmless that are no answer."""
        return Linker({}, titles=True, image=self._image)

    def whole(self, last: str, *, is_notice: bool) -> str:
        """The complete message: notices, text, what it ended with, sources."""
        self._keep(self._linker.close())
        answer = self._head() + "".join(self._linked)
        parts = [answer + closing(answer)]
        if last:
            parts.append(f"> {last}" if is_notice else last)
        parts.append(self._findings.lists("".join(self._raw)))
        return "\n\n".join(part.strip("\n") for part in parts if part.strip())

    def _begin(self) -> None:
        self._raw: list[str] = []
        self._linked: list[str] = []
        # It looks into the findings as they grow.
        self._linker = Linker(self._findings.sources, titles=True, image=self._image)

    def _head(self) -> str:
        notices = self._notices + self._failure()
        return "".join("> " + words.replace("\n", "\n> ") + "\n\n" for words in notices)

    def _failure(self) -> list[str]:
        """Several searches may have failed: one notice, and none where one did not."""
        if self._trouble is None or not self._findings.is_empty:
            return []
        is_recalling = self._findings.cites_recalled("".join(self._raw))
        consequence = "only_earlier" if is_recalling else "went_on"
        return [self._trouble.notice(text(consequence, self._language))]

    def _keep(self, piece: str) -> str:
        self._linked.append(piece)
        return piece
