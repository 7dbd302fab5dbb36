"""Downloads of pages: what is never connected to, redirects, limits."""

import asyncio
import gzip
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from support.servers.connections import Diverted, Recorder
from support.servers.loopback import Answer, Raw, Request, served

from websearch.config import AllowedHosts, BaseAddress
from websearch.errors import SearchError
from websearch.fetch.address_policy import AddressPolicy
from websearch.fetch.download import Download, Downloader
from websearch.fetch.guard import Guard, Resolve
from websearch.network.client import Proxies

HTML = {"Content-Type": "text/html; charset=utf-8"}
BOMB = gzip.compress(b"a" * 100_000_000)
CAP = 2_000_000


def downloader(allowed: str = "", seconds: float = 30, **options: Any) -> Downloader:
    if "proxy" in options:
        options["proxies"] = Proxies(BaseAddress.parse(options.pop("proxy")))
    guard = Guard(AddressPolicy(AllowedHosts.parse(allowed)), **options)
    return Downloader(guard, seconds=seconds, user_agent="test")


async def get(url: str, allowed: str = "", **options: Any) -> Download:
    return await downloader(allowed, **options).download(url)


async def served_by(answer: Answer | Raw, path: str = "/", **options: Any) -> Download:
    """The page at *path* of a server that answers so, and may be read."""
    with served(lambda _: answer) as server:
        here = f"127.0.0.1:{server.port}"
        return await get(f"http://{here}{path}", here, **options)


async def refusal(url: str, allowed: str = "", **options: Any) -> SearchError:
    with pytest.raises(SearchError) as caught:
        await get(url, allowed, **options)
    return caught.value


def always(*addresses: str) -> Resolve:
    return lambda _host, _port: list(addresses)


def in_turn(*answers: list[str]) -> Resolve:
    left = iter(answers)
    return lambda _host, _port: next(left)


def unknown(_host: str, _port: int) -> list[str]:
    raise socket.gaierror


