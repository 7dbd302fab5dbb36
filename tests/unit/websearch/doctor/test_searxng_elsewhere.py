"""Where SearXNG is elsewhere, the doctor finds it, and nobody else is asked."""

import json

import pytest
from support.doctor import examine, problem
from support.faults import under
from support.loopback import Answer, Raw, Request, served
from support.searxng_pages import healthy

from websearch.config.address import BaseAddress
from websearch.doctor.advice import Problem
from websearch.doctor.searxng_elsewhere import other_addresses


@pytest.mark.spec("G4", "B9")
async def test_refused() -> None:
    """A port where nothing listens."""
    with served(healthy) as server:
        url = server.url

    assert problem(await examine(url)) == "refused"


@pytest.mark.spec("G4")
async def test_container() -> None:
    """Inside a container, localhost is the container itself."""
    with served(healthy) as server:
        url = server.url

    diagnosis = await examine(url.replace("127.0.0.1", "localhost"), in_container=True)

    assert problem(diagnosis) == "refused_in_container"


@pytest.mark.spec("G5")
async def test_wrong_port() -> None:
    """Where SearXNG answers on another usual port, that address is the cure."""
    with served(healthy) as server, served(healthy) as other:
        gone = server.url
    with served(healthy) as other:
        diagnosis = await examine(gone, usual_ports=(other.port,))

    assert problem(diagnosis) == "wrong_address"
    (step,) = diagnosis.main.advice("zh-CN").cure
    assert f"SEARXNG_BASE_URL={other.url}" in step


@pytest.mark.spec("G5")
@pytest.mark.parametrize(("path", "found"), [("", "/searxng"), ("/wrong", "/searxng")])
async def test_wrong_path(path: str, found: str) -> None:
    """Where a path prefix is missing or wrong, the right address is found."""
    with served(under("/searxng")) as server:
        diagnosis = await examine(server.url + path)

    assert problem(diagnosis) == "wrong_address"
    assert diagnosis.main.facts["found"] == server.url + found


@pytest.mark.spec("G5")
async def test_redirect_within_the_host() -> None:
    """Where the same host sends us to its right path, that is the cure."""

    def script(request: Request) -> Answer | Raw:
        if request.path.startswith("/searx"):
            return under("/searx")(request)
        return Answer("", 301, {"Location": f"http://{request.headers['host']}/searx/"})

    with served(script) as server:
        diagnosis = await examine(server.url)

    assert diagnosis.main.facts["found"] == f"{server.url}/searx"


async def test_other_hosts_are_not_asked() -> None:
    """A redirect to another host is told, and that host is asked nothing."""
    with served(healthy) as other:
        place = f"http://localhost:{other.port}/search"
        with served(lambda _: Answer("", 302, {"Location": place})) as server:
            diagnosis = await examine(server.url)

    assert problem(diagnosis) == "redirect"
    assert other.requests == []


async def test_own_address_is_not_asked_twice() -> None:
    """The usual addresses leave out the one that was asked already."""
    gone = Answer("<html>404</html>", 404, {"Content-Type": "text/html"})
    with served(lambda _: gone) as server:
        await examine(server.url)

    assert len([r for r in server.requests if r.path == "/search"]) == 1


async def test_container_with_another_host() -> None:
    """Inside a container, only loopback means the container itself."""
    address = BaseAddress("http://192.0.2.1:8080")

    assert other_addresses(address, Problem.REFUSED) == []
    assert address.is_loopback is False


@pytest.mark.spec("G5")
async def test_https_for_http() -> None:
    """https:// on a plain port: the http address is the cure."""
    with served(healthy) as server:
        diagnosis = await examine(server.url.replace("http:", "https:"))

    assert diagnosis.main.facts["found"] == server.url
    assert "TLS" in diagnosis.main.advice("en-US").cause


@pytest.mark.spec("N3", "I8")
async def test_credentials_stay() -> None:
    """Credentials are sent to the named address only, and shown nowhere."""
    with served(healthy) as gone:
        url = f"http://user:canary@127.0.0.1:{gone.port}"
    with served(healthy) as other:
        diagnosis = await examine(url, usual_ports=(other.port,))

    assert problem(diagnosis) == "wrong_address"
    assert all("authorization" not in request.headers for request in other.requests)
    assert "canary" not in json.dumps(diagnosis.as_dict("en-US"))
