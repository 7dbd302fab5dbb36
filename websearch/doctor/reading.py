"""Diagnose reading: parse a page and a PDF, ask the proxy, resolve a name."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import aclosing
from typing import Final
from urllib.parse import quote

import httpcore

from websearch.browser.browser import Browser
from websearch.browser.visit import Visit, until_quiet
from websearch.causes import Cause, Described, cause_of
from websearch.config import BaseAddress, Settings
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, State
from websearch.errors import NetworkError, SearchError, WebBlocked
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.download import PAGE_MS
from websearch.fetch.guard import Guard, Resolve, resolve
from websearch.network.client import HttpClient, Proxies
from websearch.parsing.workers import Task, Workers
from websearch.processes import Processes

_TOOL: Final = "web.fetch"
_NAME: Final = "example.com"  # made for documents, and never asked for a page
_NAME_SECONDS: Final = 3.0
_CLOSED: Final = "http://127.0.0.1:9/"  # asked of a proxy: nobody listens there
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
_APP: Final = "data:text/html," + quote(
    f"<script>document.write('<p' + '>{_WORDS}</p' + '>')</script>"
)


class ReadingCheck(Described):
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


# What is parsed, and the cause where its text does not come out.
_OWN: Final[Mapping[ReadingCheck, tuple[str, bytes, Cause]]] = {
    ReadingCheck.PAGE: ("html", _HTML, Cause.READING_BROKEN),
    ReadingCheck.PDF: ("pdf", _PDF, Cause.READING_NO_PDF),
}
_Outcome = tuple[Check, Finding | None]


async def adiagnose_reading(
    settings: Settings, *, resolve: Resolve = resolve
) -> Diagnosis:
    """Check that pages and PDFs are read, and that the way to them is open."""
    if not settings.fetch_enabled:
        skipped = Check(ReadingCheck.PAGE, State.SKIPPED)
        return Diagnosis(_TOOL, None, [skipped], [Finding(Cause.READING_OFF)])
    proxy, works = None, Finding(Cause.READING_WORKS)
    try:
        if proxy := Proxies(settings.fetch_proxy).of(f"https://{_NAME}/"):
            works = Finding(Cause.READING_PROXIED, {"proxy": proxy})
    except NetworkError as error:  # the environment's proxy is none
        outcomes = [*await _read_own(settings), _no_proxy(error)]
    else:
        way = _ask(proxy, settings) if proxy else _look_up(settings, resolve)
        read, last = await asyncio.gather(_read_own(settings), way)
        outcomes = [*read, last]
    findings = [finding for _, finding in outcomes if finding]
    if all(finding.is_harmless for finding in findings):
        findings.append(works)
    checks = [check for check, _ in outcomes]
    return Diagnosis(_TOOL, proxy.url if proxy else None, checks, findings)


async def _read_own(settings: Settings) -> list[_Outcome]:
    """Parse a page and a PDF, and show a page where the browser is switched on."""
    processes = Processes.from_settings(settings)
    async with aclosing(processes.workers), aclosing(processes.browser):
        page = await _parsed(processes.workers, ReadingCheck.PAGE)
        others = [ReadingCheck.PDF, *[ReadingCheck.BROWSER][: settings.fetch_browser]]
        if page[1]:
            return [page, *((Check(check, State.SKIPPED), None) for check in others)]
        outcomes = [page, await _parsed(processes.workers, ReadingCheck.PDF)]
        if settings.fetch_browser:
            outcomes.append(await _shown(processes.browser))
        return outcomes


async def _shown(browser: Browser) -> _Outcome:
    """Show a page of our own in the browser, whose words are written by a script."""
    check, seconds = ReadingCheck.BROWSER, PAGE_MS / 1000
    visit = Visit(url=_APP, wait=until_quiet(seconds / 2), seconds=seconds)
    started = time.monotonic()
    try:
        rendered = await browser.visit(visit)
    except SearchError as error:
        code = error.detail_code or error.code
        cause = cause_of(error) if code.startswith("browser_") else Cause.BROWSER_FAILED
        return _failed(check, Cause.READING_SLOW if code == "Timeout" else cause, code)
    if f"<p>{_WORDS}</p>" not in rendered.html:
        return _failed(check, Cause.BROWSER_FAILED, "")
    no_sandbox = None if browser.has_sandbox else Finding(Cause.BROWSER_NO_SANDBOX)
    return _passed(check, started), no_sandbox


async def _parsed(workers: Workers, check: ReadingCheck) -> _Outcome:
    """Parse our own page or PDF in a worker, as a stranger's."""
    media, data, broken = _OWN[check]
    facts = {"media": media, "charset": None, "url": f"https://{_NAME}/"}
    started, seconds = time.monotonic(), PAGE_MS / 1000
    try:
        parsed = await workers.run(Task.PAGE, data, seconds=seconds, **facts)
    except SearchError as error:
        code = error.detail_code or error.code
        causes = {"page_too_slow": Cause.READING_SLOW, "page_unreadable": broken}
        return _failed(check, causes.get(code, Cause.WORKER_FAILED), code)
    if _WORDS not in parsed["text"]:
        return _failed(check, broken, "")
    return _passed(check, started), None


def _passed(check: ReadingCheck, started: float) -> Check:
    took = round((time.monotonic() - started) * 1000)
    return Check(check, State.PASSED, f"{took} ms")


async def _ask(proxy: BaseAddress, settings: Settings) -> _Outcome:
    """
    Ask the proxy for an address of its own machine; no other server is asked.

    Every answer but 407 shows that it works.
    """
    http = HttpClient(proxy=proxy, user_agent=_TOOL)
    try:
        async with asyncio.timeout((settings.fetch_timeout_ms or PAGE_MS) / 1000):
            await http.request("GET", _CLOSED)
    except (TimeoutError, NetworkError) as error:
        return _no_proxy(error, proxy)
    except SearchError:
        pass  # an answer, which can't be read
    finally:
        await http.aclose()
    return Check(ReadingCheck.PROXY, State.PASSED), None


def _no_proxy(
    error: NetworkError | TimeoutError, proxy: BaseAddress | None = None
) -> _Outcome:
    facts: dict[str, object] = {"proxy": proxy}
    why = Cause.PROXY_UNREACHABLE
    if isinstance(error, NetworkError):
        is_named = (error.detail_code or "").startswith("proxy_")
        why = cause_of(error) if is_named else Cause.PROXY_NOT_HTTP
        facts |= error.facts
    facts["why"] = why
    return _failed(ReadingCheck.PROXY, Cause.READING_NO_PROXY, why, **facts)


async def _look_up(settings: Settings, resolve: Resolve) -> _Outcome:
    """Resolve a public name: proxy programs and filters answer with other addresses."""
    guard = Guard(AddressPolicy(settings.fetch_allowed_hosts), resolve=resolve)
    try:
        async with asyncio.timeout(_NAME_SECONDS):
            await guard.checked(_NAME, 443)
    except (TimeoutError, httpcore.ConnectError):
        # No network: the checks of search tell it.
        return Check(ReadingCheck.NAMES, State.SKIPPED, _NAME), None
    except WebBlocked as error:
        is_fake = error.detail_code == Cause.FAKE_IP
        cause = Cause.FAKE_IP if is_fake else Cause.PRIVATE_NAMES
        return _failed(ReadingCheck.NAMES, cause, _NAME, name=_NAME)
    return Check(ReadingCheck.NAMES, State.PASSED, _NAME), None


def _failed(check: Described, cause: Cause, note: str, **facts: object) -> _Outcome:
    return Check(check, State.FAILED, note), Finding(cause, facts)
