"""What becomes of each piece of an answer: linked only, or made fit for the page."""

import logging
import re
from collections.abc import Mapping, Sequence
from html import unescape

from citations.inline.pieces import Piece
from citations.models import Source
from untrusted.text import escaped, one_line, visible
from untrusted.urls import page_key, safe_url

logger = logging.getLogger(__name__)

_BACKSLASH = re.compile(r"\\([!-/:-@\[-`{-~])")
_BRACKET = re.compile(r"[\[\]]")
_MAIL = re.compile(r"(?:mailto:)?[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+", re.IGNORECASE)
_NUMBER = re.compile(r"[\W_]*([1-9][0-9]{0,3})[\W_]*")
_ESCAPED = {"[": r"\[", "]": r"\]"}
_COLON = re.compile(":(?=[A-Za-z])")
_WWW = re.compile("www[.]", re.IGNORECASE)
_ENTITY_BEGINS = re.compile(r"&(?=[#A-Za-z]|\Z)")
_ESCAPABLE = re.compile(r"[\[\]<`!\\]|:(?!/|\Z)")
_ADDRESS_BEGINS = re.compile(r"[Ww](?=\\*\.|\Z)|:(?=/|\Z)|@")
_WORDS = re.compile(r"[\w，。、；.-]+")
_PIPE = re.compile(r"(?<!\\)((?:\\\\)*)\|")
_HIDES = re.compile(r"\]\(|www|://|[@&\\<]", re.IGNORECASE)


class Plain:
    """Links markers and leaves all else as it is."""

    page = False
    opening = "["  # a bracket that opens no link

    def __init__(self, sources: Mapping[int, Source]) -> None:
        self._sources = sources
        self._links: dict[int, str | None] = {}

    def clean(self, chunk: str) -> str:
        """What of the text is read at all."""
        return chunk

    def marker(self, numbers: Sequence[int], source: str) -> Piece:
        """A marker outside links."""
        links = [self.address(number) for number in numbers]
        if not any(links):
            return (source, source)
        pairs = zip(numbers, links, strict=True)
        shown = [link or self.unknown(number) for number, link in pairs]
        return ("".join(shown), source)

    def unknown(self, number: int) -> str:
        """A number without a source, beside others that have one."""
        return f"[{number}]"

    def inert(self, source: str) -> Piece:
        """Brackets and what is in them, where it is no citation."""
        return (source, source)

    def code(self, source: str) -> Piece:
        """Inline code."""
        return (source, source)

    def backticks(self, source: str) -> Piece:
        """Backticks that begin no code."""
        return (source, source)

    def autolink(self, target: str, source: str) -> Piece | None:
        """An address in angle brackets; None where it has to become text."""
        del target
        return (source, source)

    def url(self, source: str) -> Piece:
        """A bare web address."""
        return (source, source)

    def other_address(self, source: str) -> Piece:
        """A bare address of another kind: `www.example.org`, `ftp://example.org`."""
        return (source, source)

    def hides(self, html: str) -> bool:
        """Whether a tag has to become text."""
        del html
        return False

    def link(self, inner: Piece, target: str, source: str) -> Piece:
        """A link that the model wrote."""
        del inner, target
        return (source, source)

    def image(self, inner: Piece, source: str) -> Piece:
        """An image."""
        del inner
        return (source, source)

    def failed(self, source: str) -> str:
        """What is shown where converting failed."""
        return source

    def address(self, number: int) -> str | None:
        """The link for *number*, or None where no usable source has it."""
        if number not in self._links:
            source = self._sources.get(number)
            url = safe_url(source.url) if source else None
            linked = self._link(number, source, url) if source and url else None
            self._links[number] = linked
            if url is None:
                logger.warning("No source has the number %d", number)
        return self._links[number]

    def _link(self, number: int, source: Source, url: str) -> str:
        del source
        return f"[[{number}]]({url})"