def page(body: str | bytes = "<p>hello", status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(body, status, HTML | named)


def moved(location: str) -> Answer:
    return page("", 302, Location=location)


@pytest.mark.spec("O4")
@pytest.mark.parametrize(
    ("resolve", "code"),
    [
        (always("10.0.0.1"), "private_address"),
        (always("93.184.216.34", "10.0.0.1"), "private_address"),
        (always("::1"), "private_address"),
        (always("::ffff:169.254.169.254"), "private_address"),
        (always("93.184.216.34", "fd00::1"), "private_address"),
        (always("64:ff9b::10.0.0.1"), "private_address"),
        (always("198.18.0.7"), "fake_ip"),
        (always(), "dns"),
        (unknown, "dns"),
    ],
    ids=[
        *("private", "one of two", "loopback", "mapped", "mixed", "nat64"),
        *("fake", "none", "unknown"),
    ],
)
async def test_name_that_leads_inward(resolve: Resolve, code: str) -> None:
    """A name is connected to only where all its addresses are public."""
    recorder = Recorder()

    error = await refusal("http://name.example/", resolve=resolve, connections=recorder)

    assert error.detail_code == code
    assert recorder.wanted == []


@pytest.mark.spec("O4")
async def test_rebinding() -> None:
    """The address that was checked is the one that is connected to."""
    recorder = Recorder()
    resolve = in_turn(["93.184.216.34"], ["127.0.0.1"])
    opened = downloader(resolve=resolve, connections=recorder)
    for _ in range(2):
        with pytest.raises(SearchError):
            await opened.download("http://rebind.example/")

    assert recorder.wanted == [("93.184.216.34", 80)]


@pytest.mark.parametrize(
    ("addresses", "order"),
    [
        (
            ["93.184.216.34", "93.184.216.35", "2606:4700::1", "2606:4700::2"],
            ["93.184.216.34", "2606:4700::1", "93.184.216.35", "2606:4700::2"],
        ),
        (["64:ff9b::808:808"], ["64:ff9b::808:808"]),
        ([f"8.8.8.{n}" for n in range(1, 9)], [f"8.8.8.{n}" for n in range(1, 5)]),
    ],
    ids=["both families", "nat64", "many"],
)
async def test_addresses_in_turn(addresses: list[str], order: list[str]) -> None:
    """The addresses of a name are tried in turn, both families, four at most."""
    recorder = Recorder()

    await refusal(
        "http://site.example/", resolve=always(*addresses), connections=recorder
    )

    assert [address for address, _ in recorder.wanted] == order


async def test_allowed_host() -> None:
    """A host that the operator names is read, on that port alone."""
    with served(lambda _: page()) as server:
        here = f"127.0.0.1:{server.port}"
        found = await get(f"http://{here}/a?b#c", here)
        error = await refusal(f"http://{here}/", "127.0.0.1")

    assert found.final_url == f"http://{here}/a?b"
    assert error.detail_code == "port"
    assert len(server.requests) == 1


def refreshed(location: str) -> Answer:
    return page(f"<meta http-equiv=refresh content='0;url={location}'>")


REDIRECTS = {
    "metadata": (moved("http://169.254.169.254/latest"), "private_address"),
    "loopback": (moved("http://127.0.0.1/"), "private_address"),
    "decimal": (moved("//2130706433/"), "private_address"),
    "name": (moved("http://inside.test/"), "private_address"),
    "refresh": (refreshed("http://10.0.0.1/"), "private_address"),
    "refresh to a name": (refreshed("http://inside.test/"), "private_address"),
    "file": (moved("file:///etc/passwd"), "bad_url"),
    "user": (moved("http://a:b@example.com/"), "bad_url"),
    "loop": (moved("/start"), "too_many_redirects"),
    "refresh without end": (refreshed("next/"), "too_many_redirects"),
}


@pytest.mark.spec("O4")
@pytest.mark.parametrize("kind", REDIRECTS)
async def test_redirect_refused(kind: str) -> None:
    """A redirect is checked like an address, and a loop ends."""
    answer, code = REDIRECTS[kind]
    with served(lambda _: answer) as server:
        here = f"public.test:{server.port}"
        error = await refusal(f"http://{here}/start", here, resolve=always("127.0.0.1"))

    assert error.detail_code == code
    assert len(server.requests) <= 6


WAYS_ON = {
    "/%E4%B8%8B%E4%B8%80%E9%A1%B5?q=%E4%B8%AD": moved(
        "/下一页?q=中".encode().decode("latin-1")
    ),
    "/baidu": page(
        "<noscript><META http-equiv='refresh' content='0;URL=/baidu'></noscript>"
    ),
    "/start": page("<meta http-equiv=refresh content='5;url=/start'>news"),
}


@pytest.mark.spec("H10")
@pytest.mark.parametrize("end", WAYS_ON)
async def test_redirect_followed(end: str) -> None:
    """A way on is followed, also Baidu's, and the final address is told."""
    pages = {"/start": WAYS_ON[end]}
    with served(lambda request: pages.get(request.path, page())) as server:
        here = f"public.test:{server.port}"
        found = await get(f"http://{here}/start", here, resolve=always("127.0.0.1"))

    assert found.url == f"http://{here}/start"
    assert found.final_url == f"http://{here}{end}"


@pytest.mark.parametrize(
    ("allowed", "location"),
    [
        ("127.0.0.1:{port}", "http://127.0.0.1:{port}/"),
        ("127.0.0.0/8", "http://127.0.0.1/"),
    ],
    ids=["host", "network"],
)
async def test_public_page_leads_to_no_allowed_host(
    allowed: str, location: str
) -> None:
    """A redirect from a public page to an allowed host or network is refused."""
    with (
        served(lambda _: page("secret")) as inner,
        served(lambda _: moved(location.format(port=inner.port))) as outer,
    ):
        error = await refusal(
            "http://outer.example/",
            allowed.format(port=inner.port),
            resolve=always("93.184.216.34"),
            connections=Diverted(outer.port),
        )

    assert error.detail_code == "private_address"
    assert len(outer.requests) == 1
    assert inner.requests == []


@pytest.mark.spec("O4")
@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/",
        "http://127.0.0.1/",
        "https://10.0.0.1/",
        "http://[::1]/",
        "http://private.test/",
    ],
)
async def test_proxy_is_not_asked_for_private_addresses(url: str) -> None:
    """Through a proxy, too, private addresses are refused before anything is sent."""
    with served(lambda _: page()) as proxy:
        error = await refusal(url, proxy=proxy.url, resolve=always("10.0.0.1"))

    assert error.detail_code == "private_address"
    assert proxy.requests == []


