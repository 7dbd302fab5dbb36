"""Addresses as links of a page write them: made absolute, taken out of others."""

import re
from typing import Final
from urllib.parse import parse_qs, unquote_plus, urljoin, urlsplit

# Most addresses are of this kind. The standard library is right about all others
# too, and takes twenty times as long.
_PLAIN: Final = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#][!-~]*)?")

_LONGEST: Final = 8_192  # of a link; what it wraps is of no use above 2,048


def absolute(href: str, base: str) -> str:
    """*href* as an http(s) address on a page at *base*; '' where it is none."""
    if _PLAIN.fullmatch(href):
        return href
    try:
        url = urljoin(base, href.strip())
        host = urlsplit(url).hostname
    except ValueError:
        return ""
    return url if host and url.lower().startswith(("http://", "https://")) else ""


def host_of(url: str) -> str:
    """Host of an address, lower case; '' where it has none."""
    if plain := _PLAIN.fullmatch(url):
        return plain[1]
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_at(host: str, domain: str) -> bool:
    """Whether *host* is *domain* or below it."""
    return host == domain or host.endswith(f".{domain}")


def target(href: str, base: str, domain: str, name: str) -> str:
    """
    Where a link leads in the end.

    One that stays at *domain* may hold its target, as the parameter *name*.
    """
    if len(href) > _LONGEST:
        return ""
    place, _, rest = href.partition(f"?{name}=")
    value = rest.partition("&")[0]
    if value and place.startswith(f"//{domain}/") and "#" not in href:
        return absolute(_unescaped(value), base)
    url = absolute(href, base)
    if is_at(host_of(url), domain) and (wrapped := _parameter(url, name)):
        return absolute(wrapped, base)
    return url


def _parameter(url: str, name: str) -> str:
    """The first value of a parameter in an address; '' where there is none."""
    return parse_qs(urlsplit(url).query).get(name, [""])[0]


def _unescaped(value: str) -> str:
    plain = value.replace("%3A", ":").replace("%2F", "/").replace("%2D", "-")
    plain = plain.replace("%3F", "?").replace("%3D", "=").replace("%26", "&")
    # With another escape left, nothing may be undone twice: from the start then.
    return unquote_plus(value) if "%" in plain or "+" in plain else plain
