"""Pages that need scripts are rendered by a real browser, behind the guard."""

import socket
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from support.pages.pages_web import HTML
from support.servers.loopback import Answer, Loopback, Request, served, serving

from websearch.browser.browser import Browser
from websearch.config import AllowedHosts
from websearch.errors import SearchError
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.download import Download
from websearch.fetch.guard import Guard, Resolve, resolve
from websearch.fetch.rendering import Renderer

SECONDS = 30.0

SCRIPT = {"Content-Type": "text/javascript"}
# Everything by which a page asks for something else.
TRIES = """
<iframe src="{spy}/frame"></iframe>
<iframe src="file:///etc/passwd"></iframe>
<iframe src="/redirect"></iframe>
<link rel="preconnect" href="{spy}"><link rel="preconnect" href="http://near.example">
<link rel="prefetch" href="{spy}/prefetch"><link rel="stylesheet" href="{spy}/css">
<script src="{spy}/script"></script>
<img src="{spy}/picture">
<form id="form" method="post" target="other" action="{spy}/form"></form>
<script>
fetch("{spy}/fetch").catch(() => 0);
fetch("/redirect").catch(() => 0);
fetch("http://inside.example/").catch(() => 0);
fetch("http://169.254.169.254/latest/").catch(() => 0);
fetch("file:///etc/passwd").catch(() => 0);
new WebSocket("ws://127.0.0.1:{port}/socket");
new EventSource("{spy}/events");
navigator.sendBeacon("{spy}/beacon", "x");
navigator.serviceWorker?.register("/worker.js").catch(() => 0);
document.getElementById("form").submit();
window.open("{spy}/window");
const peer = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{udp}"}}]}});
peer.createDataChannel("x");
peer.createOffer().then((offer) => peer.setLocalDescription(offer));
const link = document.createElement("a");
Object.assign(link, {{href: "/file", download: "f"}}).click();
</script>
<script src="/app.js"></script>
"""
APP = 'document.body.append("The tower is 62 metres high.");'


pytestmark = pytest.mark.asyncio(loop_scope="module")  # that of the browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    running = Browser(start_seconds=60)
    yield running
    await running.aclose()


# A server of the private network, which nobody may ask.
spy = serving(lambda _: Answer("secret", 200, HTML))


def renderer(
    browser: Browser,
    *ports: int,
    seconds: float = SECONDS,
    resolve: Resolve = resolve,
) -> Renderer:
    """A renderer that may reach *ports* of this machine."""
    allowed = ", ".join(f"127.0.0.1:{port}" for port in ports)
    policy = AddressPolicy(AllowedHosts.parse(allowed))
    return Renderer(browser, Guard(policy, resolve=resolve), seconds)


def page_at(url: str) -> Download:
    return Download(url, url, "html", "text/html", None, b"", is_cut=False)


async def test_script(browser: Browser) -> None:
    """The text that a script writes is in the page, whatever it loads first."""

    def answer(request: Request) -> Answer:
        if request.path == "/app.js":
            return Answer(
                "fetch('/data').then(r => r.text()).then(t => document.body.append(t))",
                200,
                SCRIPT,
            )
        if request.path == "/data":
            return Answer("The tower is 62 metres high.", delay=0.2)
        return Answer("<div id=root></div><script src=/app.js></script>", 200, HTML)

    with served(answer) as web:
        found = await renderer(browser, web.port).render(page_at(f"{web.url}/"))

    assert "62 metres" in found.data.decode()
    assert found.charset == "utf-8"


