"""Where else SearXNG may be, when it is not where the settings say."""

from typing import Final
from urllib.parse import urlsplit

from websearch.config.address import BaseAddress
from websearch.doctor.advice import Problem

USUAL_PORTS: Final = (8080, 8888)

_USUAL_PATHS: Final = ("", "/searxng", "/searx")
_CONTAINER_HOSTS: Final = ("host.docker.internal", "host.containers.internal")


def other_addresses(
    address: BaseAddress,
    problem: Problem,
    location: str = "",
    usual_ports: tuple[int, ...] = USUAL_PORTS,
) -> list[BaseAddress]:
    """
    Addresses worth a look, for problems that a wrong address can cause.

    They carry no credentials: those belong to the address they were given for.
    """
    parts = urlsplit(address.url)
    rest = parts.netloc + parts.path
    match problem:
        case Problem.REFUSED if address.is_loopback:
            urls = [f"http://{parts.hostname}:{port}" for port in usual_ports]
        case Problem.REFUSED_IN_CONTAINER:
            urls = [f"http://{host}:{address.port}" for host in _CONTAINER_HOSTS]
            urls.append("http://searxng:8080")
        case Problem.WRONG_PATH | Problem.NOT_SEARXNG:
            urls = [f"{parts.scheme}://{parts.netloc}{path}" for path in _USUAL_PATHS]
        case Problem.TLS:
            urls = [f"http://{rest}"]
        case Problem.NOT_HTTP | Problem.DISCONNECTED:
            urls = [f"https://{rest}"]
        case Problem.REDIRECT:
            urls = _same_host(location, address.host)
        case _:
            urls = []
    return [BaseAddress(url) for url in urls if url != address.url]


def _same_host(location: str, host: str) -> list[str]:
    try:
        address = BaseAddress.parse(location)
    except ValueError:
        return []
    return [address.url] if address.host == host else []