@pytest.mark.parametrize(
    "resolve", [unknown, always("198.18.0.9")], ids=["unknown", "fake"]
)
async def test_proxy_knows_more_names(resolve: Resolve) -> None:
    """A name that only the proxy resolves goes through it, fake addresses too."""
    with served(lambda _: page()) as proxy:
        await get("http://name.test/", proxy=proxy.url, resolve=resolve)

    assert [request.target for request in proxy.requests] == ["http://name.test/"]


async def test_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages go through the proxy that the environment names, but for NO_PROXY."""
    with served(lambda _: page()) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("no_proxy", "direct.test")
        proxies = Proxies()
        await get("http://name.test/", proxies=proxies, resolve=unknown)
        with pytest.raises(SearchError) as caught:
            await get("http://direct.test/", proxies=proxies, resolve=unknown)

    assert [request.target for request in proxy.requests] == ["http://name.test/"]
    assert caught.value.detail_code == "dns"


async def test_proxy_that_makes_no_tunnel() -> None:
    """A proxy that does not connect us is told as such, not as the page's failure."""
    with served(lambda _: Answer(status=502)) as proxy:
        error = await refusal("https://site.test/", proxy=proxy.url, resolve=unknown)

    assert (error.code, error.detail_code) == ("NetworkError", "proxy_fails")


def endless() -> Iterator[bytes | float]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    while True:
        yield b"<p>abc" * 10_000


def dripped(first: bytes) -> Raw:
    def parts() -> Iterator[bytes | float]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + first
        while True:
            yield b"X-A: b\r\n"
            yield 0.05

    return parts


@pytest.mark.spec("O5")
@pytest.mark.parametrize("kind", ["bomb", "endless"])
async def test_byte_limit(kind: str) -> None:
    """Only the beginning of an endless page is taken, packed or not."""
    packed = page(BOMB, Content_Encoding="gzip")
    found = await served_by(packed if kind == "bomb" else endless)

    assert len(found.data) == CAP
    assert found.is_cut


def raw(*parts: bytes) -> Raw:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    return lambda: iter([head, *parts])


PDF = {"Content-Type": "application/pdf"}
NO_PAGE: dict[str, tuple[Answer | Raw, str]] = {
    "slow body": (dripped(b"\r\n"), "page_slow"),
    "slow headers": (dripped(b""), "page_slow"),
    "packing": (page("xx", Content_Encoding="br"), "bad_encoding"),
    "large": (Answer(b"%PDF-1.4" + b"x" * 11_000_000, 200, PDF), "page_too_large"),
    "picture": (Answer(b"\x89PNG", 200, {"Content-Type": "image/png"}), "other_type"),
    "program": (
        Answer(b"MZ\0\0", 200, {"Content-Type": "application/octet-stream"}),
        "other_type",
    ),
    "401": (page("no", 401), "login_required"),
    "403": (page("no", 403), "http_403"),
    "404": (page("no", 404), "page_gone"),
    "410": (page("no", 410), "page_gone"),
    "418": (page("no", 418), "http_418"),
    "429": (page("no", 429, Retry_After="30"), "http_429"),
    "503": (page("no", 503), "http_5xx"),
    "challenge": (page("no", 403, cf_mitigated="challenge"), "captcha_required"),
    "204": (Answer(b"", 204, HTML), "http_204"),
    "challenge, 200": (page("no", cf_mitigated="challenge"), "captcha_required"),
    "no challenge": (page("no", 429, Retry_After="30", cf_mitigated="no"), "http_429"),
    "451": (page("no", 451), "http_403"),
    "300": (page("no", 300), "http_300"),
    "cut off": (raw(b"Content-Length: 500\r\n\r\n<p>hello"), "cut_off"),
    "not HTTP": (lambda: iter([b"\x15\x03\x01"]), "not_http"),
    "hangs up": (lambda: iter([]), "disconnected"),
}


