"""What one visitor can cost the server, tried over real sockets."""

import asyncio
import logging
import os
import resource
import socket as sockets
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import socketio
import uvicorn
from support.browser.pages import Pages, running_pages

from ui.server import connections, requests, sessions

pytestmark = pytest.mark.spec("N2")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with running_pages(tmp_path_factory.mktemp("limits")) as running:
        yield running


@pytest.fixture
def client(pages: Pages) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=pages.url) as opened:
        yield opened


NOT_SERVED = [
    ("GET", "/docs"),
    ("GET", "/redoc"),
    ("GET", "/openapi.json"),
    ("GET", "/copilot/index.js"),
    ("GET", "/project/thread/1"),
    ("GET", "/project/share/1"),
    ("GET", "/auth/oauth/github"),
    ("GET", "/no.php"),
    ("GET", "/public/%00"),
    ("GET", "/assets/a%00.js"),
    ("GET", "/ws/socket.io/?EIO=4&transport=polling"),
    ("POST", "/ws/socket.io/?EIO=4&transport=polling"),
    ("POST", "/project/file?session_id=1"),
    ("POST", "/mcp"),
    ("DELETE", "/mcp"),
    ("POST", "/login"),
    ("POST", "/auth/jwt"),
    ("POST", "/project/threads"),
    ("PUT", "/project/thread"),
    ("PUT", "/project/element"),
    ("PUT", "/feedback"),
    ("OPTIONS", "/"),
    ("TRACE", "/"),
]


@pytest.mark.parametrize(("method", "path"), NOT_SERVED)
def test_routes(client: httpx.Client, method: str, path: str) -> None:
    """What the page does not need does not exist; the answer has all headers."""
    answer = client.request(method, path)

    assert answer.status_code == 404
    assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/favicon",
        "/logo",
        "/health",
        "/user",
        "/auth/config",
        "/project/settings",
        "/project/translations",
        "/public/page.js",
    ],
)
def test_served(client: httpx.Client, path: str) -> None:
    """What the page asks for is there."""
    assert client.get(path).status_code == 200


class Away:
    """A session, its page here or away, its answer running or not."""

    def __init__(self, name: str, *, is_here: bool = False, runs: bool = False) -> None:
        self.socket_id = name
        self.is_here = is_here
        self.current_task = asyncio.Event() if runs else None

    async def delete(self) -> None:
        sessions.ws_sessions_id.pop(self.socket_id)


@pytest.mark.parametrize(
    ("known", "session_id", "has_room", "left"),
    [
        ([Away("a")], "new", True, ["a"]),  # two fit
        ([Away("a", is_here=True), Away("b")], "new", True, ["a"]),
        ([Away("a"), Away("b")], "new", True, ["b"]),  # the oldest goes
        ([Away("a", runs=True), Away("b", is_here=True)], "new", False, ["a", "b"]),
        ([Away("a", is_here=True), Away("b", is_here=True)], "b", True, ["a", "b"]),
    ],
)
async def test_full(
    monkeypatch: pytest.MonkeyPatch,
    known: list[Away],
    session_id: str,
    has_room: bool,
    left: list[str],
) -> None:
    """A session too many takes the place of one whose page is away, or is refused, and
    its page is told when to come again; what open pages need is served."""
    opened: Any = {session.socket_id: session for session in known}
    for session in known:
        if session.current_task:
            session.current_task = asyncio.create_task(asyncio.sleep(60))
    here = {session.socket_id for session in known if session.is_here}
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 2)
    monkeypatch.setattr(sessions, "ws_sessions_id", opened)
    manager = sessions.server.sio.manager
    monkeypatch.setattr(manager, "is_connected", lambda sid, _: sid in here)
    limited = requests.RequestLimits(_ok, is_full=sessions.is_full)
    to_it = httpx.ASGITransport(limited)
    async with httpx.AsyncClient(transport=to_it, base_url="http://a") as client:
        page, script = [await client.get(path) for path in ("/", "/public/page.js")]

    assert await sessions.make_room(session_id) is has_room
    assert list(opened) == left
    is_full = not has_room or session_id == "b"
    assert page.status_code == (503 if is_full else 200)
    assert ("retry-after" in page.headers) is is_full
    assert script.status_code == 200
    for session in known:
        if session.current_task:
            session.current_task.cancel()


