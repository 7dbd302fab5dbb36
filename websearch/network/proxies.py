"""Choose the proxy of a request: the one that is set, else the environment's."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from websearch.config.address import BaseAddress, is_loopback, without_credentials
from websearch.errors import NetworkError

_PORTS: Final = {"http": 80, "https": 443}


class Proxies:
    """The proxy that is *chosen* for all requests, else those of the environment."""

    def __init__(self, chosen: BaseAddress | None = None) -> None:
        self._chosen = chosen
        self._environment = {} if chosen else getproxies()

    def of(self, url: str) -> BaseAddress | None:
        """The proxy for *url*; NetworkError if the environment names no HTTP proxy."""
        return self._chosen or _of_environment(self._environment, url)


def _of_environment(proxies: Mapping[str, str], url: str) -> BaseAddress | None:
    """The proxy of the environment for *url*: none for loopback, nor for NO_PROXY."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or is_loopback(host) or proxy_bypass(host):
        return None
    if any(_excludes(entry, parts) for entry in proxies.get("no", "").split(",")):
        return None
    address = found if "://" in found else f"http://{found}"
    try:
        return BaseAddress.parse(address)
    except ValueError:
        raise NetworkError(
            "The proxy can't be used: the environment names no HTTP proxy",
            detail_code="proxy_not_http",
            facts={"proxy": without_credentials(address)},
        ) from None


def _excludes(entry: str, url: SplitResult) -> bool:
    """True if an entry of NO_PROXY with a port, a scheme or a star fits *url*."""
    scheme, _, place = entry.strip().lower().rpartition("://")
    try:
        named = urlsplit(f"//{place}")
        port = named.port
    except ValueError:  # such as ::1, which is no host with a port
        return False
    if scheme not in {"", "all", url.scheme}:
        return False
    if port not in {None, url.port or _PORTS[url.scheme]}:
        return False
    host, suffix = url.hostname or "", (named.hostname or "").lstrip("*.")
    return place == "*" or (bool(suffix) and f".{host}".endswith(f".{suffix}"))