@pytest.mark.spec("N6")
async def test_guard(browser: Browser, spy: Loopback) -> None:
    """Whatever a page tries, nothing but the allowed server is asked."""
    names: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        names.append(host)
        return ["127.0.0.1"]

    def answer(request: Request) -> Answer:
        if request.path == "/redirect":
            return Answer("", 302, {"Location": f"{spy.url}/redirected"})
        if request.path == "/app.js":
            return Answer(APP, 200, SCRIPT)
        facts = {"spy": spy.url, "port": spy.port, "udp": udp.getsockname()[1]}
        return Answer(f"<body>{TRIES.format(**facts)}", 200, HTML)

    with socket.socket(type=socket.SOCK_DGRAM) as udp, served(answer) as web:
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        found = await renderer(browser, web.port, resolve=resolve).render(
            page_at(f"{web.url}/")
        )

        with pytest.raises(BlockingIOError):  # no datagram came
            udp.recv(1)
    text = found.data.decode()
    assert "62 metres" in text
    assert "root:" not in text
    assert "secret" not in text
    assert spy.connections == 0
    assert "inside.example" in names
    assert {r.path for r in web.requests} <= {
        *("/", "/app.js", "/redirect", "/file", "/favicon.ico")
    }


async def test_what_is_missing_on_a_page(browser: Browser) -> None:
    """A page of which one part can't be loaded is read without it."""
    html = (
        "<p>The tower is 62 metres high.<script src='http://127.0.0.1:{}/x'></script>"
    )
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        with served(lambda _: Answer(html.format(port), 200, HTML)) as web:
            pages = renderer(browser, web.port, port)
            found = await pages.render(page_at(f"{web.url}/"))

    assert "62 metres" in found.data.decode()


async def test_popups_and_requests(browser: Browser) -> None:
    """A page opens no other one, and asks for no more than the limit."""
    html = (
        "<p>x<script>open('/popup'); for (let n = 0; n < 400; n++)"
        " fetch('/more?' + n).catch(() => 0)</script>"
    )
    with served(lambda _: Answer(html, 200, HTML)) as web:
        await renderer(browser, web.port).render(page_at(f"{web.url}/"))

    paths = [request.path for request in web.requests]
    assert "/popup" not in paths
    assert paths.count("/more") < 300


async def test_no_cookies(browser: Browser) -> None:
    """A page leaves nothing behind for the next one."""

    def answer(request: Request) -> Answer:
        headers = {**HTML, "Set-Cookie": "who=me; Path=/"}
        return Answer("<p>x<script>localStorage.who = 1</script>", 200, headers)

    with served(answer) as web:
        pages = renderer(browser, web.port)
        for _ in range(2):
            await pages.render(page_at(f"{web.url}/"))

    asked = [request for request in web.requests if request.path == "/"]
    assert len(asked) == 2
    assert not any("cookie" in request.headers for request in asked)


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<script>while (true) {}</script>", "Timeout"),
        ("<script>location = 'about:blank'</script>", "WebParseError"),
    ],
    ids=["endless loop", "elsewhere"],
)
async def test_hostile_page(browser: Browser, html: str, code: str) -> None:
    """A page that never ends, or leads to nothing, is an error of ours."""
    with served(lambda _: Answer(html, 200, HTML)) as web:
        pages = renderer(browser, web.port, seconds=4.0)
        with pytest.raises(SearchError) as caught:
            await pages.render(page_at(f"{web.url}/"))

    assert caught.value.code == code


@pytest.mark.slow
async def test_too_much(browser: Browser) -> None:
    """A page that loads without end is refused, and its connections end."""
    many = "<script>" + "fetch('/more');" * 40 + "</script>"

    def answer(request: Request) -> Answer:
        return Answer("x" * 1_000_000 if request.path == "/more" else many, 200, HTML)

    with served(answer) as web, pytest.raises(SearchError) as caught:
        await renderer(browser, web.port).render(page_at(f"{web.url}/"))

    assert caught.value.detail_code == "page_too_large"


@pytest.mark.slow
async def test_huge_document(browser: Browser) -> None:
    """A page that a script blows up is cut."""
    html = "<script>document.write('<p>' + 'x'.repeat(4e6))</script>"
    with served(lambda _: Answer(html, 200, HTML)) as web:
        found = await renderer(browser, web.port).render(page_at(f"{web.url}/"))

    assert found.is_cut
    assert len(found.data) <= 3_000_000
