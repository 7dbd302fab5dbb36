"""Download one page: one time limit, one byte limit, redirects checked one by one."""

import asyncio
import contextlib
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import httpx

from websearch.errors import (
    AuthError,
    BadGateway,
    Timeout,
    WebBlocked,
    WebParseError,
    WebProviderError,
)
from websearch.fetch.address_policy import Target
from websearch.fetch.guard import Guard, GuardedTransport
from websearch.network.client import silence_http_logs
from websearch.network.errors import Progress
from websearch.network.response import read_body
from websearch.per_loop import PerLoop

PAGE_MS: Final = 8_000  # time limit of a page, where no setting names one
_TEXT_BYTES: Final = 2_000_000  # more is cut: the beginning is worth reading
_PDF_BYTES: Final = 10_000_000  # more is refused: a PDF's index stands at its end
_REDIRECTS: Final = 5
_MOST_AT_ONCE: Final = 32
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_NO_CONTENT: Final = frozenset({204, 205})
_REFRESH_BYTES: Final = 4_096  # a page that only leads on is small
_MEDIA: Final = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/plain": "text",
    "text/markdown": "text",
    "text/csv": "text",
    "text/xml": "text",
    "application/json": "text",
    "application/ld+json": "text",
    "application/xml": "text",
    "application/rss+xml": "text",
    "application/atom+xml": "text",
}
# A type that says nothing: the first bytes decide.
_UNTYPED: Final = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_HEADERS: Final = {
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,"
    "text/plain;q=0.8,*/*;q=0.1",
    "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8",
    "Accept-Encoding": "gzip",
}
_HTML = re.compile(
    rb"(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|!--)", re.IGNORECASE
)
# Baidu's /link answers unknown clients with a page that is nothing but a way on.
_REFRESH = re.compile(
    rb"<meta[^>]{0,80}http-equiv\s*=\s*[\"']?refresh[\"']?[^>]{0,40}"
    rb"content\s*=\s*[\"']?\s*[0-5]?\s*;\s*url\s*=\s*[\"']?([^\"'>\s]{1,2000})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Download:
    """The bytes of a page, not yet decoded."""

    url: str
    final_url: str
    media: str  # html, text, pdf
    content_type: str
    charset: str | None
    data: bytes
    is_cut: bool


class Downloader:
    """Download pages, each by a client of its own; no cookie outlives its page."""

    def __init__(self, guard: Guard, *, seconds: float, user_agent: str) -> None:
        self._guard = guard
        self._seconds = seconds
        self._headers = {**_HEADERS, "User-Agent": user_agent}
        self._places = PerLoop(lambda: asyncio.Semaphore(_MOST_AT_ONCE))
        silence_http_logs()

    async def download(self, url: str) -> Download:
        """The page that *url* leads to; a SearchError says why there is none."""
        here = self._guard.policy.target(url)
        # It keeps cookies: without them some sites redirect in a circle.
        client = httpx.AsyncClient(
            transport=GuardedTransport(self._guard),
            headers=self._headers,
            timeout=None,  # noqa: S113  one limit holds for the whole page
            trust_env=False,
        )
        start = here.url
        try:
            async with asyncio.timeout(self._seconds), self._places.get(), client:
                for _ in range(_REDIRECTS + 1):
                    answer = await self._get(here, start, client)
                    if isinstance(answer, Download):
                        return answer
                    self._guard.policy.check_redirect(here, answer)
                    here = answer
        except TimeoutError:
            raise Timeout(
                f"The page did not come within {self._seconds:g} s.",
                detail_code="page_slow",
            ) from None
        raise WebProviderError(
            "The page redirects without end.", detail_code="too_many_redirects"
        )

    async def _get(
        self, here: Target, url: str, client: httpx.AsyncClient
    ) -> Download | Target:
        """The page at *here*, or where it leads."""
        progress = Progress(self._guard.proxy_of(here.url), here.url)
        trace = {"trace": progress.trace}
        async with (
            progress.own_errors(),
            client.stream("GET", here.url, extensions=trace) as response,
        ):
            progress.begun(response.status_code)
            location = response.headers.get("location")
            if location and response.status_code in _MOVED:
                with contextlib.suppress(UnicodeError):
                    # Servers mean UTF-8 where httpx read Latin-1.
                    location = location.encode("latin-1").decode("utf-8")
                return self._guard.policy.target(location, base=here.url)
            _check_status(response)
            header = response.headers.get("content-type", "")
            content_type = header.partition(";")[0].strip().lower()
            stated = _MEDIA.get(content_type)
            if stated is None and content_type not in _UNTYPED:
                raise _other_type()
            most = _TEXT_BYTES if stated in {"html", "text"} else _PDF_BYTES
            data, is_cut = await read_body(response, most)
            media = _media(data, stated)
            if media == "pdf" and is_cut:
                raise WebParseError(
                    "The document is too large.", detail_code="page_too_large"
                )
            is_small = media == "html" and len(data) < _REFRESH_BYTES
            if is_small and (refresh := _REFRESH.search(data)):
                place = refresh[1].decode("utf-8", "replace").replace("&amp;", "&")
                there = self._guard.policy.target(place, base=here.url)
                if there.url != here.url:
                    return there
            charset = response.charset_encoding
            return Download(url, here.url, media, content_type, charset, data, is_cut)


def _check_status(response: httpx.Response) -> None:
    """Raise the error that a status without a page stands for."""
    status = response.status_code
    if response.headers.get("cf-mitigated") == "challenge":
        raise WebBlocked(
            "The site wants to see a person.", detail_code="captcha_required"
        )
    if 200 <= status < 300 and status not in _NO_CONTENT:  # noqa: PLR2004  HTTP's own
        return
    code = f"http_{status}"
    if status in {401, 407}:
        raise AuthError("The page needs a login.", detail_code="login_required")
    if status in {403, 451}:
        raise WebBlocked("The site refuses to show the page.", detail_code="http_403")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        wait = response.headers.get("retry-after", "")
        raise WebBlocked(
            "The site had too many requests.",
            detail_code="http_429",
            retry_after=float(wait) if re.fullmatch("[0-9]{1,6}", wait) else None,
        )
    if status in {404, 410}:
        raise WebProviderError("The page does not exist.", detail_code="page_gone")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise BadGateway(f"The site failed ({status}).", detail_code="http_5xx")
    raise WebProviderError(f"The site answered {status}.", detail_code=code)


def _media(data: bytes, stated: str | None) -> str:
    """Media kind of the page; its first bytes outrank its header."""
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if stated is None and _HTML.match(data):
        stated = "html"
    is_binary = b"\x00" in data[:4096] and not data.startswith(
        (b"\xff\xfe", b"\xfe\xff")
    )
    if stated is None or (stated != "pdf" and is_binary):
        raise _other_type()
    return stated


def _other_type() -> WebParseError:
    return WebParseError(
        "The address holds no page and no PDF.", detail_code="other_type"
    )
