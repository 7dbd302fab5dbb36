"""nginx and Caddy in front of the app, with the files of deploy/proxy."""

import asyncio
import getpass
import re
import shutil
import socket
import ssl
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import aiohttp
import httpx
import pytest
import socketio
import trustme
from aiohappyeyeballs import AddrInfoType
from support.browser.app_process import ended
from support.browser.pages import Pages, running_pages
from support.paths import ROOT
from support.servers.ports import free_port
from support.waiting import wait_until

pytestmark = pytest.mark.spec("N2")

LOGIN = ("friend", "a long password")
Start = Callable[[Path, str, int], list[str]]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with running_pages(tmp_path_factory.mktemp("app")) as running:
        yield running


def nginx(folder: Path, app: str, port: int) -> list[str]:
    """nginx with our file, at another port and with other paths."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip("nginx is not installed (apt-get install nginx-light)")
    site = (ROOT / "deploy/proxy/nginx.conf").read_text("utf-8")
    for before, after in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "server_name chat.example.org": "server_name localhost",
        "/etc/ssl/chat.example.org.pem": f"{folder}/cert.pem",
        "/etc/ssl/chat.example.org.key": f"{folder}/key.pem",
        "/etc/nginx/websearch-chat.htpasswd": f"{folder}/users",
        "http://127.0.0.1:8000": app,
    }.items():
        assert before in site
        site = site.replace(before, after)
    (folder / "users").write_text(f"{LOGIN[0]}:{{PLAIN}}{LOGIN[1]}\n")
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; user {getpass.getuser()};\n"
        "events {}\n"
        f"http {{ access_log off; client_body_temp_path {folder}/body;\n"
        f"proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;\n"
        f"uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;\n{site} }}\n"
    )
    return [program, "-c", str(folder / "nginx.conf"), "-p", str(folder)]


def caddy(folder: Path, app: str, port: int) -> list[str]:
    """Caddy with our file, at another port and with a certificate of the test."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("Caddy is not installed (apt-get install caddy)")
    file = (ROOT / "deploy/proxy/Caddyfile").read_text("utf-8")
    hashed = subprocess.run(
        [program, "hash-password", "--plaintext", LOGIN[1]],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    file, logins = re.subn(r"friend \S+", lambda _: f"friend {hashed}", file)
    assert logins == 1
    for before, after in {
        "\nchat.example.org {": f"\nhttps://localhost:{port} {{\n\tbind 127.0.0.1\n"
        f"\ttls {folder}/cert.pem {folder}/key.pem",
        "127.0.0.1:8000": app.removeprefix("http://"),
        "\n{\n": "\n{\n\tadmin off\n\tauto_https off\n",
    }.items():
        assert before in file
        file = file.replace(before, after)
    (folder / "Caddyfile").write_text(file)
    return [program, "run", "--config", str(folder / "Caddyfile")]


def trusting(folder: Path | str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=f"{folder}/authority.pem")


@contextmanager
def in_front(start: Start, folder: Path, pages: Pages) -> Iterator[httpx.Client]:
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    for blob in certificate.cert_chain_pems:
        blob.write_to_path(folder / "cert.pem", append=True)
    authority.cert_pem.write_to_path(folder / "authority.pem")
    port = free_port()
    command = start(folder, pages.url, port)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, start_new_session=True, cwd=folder
        )
    url = f"https://localhost:{port}"
    with (
        ended(process),
        httpx.Client(base_url=url, verify=trusting(folder)) as client,
    ):

        def answers() -> bool:
            assert process.poll() is None, (folder / "log").read_text()
            try:
                return client.get("/health").status_code == 401
            except httpx.TransportError:
                return False

        wait_until(answers, "the proxy")
        yield client


@pytest.fixture(scope="module", params=[nginx, caddy])
def proxy(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    pages: Pages,
) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("proxy")
    with in_front(request.param, folder, pages) as client:
        client.headers["x-folder"] = str(folder)
        yield client


def test_login(proxy: httpx.Client) -> None:
    """Nobody sees the page, or its socket, without the login."""
    assert proxy.get("/").status_code == 401
    assert proxy.get("/ws/socket.io/?EIO=4&transport=websocket").status_code == 401
    page = proxy.get("/", auth=LOGIN)

    assert page.status_code == 200
    assert "websearch-chat" in page.text


async def test_conversation(proxy: httpx.Client) -> None:
    """A conversation goes through, with the headers that a browser sends."""
    sockets: list[socket.socket] = []

    def made(info: AddrInfoType) -> socket.socket:
        sockets.append(socket.socket(*info[:3]))
        return sockets[-1]

    context = trusting(proxy.headers["x-folder"])
    connector = aiohttp.TCPConnector(ssl=context, socket_factory=made)
    async with aiohttp.ClientSession(connector=connector) as session:
        client = socketio.AsyncClient(http_session=session, reconnection=False)
        url = str(proxy.base_url).rstrip("/")
        login = b64encode(":".join(LOGIN).encode()).decode()
        identity = {"clientType": "webapp", "sessionId": str(uuid4()), "threadId": ""}
        await client.connect(
            url,
            headers={
                "Origin": url,
                "Authorization": f"Basic {login}",
            },
            auth={**identity, "userEnv": "{}", "chatProfile": ""},
            transports=["websocket"],
            socketio_path="/ws/socket.io",
            wait_timeout=30,
        )
        begun = asyncio.Event()
        client.on("chat_settings", lambda _: begun.set())
        await client.emit("connection_successful")
        async with asyncio.timeout(60):
            await begun.wait()
        await client.disconnect()
    await asyncio.to_thread(  # aiohttp does not wait for the end of TLS
        wait_until, lambda: all(one.fileno() < 0 for one in sockets), "closed sockets"
    )


def test_large_body(proxy: httpx.Client) -> None:
    """A large body ends at the proxy; Caddy may have begun to hand it on."""
    answer = proxy.post("/project/action", content=b"x" * 200_000, auth=LOGIN)

    assert answer.status_code in {413, 502}


def test_flood(proxy: httpx.Client) -> None:
    """Too many requests of an address are refused by nginx; Caddy has no such limit."""
    statuses = {proxy.get("/health", auth=LOGIN).status_code for _ in range(300)}

    has_limit = "nginx" in proxy.get("/health").headers.get("server", "")
    assert statuses == ({200, 429} if has_limit else {200})
