"""Addresses of strangers, made safe to stand in a Markdown link."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode

import ada_url

MAX_URL: Final = 2_048

# Scheme and host must be there, and none of what a browser would repair.
_ADDRESS = re.compile(
    r"[ \t\r\n]*https?://[^/?#\\\x00-\x20][^\\\x00-\x1f\x7f-\x9f\ud800-\udfff]*",
    re.IGNORECASE,
)
# What could end a link target, a table cell or a line, or start other markup.
_BREAKING = re.compile(
    r"[^A-Za-z0-9\-._~:/?#@!$&'+,;=%*]|%(?![0-9A-Fa-f]{2})", re.ASCII
)
# Markdown would read `&lt;` in a link target as `<`.
_ENTITY = re.compile("(&#?[A-Za-z0-9]+);")
_TRACKER = re.compile(
    "utm_.*|fbclid|gclid|msclkid|yclid|spm|share_token|isappinstalled|mc_[ce]id"
    "|igshid|_ga|ved|usg|srsltid"
)


def safe_url(url: object) -> str | None:
    """*url* as it may stand in a link, or None where it is no plain web address."""
    if not isinstance(url, str) or len(url) > MAX_URL or not _ADDRESS.fullmatch(url):
        return None
    try:
        href = ada_url.normalize_url(url.strip())
    except ValueError:
        return None
    scheme, _, rest = href.partition("://")
    cut = re.search(r"[/?#]", rest)
    host = rest[: cut.start()] if cut else rest
    path = rest[len(host) :]
    if not host or "@" in host:
        return None
    # An IPv6 host keeps its brackets: they are balanced, and hold no more than digits.
    safe = f"{scheme}://{host}{_BREAKING.sub(_encoded, path)}"
    safe = _ENTITY.sub(r"\1%3B", safe)
    return safe if len(safe) <= MAX_URL and not _odd(host) else None


def domain_of(url: object) -> str:
    """The host of *url* without `www.`, or nothing."""
    safe = safe_url(url)
    if safe is None:
        return ""
    return ada_url.URL(safe).hostname.removeprefix("www.")


def page_key(url: str) -> str:
    """Key of a page: blind to scheme, www, tracker, fragment and trailing slash."""
    page, _, fragment = (safe_url(url) or url).partition("#")
    address, _, query = page.partition("?")
    place = address.partition("://")[2].removeprefix("www.").rstrip("/")
    pairs = sorted(parse_qsl(query, keep_blank_values=True))
    kept = urlencode([pair for pair in pairs if not _TRACKER.fullmatch(pair[0])])
    # `#!/page` and `#/page` name pages; other fragments name places on one.
    return f"{place}?{kept}#{fragment if fragment.startswith(('!', '/')) else ''}"


def _encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _odd(host: str) -> bool:
    return _BREAKING.search(host.strip("[]")) is not None
