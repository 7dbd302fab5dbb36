"""Search through Google's page of results, as a browser renders it."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Final, Self
from urllib.parse import SplitResult, parse_qs, urlencode, urlsplit

from websearch.browser.visit import Visit, until_results
from websearch.config.settings import Settings
from websearch.engines.base import unexpected
from websearch.engines.dates import leading_date
from websearch.engines.links import absolute, host_of
from websearch.engines.locales import google_form
from websearch.engines.page_engine import PageEngine, ResultPage, Row
from websearch.models import SearchItem, SearchRequest
from websearch.network.client import HttpClient, Proxies
from websearch.network.response import Reply
from websearch.processes import Processes

# google.de, google.co.uk, google.com.hk; never google.example.org
_HOST: Final = re.compile(
    r"(?:[\w-]+\.)*google\.(?:com|cat|[a-z]{2}|com?\.[a-z]{2})|"
    r"(?:[\w-]+\.)*googleadservices\.com"
)
_CONSENT_HOST: Final = re.compile(r"consent\.(?:google|youtube)\.[a-z.]{2,6}")
# Google's own searches, settings and advertisements; its other pages are results.
_OWN_PATHS: Final = re.compile(
    r"/(?:preferences|advanced_search|setprefs|imgres|url|(?:pagead/)?aclk"
    r"|sorry(?:/.*)?|maps/(?:search|place|dir)(?:/.*)?)/?"
)
# Searches where they hold a query; developers.google.com/search is a page.
_QUERY_PATHS: Final = ("", "/images", "/maps", "/news", "/scholar", "/search")
_SORRY: Final = re.compile(r"/sorry(?:/.*)?")

_ADS: Final = (
    *("#tads", "#tadsb", "#tvcap", "#bottomads", "#mbEnd", "[data-text-ad]"),
    *(".ads-ad", ".pla-unit", "[class*=commercial-unit]"),
)
# Boxes that Google makes of other pages: panels, questions, carousels, places, tweets.
_WIDGETS: Final = (
    *("#rhs", "#rhs_block", "#rhscol", ".related-question-pair", "[data-initq]"),
    *("g-accordion-expander", "g-section-with-header", "g-scrolling-carousel"),
    *("g-inner-card", "#lclbox", "#newsbox", ".eejeod"),
)
_SITELINKS: Final = (
    *("table.nrgt", "table.jmjoTe", "table.slk", ".mslg", ".sld", ".usJj9c"),
    # Two columns of headings, though not those of a whole page.
    *("#search td:has(~ td h3)", "#search td:has(h3) ~ td"),
)
# What stands beside the text of a result: addresses, menus, other headings.
_ASIDE: Final = (
    *("button", "cite", "form", "h1", "h2", "h3", "label", "nav", "time"),
    *("[role=button]", "[role=dialog]", "[role=heading]", "[role=menu]"),
    *("[role=navigation]", "[aria-hidden=true]", *_SITELINKS),
)
_BLOCKS: Final = ("div", "img", "ol", "p", "script", "style", "svg", "table", "ul")


def _any(names: Iterable[str], below: str = "") -> str:
    """The selectors as one list. The parser can't read `:is(a, b) *` with two names."""
    return ", ".join(f"{name}{below}" for name in names)


# Layouts come and go; since 2014, each result has had a heading with a link.
_LINKED: Final = "h3:is(a[href] *, :has(a[href]))"
# The browser waits for the first, and not in vain at the second.
_HEADINGS: Final = "a[href] h3, h3 a[href]"
_OTHER_PAGES: Final = (
    "#captcha-form, .g-recaptcha, [data-sitekey], form[action*=CaptchaRedirect],"
    " [action*='//consent.google.'], [action*='//consent.youtube.']"
)
_TITLE: Final = f"{_LINKED}:not({_any((*_ADS, *_WIDGETS, *_SITELINKS), ' *')})"


