"""Find the citations of a text, and link them."""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence

from citations import forms
from citations.markdown import patterns as p
from citations.markdown.indices import REACH
from citations.markdown.inline import Edit, Inline, Marker, Opener, Shown
from citations.markdown.patterns import TRAILING, Tail, address_end
from citations.markdown.reader import Reader

logger = logging.getLogger(__name__)


def markers(text: str, known: Collection[int] | None = None) -> list[Marker]:
    """
    Return where *text* cites the *known* numbers, by default any number.

    A citation is a marker where a reader of the Markdown sees plain words, or a link
    whose words are `[n]`, or a known number alone.
    """
    form = PlainForm(lambda n: "" if known is None or n in known else None, known)
    try:
        reader = Reader(form)
        reader.feed(text)
        reader.close()
    except Exception as error:  # noqa: BLE001 -- an answer is worth more than this
        # Only the type of the error: its message may quote the answer.
        logger.error("Citations can't be found: %s", type(error).__name__)  # noqa: TRY400
        return []
    return form.markers


def cited(text: str, known: Collection[int]) -> list[int]:
    """Return the *known* numbers that *text* cites, by their first marker."""
    return numbers_cited(markers(text, known))


def numbers_cited(citations: Iterable[Marker]) -> list[int]:
    """Return the numbers of *citations*, each once, in their order."""
    return list(dict.fromkeys(n for marker in citations for n in marker.numbers))


class PlainForm(Inline):
    """
    The form that links markers where a Markdown parser reads plain words.

    A label may have its definition further down, so no marker is linked in or behind
    what may be one. Definitions of numbers become words.
    """

    has_labels = True

    def __init__(
        self,
        link_of: Callable[[int], str | None],
        known: Collection[int] | None = (),
    ) -> None:
        super().__init__(link_of)
        self._known = known  # that a link cites by its words; None: any in brackets

    def _clear(self) -> None:
        super()._clear()
        self._url_end = -1
        self._no_tail = -1  # behind a `](` that begins no target
        self._tail_spaced = self._tail_closed = False
        self._defined = False  # a definition of a number became words

    # Markers

    def _may_cite(self, at: int, end: int) -> bool:
        behind_label = at == self._label_end and self._clean[at] != "["
        if behind_label or at == self._url_end:
            return False
        # A link must not create a target: `[a](b [1, 2])` has none.
        if p.HALF_AUTOLINK.search(self._clean, max(0, at - REACH), at):
            return False
        if self._no_tail < 0:
            return True
        self._tail_spaced |= p.SPACE.search(self._clean, self._no_tail, at) is not None
        self._tail_closed |= p.CLOSE.search(self._clean, self._no_tail, at) is not None
        ended = self._tail_spaced and self._tail_closed
        self._no_tail = -1 if ended else end
        return ended

    def _marker_after_bang(self, end: int) -> None:
        """Leave a marker whose link would be an image; it cites all the same."""
        start = self._at + 1
        self._put(start)
        source = self._raw[start:end]
        numbers = forms.numbers_in(self._clean[start:end])
        if known := tuple(n for n in numbers if self._link_of(n) is not None):
            self._mark(end, source, source, known)
        else:
            self._put(end)

    def _no_target(self, at: int) -> None:
        self._no_tail = at
        self._tail_spaced = self._tail_closed = False

    def _link(self, opener: Opener, tail: Tail, inner: Sequence[Edit]) -> Shown:
        """Leave a link as it is; one whose words are a number cites it."""
        del inner
        source = self._raw[opener.start : tail.end]
        match = forms.NUMBER.fullmatch(self._raw, opener.end, self._at)
        if match is None or opener.is_image:
            return (source, source, None)
        number, any_number = int(match[1]), self._known is None and "[" in match[0]
        cites = any_number or number in (self._known or ())
        return (source, source, (number,) if cites else None)

    # Definitions

    def _definition(self, at: int) -> bool:
        if match := forms.NUMBER_LABEL.match(self._clean, at):
            # It would redirect the number, so it is escaped; named footnotes stay.
            possible = self._blank or self._guarded
            if not (possible or self._defined):
                self._inert(match.end())
                return True
            is_note = possible and "^" in match[0]
            if is_note:
                self._wait_if(p.MAYBE_DEFINED_ADDRESS, match.end())
            if is_note and not p.DEFINED_ADDRESS.match(self._clean, match.end()):
                self._guarded = True
            else:
                self._defined, self._guarded = True, False
                self._put(at, "\\", "")
            self._text(match.end())
            return True
        self._wait_if(forms.MAYBE_NUMBER_LABEL, at)
        # A definition of words stays, and nothing is linked in or behind it.
        if self._blank and not self._guarded:
            label = p.LABEL.match(self._clean, at)
            if label is None:
                self._wait_if(p.MAYBE_LABEL, at)
            self._guarded = label is not None and self._next(label.end()) == ":"
        if self._guarded:
            self._text(at + 1)
        return self._guarded

    # Addresses

    def _colon(self, at: int) -> None:
        has_slashes = self._next(at + 1) == "/" and self._next(at + 2) == "/"
        if has_slashes and self._before(at).isalnum():
            self._bare_address(at, at)
        else:
            self._text(at + 1)

    def _address(self, at: int) -> None:
        if match := p.WEB.match(self._clean, at):
            self._bare_address(at, match.end())
        elif p.WWW.match(self._clean, at):
            self._bare_address(at, at)
        else:
            self._next(len(self._clean))
            self._text(at + 1)

    def _bare_address(self, at: int, host: int) -> None:
        end = address_end(self._clean, host, complete=self._complete)
        self._url_end = end  # nothing may be linked right behind it
        # A `!` is left out: in front of a link it would make an image.
        kept = len(self._clean[at:end].rstrip(TRAILING))
        self._put(at + max(kept, 1))
