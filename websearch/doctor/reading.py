"""Diagnose reading: read pages of our own, ask the proxy, resolve a name."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import httpcore

from websearch.config import AllowedHosts, BaseAddress, Settings
from websearch.doctor.advice import Documented, Problem, problem_of
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, State
from websearch.errors import NetworkError, SearchError, Timeout, WebBlocked
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.download import PAGE_MS, Downloader
from websearch.fetch.guard import Guard, Resolve, resolve
from websearch.fetch.rendering import Renderer
from websearch.fetch.service import PageSource
from websearch.network.client import Proxies
from websearch.processes import Processes

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
# Empty until its script has run; then too long to be taken for a page without text.
_APP: Final = (
    '<title>Tower</title><body><div id="root"></div>'
    f'<script>document.getElementById("root").textContent = "{_WORDS} ".repeat(12)'
    "</script>"
).encode()
_PAGES: Final = {
    "/page": ("text/html", _HTML),
    "/pdf": ("application/pdf", _PDF),
    "/app": ("text/html", _APP),
}
_SECONDS: Final = PAGE_MS / 1000
_SLOW: Final = frozenset({"page_slow", "page_too_slow", "Timeout"})
_UNREAD: Final = frozenset(
    {"page_unreadable", "broken_pdf", "scanned_pdf", "empty_page"}
)


class ReadingCheck(Documented):
    """
    The checks of reading.

    The browser is checked where it is switched on; a proxy makes the look-up of a name
    needless.
    """

    PAGE = "page"
    PDF = "pdf"
    BROWSER = "browser"
    PROXY = "proxy"
    NAMES = "names"


# Our own pages, and the problem of one that comes and can't be read.
_OWN: Final[Mapping[ReadingCheck, tuple[str, Problem]]] = {
    ReadingCheck.PAGE: ("/page", Problem.READING_BROKEN),
    ReadingCheck.PDF: ("/pdf", Problem.READING_NO_PDF),
    ReadingCheck.BROWSER: ("/app", Problem.BROWSER_FAILED),
}


@dataclass(frozen=True, slots=True)
class _Outcome:
    check: Check
    finding: Finding | None = None


async def adiagnose_reading(
    settings: Settings, *, resolve: Resolve = resolve
) -> Diagnosis:
    """Check that pages and PDFs are read, and that the way to them is open."""
    if not settings.fetch_enabled:
        check = Check(ReadingCheck.PAGE, State.SKIPPED)
        return _diagnosis([_Outcome(check)], Problem.READING_OFF, settings.fetch_proxy)
    try:
        proxy = Proxies(settings.fetch_proxy).of(f"https://{_NAME}/")
    except NetworkError as error:  # the environment's proxy is none
        why = problem_of(error)
        facts = {**error.facts, "why": why}
        bad = _failed(ReadingCheck.PROXY, Problem.READING_NO_PROXY, why, **facts)
        outcomes = [*await _read_own(settings), bad]
        return _diagnosis(outcomes, Problem.READING_WORKS, None)
    way = _proxy(proxy, settings) if proxy else _names(settings, resolve)
    read, last = await asyncio.gather(_read_own(settings), way)
    works = Problem.READING_PROXIED if proxy else Problem.READING_WORKS
    return _diagnosis([*read, last], works, proxy)


def _diagnosis(
    outcomes: Sequence[_Outcome], otherwise: Problem, proxy: BaseAddress | None
) -> Diagnosis:
    """The findings of *outcomes*; where all are harmless, *otherwise* comes last."""
    findings = [one.finding for one in outcomes if one.finding]
    if all(finding.is_harmless for finding in findings):
        findings.append(Finding(otherwise, {"proxy": proxy}))
    return Diagnosis(
        _TOOL,
        proxy.url if proxy else None,
        [one.check for one in outcomes],
        findings,
    )


async def _read_own(settings: Settings) -> list[_Outcome]:
    """Read a page, a PDF, and where it is switched on a page that needs a browser."""
    try:
        async with _served() as base:
            return await _read_at(base, settings)
    except OSError:  # not even a port on loopback
        return [_failed(ReadingCheck.PAGE, Problem.READING_NO_PROCESS, "loopback")]


async def _read_at(base: BaseAddress, settings: Settings) -> list[_Outcome]:
    processes = Processes.from_settings(settings)
    browser = processes.browser if settings.fetch_browser else None
    source = PageSource(
        _downloader(base, _SECONDS),
        processes.workers,
        Renderer(browser, _guard(base), _SECONDS) if browser else None,
    )
    others = [ReadingCheck.PDF, *([ReadingCheck.BROWSER] if browser else [])]
    async with aclosing(source), aclosing(processes.browser):
        page = await _read(source, base, ReadingCheck.PAGE)
        if page.finding:
            return [page, *(_Outcome(Check(one, State.SKIPPED)) for one in others)]
        read = [page, *[await _read(source, base, one) for one in others]]
        if browser and not browser.has_sandbox and not read[-1].finding:
            no_sandbox = Finding(Problem.BROWSER_NO_SANDBOX)
            read[-1] = replace(read[-1], finding=no_sandbox)
        return read


async def _read(source: PageSource, base: BaseAddress, check: ReadingCheck) -> _Outcome:
    path, broken = _OWN[check]
    try:
        page = await source.read(f"{base.url}{path}")
    except SearchError as error:
        code = error.detail_code or error.code
        if code.startswith("browser_"):
            return _failed(check, problem_of(error), code)
        if code in _SLOW:
            return _failed(check, Problem.READING_SLOW, code)
        if check is ReadingCheck.BROWSER or code in _UNREAD:
            return _failed(check, broken, code)
        return _failed(check, Problem.READING_NO_PROCESS, code)
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
        async with _served() as base:
            await _downloader(base, seconds, proxy).download(f"{base.url}/page")
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
    guard = Guard(AddressPolicy(settings.fetch_allowed_hosts), resolve=resolve)
    try:
        async with asyncio.timeout(_NAME_SECONDS):
            await guard.checked(_NAME, _HTTPS_PORT)
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
    return Downloader(_guard(base, proxy), seconds=seconds, user_agent=_TOOL)


def _guard(base: BaseAddress, proxy: BaseAddress | None = None) -> Guard:
    policy = AddressPolicy(AllowedHosts(frozenset({(base.host, base.port)})))
    return Guard(policy, Proxies(proxy) if proxy else None)
