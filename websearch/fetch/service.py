"""Read a page: download it, extract its text in a worker, keep it for the session."""

import logging
import time
from typing import Any, Final, Self

from untrusted.text import clean_text
from websearch.errors import SearchError, WebBlocked, WebParseError, WebProviderError
from websearch.fetch.cache import PageCache
from websearch.fetch.download import Download, Downloader
from websearch.fetch.rendering import Renderer
from websearch.loop_thread import LoopThread
from websearch.models import Page
from websearch.parsing.page_kind import PageKind
from websearch.parsing.workers import Task, Workers

logger = logging.getLogger(__name__)

_ARTICLE_SECONDS: Final = 3.0
_PLAIN_SECONDS: Final = 1.5
_BLOCKED: Final = {
    PageKind.LOGIN: "The page needs a login.",
    PageKind.CONSENT: "The site wants a consent first.",
    PageKind.CAPTCHA: "The site wants to see a person.",
    PageKind.PAYWALL: "The page is paid content.",
}
_NO_TEXT: Final = {
    PageKind.NEEDS_BROWSER: "The page shows nothing without a browser.",
    PageKind.EMPTY: "The page holds no text.",
    PageKind.SCAN: "The document is scanned: it holds pictures and no text.",
    PageKind.ENCRYPTED: "The document is encrypted.",
    PageKind.BROKEN: "The document is broken.",
}


class PageSource:
    """
    Download and extract pages, for all sessions; keeps none of them.

    A page that shows nothing without scripts goes through the *renderer*, if any.

    *seconds* limit the search for the article, and then the plain way, which takes
    all visible text.
    """

    def __init__(
        self,
        downloader: Downloader,
        workers: Workers | None = None,
        renderer: Renderer | None = None,
        *,
        seconds: tuple[float, float] = (_ARTICLE_SECONDS, _PLAIN_SECONDS),
    ) -> None:
        self._downloader = downloader
        self._workers = workers or Workers()
        self._renderer = renderer
        self._seconds = seconds

    async def read(self, url: str) -> Page:
        """The page that *url* leads to; raises nothing but SearchError."""
        started = time.monotonic()
        try:
            download = await self._downloader.download(url)
            parsed = await _extract(self._workers, download, self._seconds)
            if parsed["kind"] == PageKind.NEEDS_BROWSER and self._renderer:
                download = await self._renderer.render(download)
                parsed = await _extract(self._workers, download, self._seconds)
                if parsed["kind"] == PageKind.NEEDS_BROWSER:  # there is no more to come
                    has_text = parsed["text"].strip()
                    parsed["kind"] = PageKind.TEXT if has_text else PageKind.EMPTY
            kind = PageKind(parsed["kind"])
            if kind in _BLOCKED:
                raise WebBlocked(_BLOCKED[kind], detail_code=kind)
            if kind in _NO_TEXT:
                raise WebParseError(_NO_TEXT[kind], detail_code=kind)
            page = Page(
                url=download.url,
                final_url=download.final_url,
                title=clean_text(parsed["title"]),
                text=parsed["text"],
                markdown=parsed["markdown"],
                content_type=download.content_type,
                published_at=parsed["published_at"],
                truncated=download.is_cut or parsed["is_cut"],
                took_ms=round((time.monotonic() - started) * 1000),
            )
        except SearchError as error:
            milliseconds = (time.monotonic() - started) * 1000
            logger.info(
                "Page not read after %d ms: %s (%s)",
                milliseconds,
                error.code,
                error.detail_code,
            )
            raise
        except Exception as error:
            raise WebProviderError(f"Reading failed: {type(error).__name__}") from error
        logger.info("Page read: %d characters in %d ms", len(page.text), page.took_ms)
        return page

    async def warm(self) -> None:
        """Start a worker process ahead of the first page."""
        await self._workers.warm(Task.PAGE)

    async def aclose(self) -> None:
        """End the workers of the running loop."""
        await self._workers.aclose()


class PageReader:
    """Read pages, each once; from a thread or from an event loop."""

    def __init__(
        self, source: PageSource | None, thread: LoopThread | None = None
    ) -> None:
        self._source = source
        self._cache = PageCache()
        self._thread = thread or LoopThread()

    @property
    def is_enabled(self) -> bool:
        """False if the operator switched reading off."""
        return self._source is not None

    async def aread(self, url: str) -> Page:
        """The page of *url*; raises nothing but SearchError."""
        if (source := self._source) is None:
            raise WebProviderError(
                "Reading pages is switched off (WEB_FETCH_ENABLED).",
                detail_code="reading_off",
            )
        return await self._cache.load(url, lambda: source.read(url))

    def read(self, url: str) -> Page:
        """Read a page and wait for it."""
        return self._thread.run(self.aread(url))

    def for_session(self) -> Self:
        """A reader with the same connections and workers, and pages of its own."""
        return type(self)(self._source, self._thread)

    async def warm(self) -> None:
        """Start a worker process ahead of the first page."""
        if self._source:
            await self._source.warm()

    async def aclose(self) -> None:
        """End the workers of the running loop."""
        if self._source:
            await self._source.aclose()

    def close(self) -> None:
        """Close what synchronous reads opened."""
        self._thread.close(self.aclose)

    def __enter__(self) -> Self:
        """Read synchronously, and close at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _extract(
    workers: Workers, download: Download, seconds: tuple[float, float]
) -> dict[str, Any]:
    """Title, text, kind and date; all visible text where the article takes too long."""
    for_article, for_all = seconds
    facts = {
        "media": download.media,
        "charset": download.charset,
        "url": download.final_url,
    }
    try:
        return await workers.run(Task.PAGE, download.data, seconds=for_article, **facts)
    except WebParseError as error:
        if error.detail_code != "page_too_slow" or download.media != "html":
            raise
    return await workers.run(
        Task.PAGE, download.data, seconds=for_all, is_plain=True, **facts
    )