class Page(Plain):
    """
    The page's form of an answer.

    Beyond links with titles: every bracket that is no link is escaped, so that no
    definition, footnote or image is left; and nothing leads anywhere but to a source:
    other addresses are shown as code, to be read and copied.
    """

    page = True
    opening = r"\["

    def __init__(self, sources: Mapping[int, Source], image: str) -> None:
        super().__init__(sources)
        self._image = _brackets(one_line(image))
        self._pages: dict[str, str] = {}
        self._counted = 0

    def clean(self, chunk: str) -> str:
        """Without what can't be seen."""
        return visible(chunk)

    def marker(self, numbers: Sequence[int], source: str) -> Piece:
        """With titles; unknown numbers are escaped."""
        shown = super().marker(numbers, source)[0]
        inert = _brackets(source)
        return (inert if shown == source else shown, inert)

    def unknown(self, number: int) -> str:
        """Escaped, so that no definition makes it a link."""
        return rf"\[{number}\]"

    def inert(self, source: str) -> Piece:
        """Every bracket is escaped."""
        text = _ESCAPED.get(source) or _brackets(source)
        return (text, text)

    def hides(self, html: str) -> bool:
        """Whether a table could take apart a tag with an address in it."""
        return "|" in html and bool(_HIDES.search(html))

    def backticks(self, source: str) -> Piece:
        """Escaped: code of ours may follow, which they would take apart."""
        text = source.replace("`", r"\`")
        return (text, text)

    def autolink(self, target: str, source: str) -> Piece | None:
        """Only to a source."""
        text = _COLON.sub(r"\:", "\\" + _brackets(source))
        if page := self._page(target):
            return (f"<{page}>", text)
        return (_code(target), text) if _usable(target) else None

    def url(self, source: str) -> Piece:
        """Ended by angle brackets."""
        text = _COLON.sub(r"\:", _brackets(source))
        # Angle brackets end the address where it ends: `https://example.org）见[1]`.
        page = self._page(source)
        return (f"<{page}>" if page else _code(source), text)

    def other_address(self, source: str) -> Piece:
        """The page would make a link of it."""
        return (_code(source.replace("\\", "")), _COLON.sub(r"\:", source))

    def link(self, inner: Piece, target: str, source: str) -> Piece:
        """Without title, and only to a source."""
        del source
        target = unescape(_BACKSLASH.sub(r"\1", target))
        words = inner[1]
        if match := _NUMBER.fullmatch(words):
            known = self.address(int(match[1]))
            if known or "[" in words:  # a number leads to its own source or nowhere
                text = rf"\[{match[1]}\]"
                plain = _WORDS.fullmatch(target) and not _WWW.search(target)
                rest = f"({target})" if known and plain else ""
                return ((known or text) + rest, text)
        if page := self._page(target):
            words = _PIPE.sub(r"\1\|", words)
            return (f"[{words}]({page})", rf"\[{words}\]")
        where = f" ({_code(target)})" if _usable(target) else ""
        shown = f"{inner[0]}{where}" if where else rf"\[{inner[0]}\]"
        return (shown, rf"\[{words}\]")

    def image(self, inner: Piece, source: str) -> Piece:
        """Words that load nothing."""
        del source
        if not inner[1].strip():
            return (self._image, self._image)
        return (f"{self._image} {inner[0]}", f"{self._image} {inner[1]}")

    def failed(self, source: str) -> str:
        """Escaped as a whole, and so that no cut leaves an address."""
        text = _ENTITY_BEGINS.sub("&amp;", visible(source))
        text = _ESCAPABLE.sub(r"\\\g<0>", text)
        return _ADDRESS_BEGINS.sub(r"`\g<0>`", text)

    def _page(self, target: str) -> str | None:
        """
        The address of the source whose page *target* is; more may be found meanwhile.

        Never *target* itself: what the model adds to an address could tell the page
        what the user said.
        """
        if self._counted != len(self._sources):
            self._counted = len(self._sources)
            self._pages = {}
            for source in self._sources.values():
                if url := safe_url(source.url):
                    self._pages.setdefault(page_key(url), url)
        return self._pages.get(page_key(target)) if safe_url(target) else None

    def _link(self, number: int, source: Source, url: str) -> str:
        title = escaped(one_line(source.title)) or source.domain
        title = f"[{number}] {title} — {source.domain}"
        return f'[[{number}]]({url} "{title}")'


class Cited(Page):
    """Nothing but the numbers that the page would link."""

    def marker(self, numbers: Sequence[int], source: str) -> Piece:
        """Its numbers, between signs that no answer holds."""
        known = [number for number in numbers if self.address(number)]
        return ("".join(f"\x00{number}\x00" for number in known), _brackets(source))

    def _link(self, number: int, source: Source, url: str) -> str:
        del source, url
        return f"\x00{number}\x00"


def _brackets(text: str) -> str:
    return _BRACKET.sub(r"\\\g<0>", text)


def _code(address: str) -> str:
    """An address to be read, not followed."""
    return f"`{address.replace('`', '%60').replace('|', '%7C')}`"


def _usable(target: str) -> bool:
    return bool(_MAIL.fullmatch(target)) or safe_url(target) is not None
