"""The doctor names every fault of a server, its cause and its cure."""

import json

import pytest
from support.doctor import examine, problem
from support.servers.faults import FAULTS, under
from support.servers.loopback import Answer, Raw, Request, Script, served
from support.servers.searxng_pages import NO_QUERY, healthy, page


@pytest.mark.spec("B2", "B5", "B6", "G3", "G4", "G5")
@pytest.mark.parametrize(("script", "expected"), FAULTS.values(), ids=FAULTS)
async def test_faults(script: Script, expected: str) -> None:
    """Each fault is told apart from all others."""
    with served(script) as server:
        assert problem(await examine(server.url)) == expected


@pytest.mark.spec("G3")
@pytest.mark.parametrize(
    ("fault", "states"),
    [
        ("healthy", "passed passed passed passed"),
        ("some engines failed", "passed passed passed warned"),
        ("engines blocked", "passed passed passed failed"),
        ("json off", "passed passed failed skipped"),
        ("limiter", "passed passed failed skipped"),
        ("another web page", "passed failed skipped skipped"),
        ("not http", "passed failed skipped skipped"),
        ("hangs up", "failed skipped skipped skipped"),
    ],
)
async def test_checks(fault: str, states: str) -> None:
    """The four questions are answered in order, and none after a failed one."""
    with served(FAULTS[fault][0]) as server:
        diagnosis = await examine(server.url)

    asked = [check.question for check in diagnosis.checks]
    assert asked == ["reachable", "searxng", "json", "search"]
    assert [check.state for check in diagnosis.checks] == states.split()


async def test_enabled_engines() -> None:
    """A search without results names the engines that are on, and no others."""
    listed = '{"engines": [{"name": "on", "enabled": true}, {"name": "off"}]}'

    def script(request: Request) -> Answer:
        if request.path == "/config":
            return Answer(listed)
        return page() if "q" in request.params else NO_QUERY

    with served(script) as server:
        cause = (await examine(server.url)).main.advice("en-US").cause

    assert "Enabled engines: on." in cause


@pytest.mark.spec("B4")
async def test_slow_search() -> None:
    """A server that is alive but searches for ever is told apart from a dead one."""

    def script(request: Request) -> Answer | Raw:
        slow = "q" in request.params
        return (lambda: iter([30.0])) if slow else healthy(request)

    with served(script) as server:
        assert problem(await examine(server.url, seconds=0.3)) == "slow"


async def test_hostile_words() -> None:
    """A server's messages are cleaned before they are shown."""
    title = "<title>\x1b[31mred\u202e [x](http://evil.example)" + "y" * 500 + "</title>"
    answer = Answer(title, 200, {"Content-Type": "text/html\x07", "Server": "s" * 500})
    with served(lambda _: answer) as server:
        cause = (await examine(server.url)).main.advice("en-US").cause

    assert cause.isprintable()
    assert len(cause) < 400


@pytest.mark.spec("G5")
async def test_wrong_port() -> None:
    """A SearXNG on another usual port is found and suggested."""
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
    """The right address is found for a missing or wrong path prefix."""
    with served(under("/searxng")) as server:
        diagnosis = await examine(server.url + path)

    assert problem(diagnosis) == "wrong_address"
    assert diagnosis.main.facts["found"] == server.url + found


@pytest.mark.spec("G5")
async def test_redirect_within_the_host() -> None:
    """A redirect to the right path of the same host is suggested."""

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
