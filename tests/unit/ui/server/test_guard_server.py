"""The hardened server as a process of its own, asked over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import socketio
from support.browser.pages import Pages, running_pages, start
from support.servers.ports import free_port

CANARY = "canary-5d1f"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    base = tmp_path_factory.mktemp("pages")
    with running_pages(base, "--debug") as running:
        (running.folder / f"{CANARY}.md").write_text(f"found {CANARY}")
        yield running


@pytest.fixture
def client(pages: Pages) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=pages.url) as opened:
        yield opened


def identity(**changes: str) -> dict[str, str]:
    return {
        "clientType": "webapp",
        "sessionId": str(uuid4()),
        "threadId": "",
        "userEnv": "{}",
        "chatProfile": "",
        **changes,
    }


@asynccontextmanager
async def socket(
    pages: Pages,
    auth: dict[str, str] | None = None,
    **headers: str,
) -> AsyncIterator[socketio.AsyncClient]:
    client = socketio.AsyncClient(reconnection=False)
    client.seen = []

    async def keep(event: str, data: Any = None) -> None:
        client.seen.append((event, data))

    client.on("*", keep)
    try:
        await client.connect(
            pages.url,
            headers=headers,
            auth=identity() if auth is None else auth,
            transports=["websocket"],
            socketio_path="/ws/socket.io",
            wait_timeout=1,
        )
        yield client
    finally:
        await client.disconnect()
        if client.eio.http:
            await client.eio.http.close()


def question(text: str) -> dict[str, Any]:
    message = {"id": str(uuid4()), "threadId": "", "name": "User", "output": text}
    kind = {"type": "user_message", "createdAt": "2026-11-18T00:00:00Z"}
    return {"message": message | kind, "fileReferences": []}


async def until(client: socketio.AsyncClient, event: str, words: str = "") -> None:
    for _ in range(200):
        if any(e == event and words in str(data) for e, data in client.seen):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"no {event} {words}: {client.seen}")


@pytest.mark.parametrize(
    "path",
    ["/", "/any/page", "/public/page.js", "/project/settings", "/health", "/no.php"],
)
def test_headers(client: httpx.Client, path: str) -> None:
    """Every answer carries the policy and the other headers."""
    answer = client.get(path)

    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert answer.headers["x-dns-prefetch-control"] == "off"


def test_shell(client: httpx.Client) -> None:
    """The page names no other host, and loads our own files only."""
    page = client.get("/").text

    assert "//" not in page.replace("<!--", "")
    assert '<html lang="zh-CN">' in page
    for path in (
        "/public/style.css",
        "/public/page.js",
        "/favicon",
        "/public/logo.svg",
    ):
        assert client.get(path).status_code == 200


def test_unknown_host(client: httpx.Client) -> None:
    """A name that is not ours gets nothing, and is told what to do."""
    answer = client.get("/", headers={"Host": "other.example"})

    assert answer.status_code == 421
    assert "ALLOWED_HOSTS" in answer.text
    assert answer.headers["content-security-policy"]


@pytest.mark.parametrize("origin", ["http://other.example", "null"])
def test_foreign_origin(client: httpx.Client, origin: str) -> None:
    """Another page can't change anything here, nor read an answer."""
    headers = {"Origin": origin}

    written = client.post("/set-session-cookie", json={}, headers=headers)
    read = client.get("/project/settings", headers=headers)

    assert written.status_code == 403
    assert "access-control-allow-origin" not in read.headers


@pytest.mark.parametrize("own", [True, False])
def test_own_origin(client: httpx.Client, pages: Pages, own: bool) -> None:
    """Our own page, and a program that is no browser, may post."""
    headers = {"Origin": pages.url} if own else {}
    body = {"session_id": str(uuid4())}

    answer = client.post("/set-session-cookie", json=body, headers=headers)

    assert answer.status_code == 200


REFUSED = [
    ({"sessionId": "7"}, {}),
    ({"sessionId": ""}, {}),
    ({"sessionId": uuid4().hex}, {}),
    ({"sessionId": f"{uuid4()} "}, {}),
    ({"threadId": "../7"}, {}),
    ({}, {"Origin": "http://other.example"}),
    ({}, {"Origin": "null"}),
    ({}, {"Host": "other.example"}),
]


@pytest.mark.spec("N2")
@pytest.mark.parametrize(("auth", "headers"), REFUSED)
async def test_refused(
    pages: Pages, auth: dict[str, str], headers: dict[str, str]
) -> None:
    """The socket is closed to odd ids, to foreign pages and to unknown names."""
    with pytest.raises(socketio.exceptions.ConnectionError):
        async with socket(pages, identity(**auth), **headers):
            pass


@pytest.mark.parametrize("own", [True, False])
async def test_accepted(pages: Pages, own: bool) -> None:
    """Our own page, and a program that is no browser, may connect."""
    headers = {"Origin": pages.url} if own else {}

    async with socket(pages, **headers) as client:
        await client.emit("connection_successful")
        await until(client, "chat_settings")


@pytest.mark.spec("N2")
def test_off(client: httpx.Client) -> None:
    """HTML is shown as text, and the page offers no upload and no MCP."""
    settings = client.get("/project/settings").json()

    assert settings["features"]["unsafe_allow_html"] is False
    assert settings["features"]["spontaneous_file_upload"]["enabled"] is False
    assert settings["features"]["mcp"]["enabled"] is False


async def test_stop(pages: Pages) -> None:
    """Stopping ends the answer with our words, and without Chainlit's English ones."""
    async with socket(pages) as client:
        await client.emit("connection_successful")
        await until(client, "chat_settings")
        await client.emit("client_message", question("wait"))
        await until(client, "task_start")
        await asyncio.sleep(0.3)
        client.seen.clear()

        await client.emit("stop")

        await until(client, "toast", "已停止生成")
        await until(client, "task_end")
        assert "manually stopped" not in str(client.seen)


async def test_logs(pages: Pages) -> None:
    """No log contains questions or answers, even at the lowest level."""
    async with socket(pages) as client:
        await client.emit("connection_successful")
        await until(client, "chat_settings")
        await client.emit("client_message", question(f"show {CANARY}.md"))
        await until(client, "new_message", f"found {CANARY}")
        await until(client, "new_message", "done")

        async with httpx.AsyncClient(base_url=pages.url) as http:
            await http.get("/", params={"q": CANARY})

    assert "available at" in pages.log
    assert CANARY not in pages.log


@pytest.mark.spec("N2")
def test_public_address(tmp_path: Path) -> None:
    """An address that others can reach is not served; the reason is one plain line."""
    pages = Pages(
        f"http://127.0.0.1:{free_port()}", tmp_path / "l", tmp_path / "answers"
    )

    process = start(tmp_path, pages, "--host", "0.0.0.0")

    assert process.wait(timeout=30) == 1
    assert pages.log.count("0.0.0.0 can be reached by other machines") == 1
    assert "Traceback" not in pages.log
