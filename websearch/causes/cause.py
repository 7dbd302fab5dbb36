"""Every way in which search and reading fail or work, as a code."""

from collections.abc import Mapping
from typing import Final

from websearch.causes.words import AnyCause
from websearch.errors import SearchError


class Cause(AnyCause):
    """
    The detail code of an error, or what the doctor finds.

    Any other detail code is `http_` with the status of an answer.
    """

    # What the doctor finds where search and reading work.
    HEALTHY = "healthy"
    SAMPLES = "samples"
    DEGRADED = "degraded"
    ENGINE_WORKS = "engine_works"
    BROWSER_READY = "browser_ready"
    BROWSER_NO_SANDBOX = "browser_no_sandbox"
    READING_WORKS = "reading_works"
    READING_PROXIED = "reading_proxied"
    READING_OFF = "reading_off"
    VALUE_INVALID = "value_invalid"
    FILE_MISTAKE = "file_mistake"
    ENGINE_NOT_TAKEN = "engine_not_taken"

    # The user's own SearXNG.
    SEARCH_UNSET = "search_unset"
    ENGINES_BLOCKED = "engines_blocked"
    ENGINES_FAILED = "engines_failed"
    NO_RESULTS = "no_results"
    JSON_DISABLED = "json_disabled"
    LIMITER = "limiter"
    TOO_MANY_REQUESTS = "too_many_requests"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    WRONG_PATH = "wrong_path"
    WRONG_ADDRESS = "wrong_address"
    REDIRECT = "redirect"
    NOT_SEARXNG = "not_searxng"
    STARTING = "starting"
    SERVER_ERROR = "server_error"
    REFUSED = "refused"
    REFUSED_IN_CONTAINER = "refused_in_container"
    DNS = "dns"
    TLS = "tls"
    NOT_HTTP = "not_http"
    UNREACHABLE = "unreachable"
    DISCONNECTED = "disconnected"
    CUT_OFF = "cut_off"
    TIMEOUT = "timeout"
    SLOW = "slow"
    UNREADABLE = "unreadable"
    NOT_JSON = "not_json"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    QUERY_REFUSED = "query_refused"

    # Any engine.
    ENGINE_FINDS_NOTHING = "engine_finds_nothing"
    ENGINE_REFUSES = "engine_refuses"
    ENGINE_FAILS = "engine_fails"
    CAPTCHA_REQUIRED = "captcha_required"
    CONSENT_REQUIRED = "consent_required"
    JS_REQUIRED = "js_required"
    USER_AGENT_REFUSED = "user_agent_refused"
    UNEXPECTED_PAGE = "unexpected_page"
    NO_SUCH_PAGE = "no_such_page"
    MISSING_KEY = "missing_key"
    BAD_KEY = "bad_key"
    QUOTA_EXHAUSTED = "quota_exhausted"
    RATE_LIMITED = "rate_limited"
    SAMPLES_ONLY = "samples_only"
    QUERY_TOO_LONG = "query_too_long"
    INVALID_INPUT = "invalid_input"
    FAILED = "failed"

    # The proxy and the browser, for engines and for pages.
    PROXY_UNREACHABLE = "proxy_unreachable"
    PROXY_SILENT = "proxy_silent"
    PROXY_NOT_HTTP = "proxy_not_http"
    PROXY_AUTH = "proxy_auth"
    PROXY_REFUSES = "proxy_refuses"
    PROXY_FAILS = "proxy_fails"
    BROWSER_MISSING = "browser_missing"
    BROWSER_DRIVER_MISSING = "browser_driver_missing"
    BROWSER_PATH = "browser_path"
    BROWSER_FAILED = "browser_failed"
    BROWSER_SLOW = "browser_slow"
    BROWSER_CRASHED = "browser_crashed"

    # Pages.
    BAD_URL = "bad_url"
    URL_TOO_LONG = "url_too_long"
    PORT = "port"
    PRIVATE_ADDRESS = "private_address"
    PRIVATE_NAMES = "private_names"
    FAKE_IP = "fake_ip"
    LOGIN_REQUIRED = "login_required"
    PAYWALL = "paywall"
    HTTP_403 = "http_403"
    HTTP_429 = "http_429"
    HTTP_5XX = "http_5xx"
    PAGE_SLOW = "page_slow"
    PAGE_GONE = "page_gone"
    PAGE_TOO_LARGE = "page_too_large"
    PAGE_TOO_SLOW = "page_too_slow"
    PAGE_TOO_HEAVY = "page_too_heavy"
    PAGE_UNREADABLE = "page_unreadable"
    PAGE_BUDGET = "page_budget"
    NEEDS_BROWSER = "needs_browser"
    EMPTY_PAGE = "empty_page"
    OTHER_TYPE = "other_type"
    BAD_ENCODING = "bad_encoding"
    SCANNED_PDF = "scanned_pdf"
    ENCRYPTED_PDF = "encrypted_pdf"
    BROKEN_PDF = "broken_pdf"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    WORKER_FAILED = "worker_failed"
    READING_BROKEN = "reading_broken"
    READING_NO_PDF = "reading_no_pdf"
    READING_SLOW = "reading_slow"
    READING_NO_PROXY = "reading_no_proxy"

    @property
    def is_harmless(self) -> bool:
        """True if searches and answers still work."""
        return self in _HARMLESS