class Google(PageEngine):
    """Google's page of results, without an account."""

    name = "google"
    title = "Google"
    url = "https://www.google.com/search"
    max_length = 2_048
    max_words = 32
    rows = _TITLE
    apart = _any(
        ("body", "main", "#main", "[role=main]", "#search", "#rso", *_ADS, *_WIDGETS)
    )
    fields: ClassVar = {
        "title": f"{_TITLE}:is(a *), {_TITLE} a[href]",
        "link": f"a[href]:has({_TITLE})@href",
        "inner link": f"{_TITLE} a[href]@href",
        "snippet": f":is(.VwiC3b, span.st, .aCOpRe):not({_any(_SITELINKS, ' *')})",
        "snippet block": "[data-sncf='1']",
        "more": ".VwiC3b a",
        # Prose in a layout that we do not know: text without blocks in it.
        "texts": f":is(div, p, span, td):not(a *, {_any(_ASIDE)},"
        f" {_any(_ASIDE, ' *')}, :has({_any((*_ASIDE, *_BLOCKS))}))",
    }
    blocks: ClassVar = {
        "captcha_required": ":is(#captcha-form, .g-recaptcha, [data-sitekey],"
        " form[action*=CaptchaRedirect], img[src*='/sorry/image'],"
        " body:not(:has(#search)) #infoDiv)",
        # Pages of results carry these marks too, in a dialog or for other browsers.
        "consent_required": "body:not(:has(#search, #rso))"
        " :is([action*='//consent.google.'], [action*='//consent.youtube.'])",
        "js_required": f"html:not(:has(#search, #rso, {_LINKED})) :is("
        "[src*='/httpservice/retry/enablejs'], [href*='/httpservice/retry/enablejs'],"
        " [content*='/httpservice/retry/enablejs'])",
        # The layout for phones, which nobody asks for: most of its titles are no h3.
        "unexpected_page": "html:has(meta[name=viewport][content*=device-width])"
        " a[href] [role=heading]:not(h3, h3 *)",
    }
    # The query in a sentence, with advice, in place of results.
    empty = (
        "body:has(#search):not(:has(#search a[href], #rso a[href]))"
        " p:has(em):is(#topstuff *, #botstuff *)"
        ":is(.mnr-c *, .card-section *, .med *, :has(~ ul))"
    )

    def __init__(
        self,
        http: HttpClient,
        processes: Processes | None = None,
        *,
        proxies: Proxies | None = None,
        seconds: float = 5.0,
        language: str = "auto",
    ) -> None:
        processes = processes or Processes()
        super().__init__(http, language=language, workers=processes.workers)
        self._browser = processes.browser
        self._proxies = proxies or Proxies()
        self._seconds = seconds

    @classmethod
    def from_settings(
        cls, settings: Settings, http: HttpClient, processes: Processes | None = None
    ) -> Self:
        """Google with the browser, the proxy and the time limit of the settings."""
        return cls(
            http,
            processes or Processes.from_settings(settings),
            proxies=Proxies(settings.fetch_proxy),
            seconds=settings.timeout_of(cls.name),
            language=settings.language,
        )

    def now(self) -> datetime:
        """The moment of the search, for dates such as “3 days ago”."""
        return datetime.now(UTC)

    async def send(self, request: SearchRequest) -> Reply:
        """Let the browser render the page; its final address is Content-Location."""
        visit = Visit(
            url=f"{self.url}?{urlencode(self.params(request))}",
            wait=until_results(_HEADINGS, _OTHER_PAGES),
            seconds=self._seconds,
            session=request.session,
            proxy=self._proxies.of(self.url),
        )
        page = await self._browser.visit(visit)
        headers = {
            "content-type": "text/html; charset=utf-8",
            "content-location": page.url,
            "retry-after": page.retry_after,
        }
        return Reply(page.status, headers, page.html.encode("utf-8", "replace"))

    async def aclose(self) -> None:
        """End the browser and the workers; the next search starts them again."""
        await super().aclose()
        await self._browser.aclose()

    def params(self, request: SearchRequest) -> dict[str, Any]:
        """The query, its language and country; results are not personalised."""
        form = {"q": self.query(request), "filter": "0", "pws": "0"}
        form |= google_form(request, self._language)
        span = request.time_range
        return form | ({"tbs": f"qdr:{span[0]}"} if span else {})

    async def read(self, reply: Reply) -> Sequence[SearchItem]:
        """Parse the results of a page, unless another site's came in its place."""
        host = _final(reply).hostname or ""
        is_known = host in ("", host_of(self.url))
        if not (is_known or _HOST.fullmatch(host) or _CONSENT_HOST.fullmatch(host)):
            raise unexpected("we were sent to another site", "redirect")
        return await super().read(reply)

    def block(self, reply: Reply, page: ResultPage) -> str | None:
        """A block is known by the final address, or by its nodes, never by words."""
        final = _final(reply)
        host = final.hostname or ""
        if _CONSENT_HOST.fullmatch(host):
            return "consent_required"
        if host.startswith("sorry.") or _SORRY.fullmatch(final.path):
            return "captcha_required"
        code = super().block(reply, page)
        # Where the page broke off, it may have had results as well.
        return code if page.is_whole or code == "captcha_required" else None

    def parse(self, rows: Sequence[Row]) -> Iterable[SearchItem | None]:
        """The results, each once; Google's own searches are left out."""
        now = self.now()
        found: dict[tuple[str, str], SearchItem | None] = {}
        for row in rows:
            url = _target(row.first("link") or row.first("inner link"))
            title = row.first("title")
            if not url or _is_own(url):
                continue
            # A quoted result is repeated in the list; its link shows the quotation.
            key = url.partition("#:~:")[0], title
            if (old := found.get(key)) and old.snippet:
                continue
            text = row.first("snippet") or row.first("snippet block")
            text = text or max(row.all("texts"), key=len, default="")
            for more in row.all("more"):  # “Read more” ends some snippets
                text = text.removesuffix(more).rstrip()
            day, snippet = leading_date(text, now)
            item = SearchItem(title, url, snippet, self.name, published_at=day)
            found[key] = item if title else None
        return found.values()


def _final(reply: Reply) -> SplitResult:
    """The address where the browser ended, behind all redirects."""
    address = reply.headers.get("content-location", "")
    return urlsplit(absolute(address, Google.url) if address else "")


def _target(href: str) -> str:
    """The address that a link leads to, behind Google's redirect; '' without one."""
    url = absolute(href, Google.url)
    parts = urlsplit(url)
    if _HOST.fullmatch(parts.hostname or "") and parts.path == "/url":
        # The parameter `q` may hold the query where `url` holds the address.
        wrapped = parse_qs(parts.query)
        inner = [*wrapped.get("url", ()), *wrapped.get("q", ())][:1]
        return absolute(inner[0], Google.url) if inner else ""
    # Every other link without a host stays inside Google.
    return url if "//" in href.partition("?")[0] else ""


def _is_own(url: str) -> bool:
    """True for Google's own search pages: by path, as its other pages are results."""
    parts = urlsplit(url)
    if not _HOST.fullmatch(parts.hostname or ""):
        return False
    is_search = parts.path.rstrip("/") in _QUERY_PATHS and "q" in parse_qs(parts.query)
    return is_search or _OWN_PATHS.fullmatch(parts.path) is not None
