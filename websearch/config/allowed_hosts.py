"""Hosts that the operator lets web.fetch read although they are not public."""

import ipaddress
from dataclasses import dataclass
from typing import Annotated, Any, Final, Self

import ada_url
from pydantic.functional_validators import BeforeValidator
from pydantic_settings import NoDecode

IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """Names, addresses and networks; a host without a port means 80 and 443."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[IPNetwork, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `wiki.corp, 10.1.2.3:8080, 10.9.0.0/16`."""
        hosts: set[tuple[str, int | None]] = set()
        networks: list[IPNetwork] = []
        for entry in (part.strip() for part in text.split(",")):
            if entry in {"", NONE}:
                continue
            if "/" in entry:
                networks.append(ipaddress.ip_network(entry))
                continue
            url = ada_url.URL(f"http://{entry}/")
            is_host = url.hostname and url.pathname == "/" and not url.search
            if not is_host or "*" in entry or "@" in entry:
                raise ValueError("a host, host:port or network")
            has_port = entry.rpartition("]")[2].count(":") == 1
            port = int(url.port or 80) if has_port else None
            hosts.add((url.hostname.strip("[]"), port))
        return cls(frozenset(hosts), tuple(networks))

    def __str__(self) -> str:
        """The list as the setting writes it."""
        hosts = (f"{name}:{port}" if port else name for name, port in self.hosts)
        return ", ".join([*sorted(hosts), *map(str, self.networks)]) or NONE


def _allowed(value: Any) -> AllowedHosts:
    if isinstance(value, AllowedHosts):
        return value
    try:
        return AllowedHosts.parse(str(value))
    except ValueError:
        raise ValueError("hosts, host:port or networks, without * and @") from None


Hosts = Annotated[AllowedHosts, NoDecode, BeforeValidator(_allowed)]
