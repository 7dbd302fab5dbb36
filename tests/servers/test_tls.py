"""Encrypted connections: trusted ones work, all others are told apart."""

import asyncio
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from support.command import Done, error_of, run_process
from support.servers.loopback import Loopback, served
from support.servers.searxng_pages import healthy, page, row

from websearch.config.address import BaseAddress
from websearch.engines import Searxng
from websearch.errors import NetworkError
from websearch.models import SearchRequest
from websearch.network.client import HttpClient


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server(authority: trustme.CA) -> Iterator[Loopback]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with served(healthy, tls=context) as started:
        yield started


@pytest.fixture
def certificate(authority: trustme.CA, tmp_path: Path) -> str:
    """The path of the authority's own certificate."""
    path = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(path)
    return str(path)


def search(server: Loopback, certificate: str = "", host: str = "localhost") -> Done:
    """A search over TLS, by a program that trusts *certificate* alone."""
    trusted = {"SSL_CERT_FILE": certificate} if certificate else {}
    address = f"https://{host}:{server.port}"
    return run_process("search", "北京", SEARXNG_BASE_URL=address, **trusted)


@pytest.mark.spec("B1", "B3")
def test_trusted(server: Loopback, certificate: str) -> None:
    """A server whose authority is named in SSL_CERT_FILE is searched over TLS."""
    done = search(server, certificate)

    assert done.returncode == 0, done.stderr
    assert server.queries == ["北京"]


@pytest.mark.spec("B3", "N6")
def test_large_answer(server: Loopback, certificate: str) -> None:
    """An answer larger than every buffer on the way arrives whole."""
    rows = [row(n, content="x" * 9_000) for n in range(1, 100)]
    server.script = lambda _: page(*rows)

    assert search(server, certificate).stdout.startswith("[1] Title 1 | ")


@pytest.mark.spec("B5")
def test_unknown_authority(server: Loopback) -> None:
    """A certificate that nobody here trusts is a TLS error, and no query is sent."""
    assert error_of(search(server))["detail_code"] == "tls"
    assert server.requests == []


@pytest.mark.spec("B5")
def test_other_host(server: Loopback, certificate: str) -> None:
    """A certificate made out for another host is refused."""
    done = search(server, certificate, host="127.0.0.1")

    assert error_of(done)["detail_code"] == "tls"


@pytest.mark.spec("B5")
async def test_plain_to_tls(server: Loopback) -> None:
    """http:// to a port that speaks TLS ends with an error of ours."""
    http = HttpClient()
    searxng = Searxng(http, BaseAddress(server.url.replace("https:", "http:")))

    async with asyncio.timeout(5):
        with pytest.raises(NetworkError):
            await searxng.asearch(SearchRequest("q"))
    await http.aclose()