_HARMLESS: Final = frozenset(
    {
        Cause.HEALTHY,
        Cause.SAMPLES,
        Cause.DEGRADED,
        Cause.ENGINE_WORKS,
        Cause.BROWSER_READY,
        Cause.BROWSER_NO_SANDBOX,
        Cause.READING_WORKS,
        Cause.READING_PROXIED,
        Cause.READING_OFF,
        Cause.VALUE_INVALID,
        Cause.FILE_MISTAKE,
        Cause.ENGINE_NOT_TAKEN,
    }
)
# Their advice names the address of SearXNG; other engines have that of the code.
_OF_SEARXNG: Final = frozenset(
    {
        Cause.QUERY_REFUSED,
        Cause.FORBIDDEN,
        Cause.WRONG_PATH,
        Cause.STARTING,
        Cause.REDIRECT,
        Cause.NOT_SEARXNG,
        Cause.REFUSED,
        Cause.DNS,
        Cause.TLS,
        Cause.NOT_HTTP,
        Cause.UNREACHABLE,
        Cause.DISCONNECTED,
    }
)
# Detail codes with the advice of another cause.
_ADVISED_AS: Final[Mapping[str, Cause]] = {
    "http_400": Cause.QUERY_REFUSED,
    "http_403": Cause.FORBIDDEN,
    "http_404": Cause.WRONG_PATH,
    "http_414": Cause.QUERY_TOO_LONG,
    "http_502": Cause.STARTING,
    "http_503": Cause.STARTING,
    "http_504": Cause.STARTING,
    Cause.CUT_OFF: Cause.DISCONNECTED,
    Cause.NOT_JSON: Cause.NOT_SEARXNG,
    Cause.PROXY_SILENT: Cause.PROXY_UNREACHABLE,
}
# The causes of errors without a detail code, or with one of no words of its own.
_BY_CODE: Final = {
    "AuthError": Cause.UNAUTHORIZED,
    "BadGateway": Cause.SERVER_ERROR,
    "InvalidInput": Cause.INVALID_INPUT,
    "NetworkError": Cause.UNREACHABLE,
    "Timeout": Cause.TIMEOUT,
    "WebBlocked": Cause.TOO_MANY_REQUESTS,
    "WebParseError": Cause.UNREADABLE,
}
_OWN: Final = frozenset({None, "searxng", "stub"})  # no stranger's engine
_BY_CODE_OF_ENGINES: Final = {
    **_BY_CODE,
    "AuthError": Cause.BAD_KEY,
    "BadGateway": Cause.ENGINE_FAILS,
    "NetworkError": Cause.ENGINE_FAILS,
    "Timeout": Cause.ENGINE_FAILS,
    "WebBlocked": Cause.ENGINE_REFUSES,
    "WebParseError": Cause.UNEXPECTED_PAGE,
    "WebProviderError": Cause.UNEXPECTED_PAGE,
}


def cause_of(error: SearchError) -> Cause:
    """The cause with the advice for *error*; the doctor may find a more precise one."""
    if error.code == "WebBlocked" and error.engines:
        return Cause.ENGINES_BLOCKED
    detail = error.detail_code or ""
    cause, is_searxng = _ADVISED_AS.get(detail, detail), error.provider in _OWN
    has_advice = "title" in Cause.words("en-US").get(cause, {})
    if has_advice and (is_searxng or cause not in _OF_SEARXNG):
        return Cause(cause)
    by_code = _BY_CODE if is_searxng else _BY_CODE_OF_ENGINES
    return by_code.get(error.code, Cause.FAILED)


def short(error: SearchError, language: str) -> str:
    """The failure in a few words, after the name of an engine or of a page."""
    words = Cause.words(language)
    detail = error.detail_code or ""
    by_code = _BY_CODE.get(error.code, Cause.FAILED)
    for cause in (detail, _ADVISED_AS.get(detail, by_code), by_code):
        if "short" in words.get(cause, {}):
            return str(words[cause]["short"])
    return error.code
