"""Title, text and date of a page; runs in a worker process."""

import re
import unicodedata
from dataclasses import asdict, dataclass
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser

from untrusted.text import visible
from websearch.parsing.article import article_of
from websearch.parsing.charset import decode
from websearch.parsing.page_facts import (
    article_body,
    published_at,
    statements,
    title_of,
)
from websearch.parsing.page_kind import PageKind, PageSigns, page_kind
from websearch.parsing.result_page import lines_of

MOST_TEXT: Final = 200_000
_MOST_PDF_PAGES: Final = 100
_SHORT: Final = 200
_NOSCRIPT: Final = 500_000
_LEAST_PDF_TEXT: Final = 20  # a scan has none; page numbers may stand alone
_NOT_TEXT: Final = (
    "script, style, template, svg, canvas, iframe, object, embed, dialog, button, "
    "select, textarea, head, nav, footer, aside, noscript, [hidden], "
    "[aria-hidden=true], [role=navigation], [role=search], [role=dialog], "
    "sup:has(a[href^='#'])"
)
# Elements that a script fills; they are empty in a page that needs a browser.
_SHELL: Final = (
    "#root, #app, #__next, #__nuxt, #main-app, app-root, [ng-app], "
    "[data-reactroot], #svelte, #react-root"
)
# PDF fonts write Kangxi and CJK radicals for the characters they look like.
_RADICAL = re.compile("[\u2e80-\u2fdf]")
_HYPHEN = re.compile("[\ufffe\x02]\n?")


@dataclass(frozen=True, slots=True)
class Extract:
    """
    The readable part of a page; `kind` tells why there is little of it.

    *text* is what a reader sees, and *markdown* the same with its marks.
    """

    title: str
    text: str
    markdown: str
    kind: PageKind = PageKind.TEXT
    published_at: str | None = None
    is_cut: bool = False


def read(data: bytes, **facts: Any) -> dict[str, Any]:
    """The readable part of a page, as JSON."""
    return asdict(extract(data, **facts))


def extract(
    data: bytes,
    *,
    media: str,
    charset: str | None = None,
    url: str = "",
    is_plain: bool = False,
) -> Extract:
    """
    Read an HTML page, a PDF or a plain text.

    *is_plain* takes all visible text of an HTML page in place of its article: for
    pages on which looking for the article takes too long.
    """
    if media == "pdf":
        return _pdf(data)
    text = decode(data, charset)
    if media == "text":
        kind = PageKind.TEXT if text.strip() else PageKind.EMPTY
        return _bounded("", text.strip(), kind=kind)
    return _html(text, url, is_plain=is_plain)


def _html(html: str, url: str, *, is_plain: bool) -> Extract:
    page = LexborHTMLParser(html)
    stated = statements(page)
    title, shell = title_of(page), page.css_first(_SHELL)
    in_shell = None if shell is None else len(shell.text(strip=True))
    noscript = "\n".join(node.html or "" for node in page.css("noscript")[:20])
    has_password = page.css_first("input[type=password]") is not None
    # One line a piece of text: names and dates of a byline are elements of their own.
    pieces = page.body.text(separator="\n")[:4_000] if page.body else ""
    day = published_at(page, stated, pieces)
    # From here on *page* has neither scripts nor menus.
    for node in page.css(_NOT_TEXT):
        node.decompose()
    text = everything = lines_of(page.body, 2 * MOST_TEXT) if page.body else ""
    markdown = ""
    if not is_plain:
        article = article_of(html, url)
        text, markdown = article.text, article.markdown
    if len(markdown or text) < _SHORT:
        # Forums without scripts keep posts in <noscript>, apps articles in JSON-LD.
        body = LexborHTMLParser(noscript[:_NOSCRIPT]).body
        hidden = body.text() if body else ""
        if "<" in hidden:  # the parser keeps what is in it as text or as nodes
            body = LexborHTMLParser(hidden).body
        posts = lines_of(body, MOST_TEXT) if body else ""
        others = (article_body(stated), posts, everything)
        if len(longest := max(others, key=len)) > len(markdown):
            text, markdown = longest, ""
    signs = PageSigns(
        title, text, html, len(everything), noscript, in_shell, has_password, stated
    )
    return _bounded(title, text, markdown, kind=page_kind(signs), day=day)


def _pdf(data: bytes) -> Extract:
    import pypdfium2  # noqa: PLC0415  only where a PDF comes

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        is_locked = "password" in str(error).lower()
        kind = PageKind.ENCRYPTED if is_locked else PageKind.BROKEN
        return Extract("", "", "", kind)
    title = (document.get_metadata_dict() or {}).get("Title", "")
    pages: list[str] = []
    for number in range(min(len(document), _MOST_PDF_PAGES)):
        pages.append(document[number].get_textpage().get_text_bounded())
        if sum(map(len, pages)) > MOST_TEXT:
            break
    text = _HYPHEN.sub("", "\n\n".join(pages).replace("\r\n", "\n"))
    # Radicals alone: NFKC over the whole text would change Chinese punctuation.
    text = _RADICAL.sub(lambda sign: unicodedata.normalize("NFKC", sign[0]), text)
    text = text.replace("\x00", "").strip()
    kind = PageKind.TEXT if len(text) > _LEAST_PDF_TEXT else PageKind.SCAN
    is_cut = len(pages) < len(document)
    return _bounded(title, text, kind=kind, is_cut=is_cut)


def _bounded(
    title: str,
    text: str,
    markdown: str = "",
    *,
    kind: PageKind,
    day: str | None = None,
    is_cut: bool = False,
) -> Extract:
    """Cut both forms of the text; without Markdown the plain text stands for it."""
    text, markdown = visible(text), visible(markdown or text)
    is_cut = is_cut or max(len(text), len(markdown)) > MOST_TEXT
    return Extract(
        title[:300], text[:MOST_TEXT], markdown[:MOST_TEXT], kind, day, is_cut
    )
