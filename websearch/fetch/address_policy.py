"""Decide which addresses may be read: public ones, and hosts the operator allows."""

import ipaddress
from dataclasses import dataclass, field
from typing import Final

import ada_url

from websearch.config import AllowedHosts, IPNetwork
from websearch.errors import InvalidInput, WebBlocked

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS: Final = {"http": 80, "https": 443}
_LONGEST_URL: Final = 8_000
_LONGEST_HOST: Final = 253


def _networks(*texts: str) -> tuple[IPNetwork, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


# Python's `is_global` calls some of these public, depending on its version.
_SPECIAL_4: Final = _networks(
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",  # shared by providers' customers
    "127.0.0.0/8",
    "168.63.129.16/32",  # Azure's host, public by all tables
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",  # documentation
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",  # benchmarks, and the fake addresses of local proxies
    "198.51.100.0/24",  # documentation
    "203.0.113.0/24",  # documentation
    "224.0.0.0/4",
    "240.0.0.0/4",
)
_PUBLIC_6: Final = ipaddress.ip_network("2000::/3")  # all that was ever assigned
_SPECIAL_6: Final = _networks(
    "2001::/23",  # Teredo, ORCHID
    "2001:db8::/32",  # documentation
    "2002::/16",  # 6to4
    "2620:4f:8000::/48",
    "3ffe::/16",
    "3fff::/20",  # documentation
)
# Networks without IPv4 reach every IPv4 site through NAT64: the inner address decides.
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
# Cloud servers hand out credentials here; no allow-list opens them to a name.
_METADATA: Final = _networks(
    "100.100.100.200/32",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "192.0.0.192/32",
    "fd00:ec2::/32",
    "fd20:ce::/32",
    "fe80::/10",
)
# Clash and its like answer this network for every name, and route it themselves.
_FAKE_IP: Final = ipaddress.ip_network("198.18.0.0/15")
_LOCAL_ENDINGS: Final = (".localhost", ".local", ".internal", ".home.arpa", ".lan")


@dataclass(frozen=True, slots=True)
class Target:
    """An address as a browser reads it, without its fragment."""

    url: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Public addresses, and the hosts that the operator allows beside them."""

    allowed: AllowedHosts = field(default_factory=AllowedHosts)

    def target(self, url: str, base: str | None = None) -> Target:
        """Parse *url*, and refuse it where nothing should even be looked up."""
        target = _parse(url, base)
        is_named = self.names(target.host, target.port)
        if target.port not in PORTS.values() and not is_named:
            raise WebBlocked("Only ports 80 and 443 are read.", detail_code="port")
        if self._is_private(target):
            raise _private()
        return target

    def is_private(self, url: str) -> bool:
        """True where *url* itself names a private network, and nobody allowed it."""
        try:
            return self._is_private(_parse(url, None))
        except InvalidInput:
            return True

    def _is_private(self, target: Target) -> bool:
        if self.names(target.host, target.port):
            return False
        ip = _literal(target.host)
        if ip is None:
            return "." not in target.host or target.host.endswith(_LOCAL_ENDINGS)
        return not (is_public(ip) or any(ip in net for net in self.allowed.networks))

    def names(self, host: str, port: int) -> bool:
        """True where the operator named *host*; without a port that is 80 and 443."""
        is_usual = port in PORTS.values() and (host, None) in self.allowed.hosts
        return is_usual or (host, port) in self.allowed.hosts

    def check(self, host: str, port: int, address: str) -> None:
        """Refuse *address*, to which *host* leads, unless it may be read."""
        ip = ipaddress.ip_address(address.partition("%")[0])
        is_name = _literal(host) is None
        if self.names(host, port):
            if is_name and any(ip in network for network in _METADATA):
                raise _private()
            return
        if any(ip in network for network in self.allowed.networks) or is_public(ip):
            return
        if is_name and ip in _FAKE_IP:
            raise WebBlocked(
                "A local proxy answers every name with an address of its own.",
                detail_code="fake_ip",
            )
        raise _private()

    def check_redirect(self, start: Target, there: Target) -> None:
        """Refuse a way from a public page to a host that only the operator may name."""
        if self._is_inward(there) and not self._is_inward(start):
            raise _private()

    def _is_inward(self, target: Target) -> bool:
        """True where only the list of the operator lets *target* be read."""
        if self.names(target.host, target.port):
            return True
        ip = _literal(target.host)
        return ip is not None and not is_public(ip)


def is_public(ip: Address) -> bool:
    """True for an ordinary host of the internet."""
    if isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped or ip in _NAT64):
        ip = ipaddress.IPv4Address(ip.packed[-4:])
    if isinstance(ip, ipaddress.IPv6Address):
        return ip in _PUBLIC_6 and not any(ip in network for network in _SPECIAL_6)
    return ip.is_global and not any(ip in network for network in _SPECIAL_4)


def _parse(text: str, base: str | None) -> Target:
    if len(text) > _LONGEST_URL:
        raise InvalidInput("The address is too long.", detail_code="url_too_long")
    try:
        url = (
            ada_url.URL(text.strip(), base=base) if base else ada_url.URL(text.strip())
        )
    except ValueError:
        raise _bad_url("This is not a web address.") from None
    scheme = url.protocol.rstrip(":")
    if scheme not in PORTS:
        raise _bad_url("Only http and https addresses are read.")
    if url.username or url.password:
        raise _bad_url("An address with a user name or password is not read.")
    host = url.hostname.strip("[]").rstrip(".")  # `localhost.` is localhost
    if not host or len(host) > _LONGEST_HOST:
        raise _bad_url("This is not a web address.")
    url.hash = ""
    return Target(url.href, host, int(url.port) if url.port else PORTS[scheme])


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _bad_url(message: str) -> InvalidInput:
    return InvalidInput(message, detail_code="bad_url")


def _private() -> WebBlocked:
    return WebBlocked(
        "The address belongs to a private or special network.",
        detail_code="private_address",
    )