@pytest.mark.parametrize("is_announced", [True, False])
def test_large_body(client: httpx.Client, pages: Pages, is_announced: bool) -> None:
    """A body over the limit is refused before it is read, announced or not."""
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 50_000_000:
            sent += 65_536
            yield b"x" * 65_536

    headers = {"content-length": "400000000"} if is_announced else {}
    try:
        answer = client.post("/project/action", content=endless(), headers=headers)
    except httpx.TransportError:
        pass  # closed while we still sent
    else:
        assert answer.status_code == 413
    assert sent < 20_000_000  # what lies in the buffers of the sockets
    assert httpx.get(f"{pages.url}/health").status_code == 200


MALFORMED = [
    {
        "sessionId": "0b4f2c4e-6c1d-4d62-9a53-2f7f0a9f6c11",
        "action": {"words": "canary-77"},
    },
    {"sessionId": "canary-77", "action": {"name": "x", "payload": "canary-77"}},
    {"action": 7},
    [],
    "canary-77",
]


@pytest.mark.parametrize("sent", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed(client: httpx.Client, pages: Pages, sent: object) -> None:
    """A malformed request is refused in words, and nothing of it reaches the log."""
    answer = client.post("/project/action", json=sent)

    assert 400 <= answer.status_code < 500
    assert "Traceback" not in pages.log
    assert pages.log.count("A request was refused") < 20  # one line each
    assert "canary-77" not in pages.log


def address(pages: Pages) -> tuple[str, int]:
    return "127.0.0.1", int(pages.url.rpartition(":")[2])


def test_slow(pages: Pages) -> None:
    """Requests that do not come to their end are given up."""
    body = "POST /project/action HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90"
    begun = [
        "",
        "GET / HTTP/1.1\r\nHost: local",
        "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea",
        f"{body}\r\n\r\n{{",
    ]
    with ExitStack() as stack:
        slow = [
            stack.enter_context(sockets.create_connection(address(pages), timeout=60))
            for _ in begun
        ]
        for opened, sent in zip(slow, begun, strict=True):
            opened.sendall(sent.encode())

        answers = [b"".join(iter(lambda o=o: o.recv(65_536), b"")) for o in slow]

    assert [b" 408 " in answer for answer in answers] == [False, False, False, True]


async def _ok(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


@pytest.mark.parametrize("is_neighbour", [True, False])
async def test_many_sockets(
    monkeypatch: pytest.MonkeyPatch, is_neighbour: bool
) -> None:
    """One address has a bounded number of connections, but for a proxy on this host;
    when they close, it is let in again."""
    monkeypatch.setattr(connections, "MOST_OF_AN_ADDRESS", 3)
    monkeypatch.setattr(connections, "is_local", lambda _: is_neighbour)
    config = uvicorn.Config(
        _ok,
        http=connections.LimitedProtocol,
        lifespan="off",
        forwarded_allow_ips="10.0.0.1",
    )
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    listening = await asyncio.get_running_loop().create_server(
        lambda: connections.LimitedProtocol(config, server.server_state, {}),
        "127.0.0.1",
    )
    port = listening.sockets[0].getsockname()[1]

    async def asked(writer: asyncio.StreamWriter, reader: asyncio.StreamReader) -> bool:
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return b"200" in await reader.readline()
        except ConnectionError:
            return False

    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
    answers = [await asked(writer, reader) for reader, writer in opened]
    for _, writer in opened:
        writer.close()
    for _ in range(1000):
        if not server.server_state.connections:
            break
        await asyncio.sleep(0.01)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    again = await asked(writer, reader)
    writer.close()
    listening.close()

    assert answers == [True] * 3 + [is_neighbour] * 2
    assert again


async def visit(pages: Pages, session: str) -> socketio.AsyncClient:
    client = socketio.AsyncClient(reconnection=False)
    identity = {"clientType": "webapp", "sessionId": session, "userEnv": "{}"}
    await client.connect(
        pages.url,
        auth={**identity, "threadId": "", "chatProfile": ""},
        transports=["websocket"],
        socketio_path="/ws/socket.io",
        wait_timeout=10,
    )
    return client


async def test_new_chat(pages: Pages) -> None:
    """A session that its page has given up is over; its id begins a new one."""
    session = str(uuid4())
    began = 0

    def settings(_: object) -> None:
        nonlocal began
        began += 1

    for _ in range(100):  # the server may learn late that the page has gone
        client = await visit(pages, session)
        client.on("chat_settings", settings)
        await client.emit("connection_successful")
        await asyncio.sleep(0.1)
        await client.call("clear_session")  # it has arrived
        await client.disconnect()
        if began > 1:
            break

    assert began > 1


async def test_unused_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions without a question end after their time, the oldest when too many."""
    deleted: list[str] = []

    class Session:
        to_clear = has_first_interaction = False

        def __init__(self, sid: str) -> None:
            self.sid = sid

        @staticmethod
        def get(sid: str) -> "Session | None":
            return None if sid in deleted else Session(sid)

        async def delete(self) -> None:
            deleted.append(self.sid)

    async def chainlits(_sid: str) -> None:
        raise AssertionError("only for sessions with a question")

    monkeypatch.setattr(sessions, "WebsocketSession", Session)
    monkeypatch.setattr(sessions, "MOST_UNUSED", 2)
    monkeypatch.setattr(sessions, "UNUSED_SECONDS", 0.01)
    unused = sessions.UnusedSessions(chainlits)

    for sid in "abc":
        await unused.leave(sid)
    assert deleted == ["a"]
    for _ in range(1000):
        await asyncio.sleep(0.01)
        if len(deleted) == 3:
            break
    assert deleted == ["a", "b", "c"]


async def test_long_text(pages: Pages) -> None:
    """A pasted book is no question, is not kept, and leaves the line open."""
    session = str(uuid4())
    client = await visit(pages, session)
    seen: list[object] = []
    client.on("*", lambda event, data=None: seen.append((event, data)))
    message = {
        "id": str(uuid4()),
        "threadId": "",
        "name": "User",
        "output": "x" * 10**6,
    }
    message |= {"type": "user_message", "createdAt": "2026-11-18T00:00:00Z"}

    await client.emit("client_message", {"message": message, "fileReferences": []})
    for _ in range(400):
        if any(event == "task_end" for event, _ in seen):
            break
        await asyncio.sleep(0.05)

    assert client.connected
    assert len(str(seen)) < 100_000
    await client.disconnect()


def test_own_files(tmp_path: Path) -> None:
    """Two processes in a folder keep their files apart; what a killed one left goes."""
    left = tmp_path / ".files" / "process-999999999"
    left.mkdir(parents=True)
    (tmp_path / ".files" / f"process-{os.getpid()}").mkdir()

    with running_pages(tmp_path):
        kept = {folder.name for folder in (tmp_path / ".files").iterdir()}

    assert left.name not in kept
    assert f"process-{os.getpid()}" in kept
    assert len(kept) == 2
    assert [folder.name for folder in (tmp_path / ".files").iterdir()] == [
        f"process-{os.getpid()}"
    ]


def test_log_of_missing_files() -> None:
    """The complaint of a server without files is logged once a minute."""
    once = connections.OncePerMinute()

    def record(words: str) -> logging.LogRecord:
        return logging.LogRecord("asyncio", logging.ERROR, "", 0, words, (), None)

    flood = record("socket.accept() out of system resource")
    assert [once.filter(flood) for _ in range(3)] == [True, False, False]
    assert once.filter(record("another"))


def test_many_files() -> None:
    """The server may open as many files as its user may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        connections.install()
        now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert now == min(hard, 65_536) if hard > 0 else now == 65_536