@pytest.mark.spec("O6")
@pytest.mark.parametrize(("answer", "code"), NO_PAGE.values(), ids=NO_PAGE)
async def test_no_page(answer: "Answer | Raw", code: str) -> None:
    """Each cause for which there is no page has its code."""
    with pytest.raises(SearchError) as caught:
        await served_by(answer, seconds=0.3 if code == "page_slow" else 30)

    assert caught.value.detail_code == code
    assert caught.value.retry_after == (30 if code == "http_429" else None)


@pytest.mark.parametrize(
    ("headers", "body", "media"),
    [
        ({}, b"<!doctype html><p>x", "html"),
        ({"Content-Type": "application/octet-stream"}, b"%PDF-1.7 x", "pdf"),
        ({"Content-Type": "text/html"}, b"%PDF-1.7 x", "pdf"),
        ({"Content-Type": "text/plain"}, b"plain", "text"),
        ({"Content-Type": "TEXT/HTML; charset=x"}, b"<p>x", "html"),
    ],
    ids=["untyped", "octets", "lying", "text", "upper case"],
)
async def test_media(headers: dict[str, str], body: bytes, media: str) -> None:
    """The first bytes tell what a page is, where its header does not."""

    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    whole = f"HTTP/1.1 200 OK\r\n{lines}\r\n".encode() + body

    assert (await served_by(lambda: iter([whole]))).media == media


async def test_cookies_last_for_one_page() -> None:
    """A cookie holds over a page's redirects, and never reaches another page."""

    def answer(request: Request) -> Answer:
        if "cookie" in request.headers:
            return page("in")
        if request.path == "/start":
            return page("", 302, Set_Cookie="session=1; Path=/", Location="/again")
        return page("out")

    with served(answer) as server:
        here = f"site.test:{server.port}"
        opened = downloader(here, resolve=always("127.0.0.1"))
        first = await opened.download(f"http://{here}/start")
        second = await opened.download(f"http://{here}/other")

    assert (first.data, second.data) == (b"in", b"out")


async def test_what_a_site_gets_to_know() -> None:
    """A request names neither user nor origin, and no fragment is sent."""
    with served(lambda _: page()) as server:
        here = f"127.0.0.1:{server.port}"
        await get(f"http://{here}/a?b=c#:~:text=secret", here)

    (request,) = server.requests
    assert request.target == "/a?b=c"
    assert request.headers.keys() == {
        *("host", "user-agent", "accept", "accept-language", "accept-encoding"),
        "connection",
    }


async def test_cookies_stay_with_their_host() -> None:
    """A redirect to another host does not carry the cookies of the first one."""
    with served(lambda _: page()) as second:
        there = f"second.test:{second.port}"
        start = page(
            "", 302, Set_Cookie="session=1; Path=/", Location=f"http://{there}/"
        )
        with served(lambda _: start) as first:
            here = f"first.test:{first.port}"
            await get(
                f"http://{here}/", f"{here}, {there}", resolve=always("127.0.0.1")
            )

    assert "cookie" not in second.requests[0].headers


async def test_cancelled_downloads_leave_room() -> None:
    """However many downloads are cancelled as they begin, the next page is read."""
    with served(lambda _: page()) as server:
        here = f"127.0.0.1:{server.port}"
        opened = downloader(here)
        for turns in range(12):
            tasks = [
                asyncio.create_task(opened.download(f"http://{here}/"))
                for _ in range(40)
            ]
            for _ in range(turns):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        found = await opened.download(f"http://{here}/")

    assert found.data == b"<p>hello"


async def test_broken_tunnels_leave_room() -> None:
    """However many tunnels of a proxy break, the next page is read through it."""

    def answer(request: Request) -> "Answer | Raw":
        return raw(b"\r\n") if request.method == "CONNECT" else page()

    with served(answer) as proxy:
        opened = downloader(proxy=proxy.url, resolve=unknown)
        for number in range(40):
            with pytest.raises(SearchError):
                await opened.download(f"https://site{number}.test/")
        found = await opened.download("http://site.test/")

    assert found.data == b"<p>hello"
