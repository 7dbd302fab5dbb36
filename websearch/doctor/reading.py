"""Diagnose reading: read a page and a PDF of our own, ask the proxy, resolve a name."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpcore

from websearch.config import AllowedHosts, BaseAddress, Settings
from websearch.doctor.advice import Documented, Problem, problem_of
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, State
from websearch.errors import NetworkError, SearchError, Timeout, WebBlocked
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.download import PAGE_MS, Downloader
from websearch.fetch.guard import GuardedBackend, GuardedTransport, Resolve, resolve
from websearch.fetch.service import PageSource
from websearch.network.client import Proxies
from websearch.parsing.workers import Workers

_TOOL: Final = "web.fetch"
_NAME: Final = "example.com"  # made for documents, and never asked for a page
_HTTPS_PORT: Final = 443
_NAME_SECONDS: Final = 3.0
_WORDS: Final = "The tower of the old town is 62 metres high."
_HTML: Final = f"<title>Tower</title><body><p>{_WORDS}</p>".encode()
_STREAM: Final = f"BT /F1 12 Tf 20 100 Td ({_WORDS}) Tj ET"
# Without a table of its objects, which readers of PDF make anew.
_PDF: Final = (
    "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
    "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents 4 0 R "
    "/Resources << /Font << /F1 5 0 R >> >> >>\nendobj\n"
    f"4 0 obj\n<< /Length {len(_STREAM)} >>\nstream\n{_STREAM}\nendstream\nendobj\n"
    "5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n"
    "trailer << /Size 6 /Root 1 0 R >>\n%%EOF"
).encode()
_PAGES: Final = {"/page": ("text/html", _HTML), "/pdf": ("application/pdf", _PDF)}
_SLOW: Final = frozenset({"page_slow", "page_too_slow"})


class ReadingCheck(Documented):
    """The checks of reading; a proxy makes the look-up of a name needless."""

    PAGE = "page"
    PDF = "pdf"
    PROXY = "proxy"
    NAMES = "names"


@dataclass(frozen=True, slots=True)
class _Outcome:
    check: Check
    finding: Finding | None = None


async def adiagnose_reading(
    settings: Settings, *, resolve: Resolve = resolve
) -> Diagnosis:
    """Check that pages and PDFs are read, and that the way to them is open."""
    if not settings.fetch_enabled:
        off = _Outcome(
            Check(ReadingCheck.PAGE, State.SKIPPED), Finding(Problem.READING_OFF)
        )
        return _diagnosis([off], settings.fetch_proxy)
    try:
        proxy = Proxies(settings.fetch_proxy).of(f"https://{_NAME}/")
    except NetworkError as error:  # the environment's proxy is none
        why = problem_of(error)
        facts = {**error.facts, "why": why}
        bad = _failed(ReadingCheck.PROXY, Problem.READING_NO_PROXY, why, **facts)
        return _diagnosis([*await _read_both(), bad], None)
    way = _proxy(proxy, settings) if proxy else _names(settings, resolve)
    read, last = await asyncio.gather(_read_both(), way)
    return _diagnosis([*read, last], proxy)


def _diagnosis(outcomes: Sequence[_Outcome], proxy: BaseAddress | None) -> Diagnosis:
    works = Problem.READING_PROXIED if proxy else Problem.READING_WORKS
    findings = [one.finding for one in outcomes if one.finding]
    return Diagnosis(
        _TOOL,
        proxy.url if proxy else None,
        [one.check for one in outcomes],
        findings or [Finding(works, {"proxy": proxy})],
    )


async def _read_both() -> list[_Outcome]:
    """Read our own page, and then our own PDF."""
    try:
        async with _served() as base:
            source = PageSource(lambda: _downloader(base, PAGE_MS / 1000), Workers())
            async with aclosing(source):
                page = await _read(source, f"{base.url}/page", ReadingCheck.PAGE)
                if page.finding:
                    return [page, _Outcome(Check(ReadingCheck.PDF, State.SKIPPED))]
                return [page, await _read(source, f"{base.url}/pdf", ReadingCheck.PDF)]
    except OSError:  # not even a port on loopback
        return [_failed(ReadingCheck.PAGE, Problem.READING_NO_PROCESS, "loopback")]


async def _read(source: PageSource, url: str, check: ReadingCheck) -> _Outcome:
    broken = {
        ReadingCheck.PAGE: Problem.READING_BROKEN,
        ReadingCheck.PDF: Problem.READING_NO_PDF,
    }[check]
    try:
        page = await source.read(url)
    except SearchError as error:
        code = error.detail_code or error.code
        if code in _SLOW:
            return _failed(check, Problem.READING_SLOW, code)
        is_read = code in {"page_unreadable", "broken_pdf", "scanned_pdf", "empty_page"}
        return _failed(check, broken if is_read else Problem.READING_NO_PROCESS, code)
    if _WORDS not in page.text:
        return _failed(check, broken, "")
    return _Outcome(Check(check, State.PASSED, f"{page.took_ms} ms"))


async def _proxy(proxy: BaseAddress, settings: Settings) -> _Outcome:
    """
    Ask the proxy for our own page; every answer but 407 shows that it works.

    A proxy on another machine can't reach that page, and no other server is asked.
    """
    seconds = (settings.fetch_timeout_ms or PAGE_MS) / 1000
    try:
        async with (
            _served() as base,
            aclosing(_downloader(base, seconds, proxy)) as downloader,
        ):
            await downloader.download(f"{base.url}/page")
    except Timeout:
        return _no_proxy(proxy, Problem.PROXY_UNREACHABLE)
    except NetworkError as error:
        is_named = (error.detail_code or "").startswith("proxy_")
        return _no_proxy(
            proxy, problem_of(error) if is_named else Problem.PROXY_NOT_HTTP
        )
    except SearchError:
        pass  # an answer: the proxy refuses this page, or can't reach it
    return _Outcome(Check(ReadingCheck.PROXY, State.PASSED))


async def _names(settings: Settings, resolve: Resolve) -> _Outcome:
    """Resolve a public name: proxy programs and filters answer with other addresses."""
    policy = AddressPolicy(settings.fetch_allowed_hosts)
    backend = GuardedBackend(policy, resolve=resolve)
    try:
        async with asyncio.timeout(_NAME_SECONDS):
            await backend.checked(_NAME, _HTTPS_PORT)
    except (TimeoutError, httpcore.ConnectError):
        # No network: the checks of search tell it.
        return _Outcome(Check(ReadingCheck.NAMES, State.SKIPPED, _NAME))
    except WebBlocked as error:
        is_fake = error.detail_code == "fake_ip"
        problem = Problem.FAKE_IP if is_fake else Problem.PRIVATE_NAMES
        return _failed(ReadingCheck.NAMES, problem, _NAME, name=_NAME)
    return _Outcome(Check(ReadingCheck.NAMES, State.PASSED, _NAME))


def _no_proxy(proxy: BaseAddress, why: Problem) -> _Outcome:
    facts = {"proxy": proxy, "why": why}
    return _failed(ReadingCheck.PROXY, Problem.READING_NO_PROXY, why, **facts)


def _failed(
    check: ReadingCheck, problem: Problem, note: str, **facts: object
) -> _Outcome:
    return _Outcome(Check(check, State.FAILED, note), Finding(problem, facts))


@asynccontextmanager
async def _served() -> AsyncIterator[BaseAddress]:
    """Serve our own pages on loopback for the moment."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield BaseAddress(f"http://127.0.0.1:{port}")


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ", 2)[1].decode("latin-1")
        kind, body = _PAGES.get(path, _PAGES["/page"])
        top = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n"
        writer.write(top.encode() + body)
        await writer.drain()
    writer.close()


def _downloader(
    base: BaseAddress, seconds: float, proxy: BaseAddress | None = None
) -> Downloader:
    """Make a downloader that reads nothing but our own pages."""
    policy = AddressPolicy(AllowedHosts(frozenset({(base.host, base.port)})))
    return Downloader(
        policy,
        GuardedTransport(policy, proxies=Proxies(proxy) if proxy else None),
        seconds=seconds,
        user_agent=_TOOL,
    )
