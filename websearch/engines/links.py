"""The targets of links on an engine's page."""

from typing import Final
from urllib.parse import parse_qs, urljoin, urlsplit

_MAX_LINK: Final = 8_192  # longer wrapped addresses are useless: the limit is 2,048


def absolute(href: str, base: str) -> str:
    """Resolve *href* on a page at *base*; '' if it is no http(s) address."""
    if len(href) > _MAX_LINK:
        return ""
    try:
        url = urljoin(base, href.strip())
        host = urlsplit(url).hostname
    except ValueError:
        return ""
    return url if host and url.lower().startswith(("http://", "https://")) else ""


def host_of(url: str) -> str:
    """The host of an address in lower case; '' if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_at(host: str, domain: str) -> bool:
    """True if *host* is *domain* or below it."""
    return host == domain or host.endswith(f".{domain}")


def target(href: str, base: str, domain: str, name: str) -> str:
    """
    The address that a link leads to.

    A redirect at *domain* holds its target in the parameter *name*.
    """
    url = absolute(href, base)
    if is_at(host_of(url), domain):
        wrapped = parse_qs(urlsplit(url).query).get(name)
        return absolute(wrapped[0], base) if wrapped else url
    return url
