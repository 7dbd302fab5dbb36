"""Access to the server, the page's content policy, and Chainlit's private parts."""

import logging
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from chainlit import server, socket
from chainlit.config import config
from chainlit.context import context
from chainlit.session import ws_sessions_sid
from support.browser.screen import Screen

from ui.server import guard, headers
from ui.server.requests import RequestLimits

UUID = "0b4f2c4e-6c1d-4d62-9a53-2f7f0a9f6c11"


UUID1 = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

HERE = "localhost:8000"


@pytest.mark.parametrize(
    ("host", "origin", "refusal"),
    [
        # the local names and those given are known, with any port; no other
        (HERE, None, None),
        ("LOCALHOST", None, None),
        ("127.0.0.1:1", None, None),
        ("[::1]:8000", None, None),
        ("chat.example:443", None, None),
        ("10.0.0.7", None, None),
        ("[fe80::7]:8000", None, None),
        ("", None, "unknown host"),
        ("localhost.example", None, "unknown host"),
        ("localhost:8000.example", None, "unknown host"),
        ("localhost@other.example", None, "unknown host"),
        ("other.example:8000", None, "unknown host"),
        ("127.0.0.2", None, "unknown host"),
        # a page may come in from the very host and port that it calls; no other may
        (HERE, "http://localhost:8000", None),
        (HERE, "HTTP://LOCALHOST:8000", None),
        ("localhost:443", "https://localhost", None),
        ("localhost", "https://localhost", None),
        ("localhost:80", "http://localhost", None),
        (HERE, "", "foreign origin"),
        (HERE, "http://127.0.0.1:8000", "foreign origin"),
        (HERE, "http://localhost:8001", "foreign origin"),
        (HERE, "http://other.example", "foreign origin"),
        (HERE, "null", "foreign origin"),
        (HERE, "file://localhost:8000", "foreign origin"),
        (HERE, "http://x@localhost:8000", "foreign origin"),
    ],
)
def test_host_and_origin(host: str, origin: str | None, refusal: str | None) -> None:
    """The server answers under its own names only, and only to its own page."""
    names = ["Chat.example", " 10.0.0.7:8000 ", "fe80::7", ""]

    assert headers.HostCheck.of(names).refusal(host, origin) == refusal


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.1.5", False),
        ("chat.example", False),
    ],
)
def test_is_local(host: str, expected: bool) -> None:
    """Only loopback is out of reach for other machines."""
    assert headers.is_local(host) is expected


@pytest.mark.usefixtures("installed")
async def test_self_test() -> None:
    """A hardened server passes, also when the app is loaded twice."""
    guard.install()

    await guard.self_test()


def _without_guard() -> None:
    handlers = server.sio.handlers["/"]
    handlers["connect"] = handlers["connect"].__wrapped__


def _without_stop() -> None:
    server.sio.handlers["/"]["stop"] = socket.stop


def _without_middleware() -> None:
    server.app.user_middleware[:] = [
        m for m in server.app.user_middleware if m.cls is not headers.SecurityHeaders
    ]


def _without_limits() -> None:
    server.app.user_middleware[:] = [
        m for m in server.app.user_middleware if m.cls is not RequestLimits
    ]


def _without_end() -> None:
    server.sio.handlers["/"]["disconnect"] = socket.disconnect


def _without_shell() -> None:
    del server.app.router.routes[0]  # Chainlit's own page comes in its place


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("change", "missing"),
    [
        (_without_guard, "the guard of the socket"),
        (_without_stop, "the silent stop"),
        (_without_middleware, "its policy"),
        (_without_middleware, "the check of the host"),
        (_without_limits, "the limits of requests"),
        (_without_end, "the end of unused sessions"),
        (_without_shell, "the clean shell"),
        (_without_shell, "the words of its script"),
    ],
)
async def test_unguarded(change: Callable[[], None], missing: str) -> None:
    """The server does not start where a hook has come off, and says which."""
    change()

    with pytest.raises(RuntimeError, match=missing):
        await guard.self_test()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(("allowed", "login"), [(True, False), (False, True)])
def test_public(monkeypatch: pytest.MonkeyPatch, allowed: bool, login: bool) -> None:
    """A public address is used where that is allowed, or where users log in."""
    config.run.host = "0.0.0.0"
    with pytest.raises(SystemExit, match=r"0\.0\.0\.0 can be reached.*no login"):
        guard.install()
    code = SimpleNamespace(**vars(config.code))
    code.password_auth_callback = print if login else None
    monkeypatch.setattr(config, "code", code)

    guard.install(allow_public=allowed)

    assert (
        headers.HostCheck.of([]).hosts | {"0.0.0.0"}
        == server.app.state.host_check.hosts
    )


@pytest.fixture
def loggers() -> Iterator[None]:
    names = [*guard._VERBOSE_LOGGERS, guard._ACCESS_LOGGER]
    kept = [(log := logging.getLogger(n), log.level, [*log.filters]) for n in names]
    for log, *_ in kept:
        log.filters = []  # searches mute httpx for good, once one was made
    yield
    for log, level, filters in kept:
        log.level, log.filters = level, filters
        log.manager._clear_cache()


@pytest.mark.usefixtures("loggers")
@pytest.mark.parametrize(
    "name", ["httpx", "httpx2", "openai._base_client", "uvicorn.access"]
)
def test_quiet(caplog: pytest.LogCaptureFixture, name: str) -> None:
    """Libraries that log addresses and bodies are heard from WARNING on only."""
    guard._quiet_logs()
    logging.getLogger("uvicorn.access").setLevel(logging.DEBUG)  # as uvicorn does

    logging.getLogger(name).info("GET /search?q=canary")
    logging.getLogger(name).warning("something is wrong")

    assert [r.getMessage() for r in caplog.records if r.name == name] == [
        "something is wrong"
    ]


MESSAGE = {"message": {"id": UUID, "output": "你好"}}


@pytest.mark.parametrize(
    ("event", "sent", "taken"),
    [
        ("client_message", MESSAGE, True),
        ("client_message", None, False),
        ("client_message", {}, False),
        ("client_message", {"message": None}, False),
        ("client_message", {"message": {"id": "1", "output": "x"}}, False),
        ("client_message", {"message": {"id": UUID, "output": 5}}, False),
        ("client_message", {"message": {"id": UUID1, "output": "x"}}, False),
        ("chat_settings_change", {"mode": "x" * 20_000}, False),
        ("chat_settings_change", {"mode": "chat"}, True),
        ("chat_settings_change", None, False),
        ("chat_settings_change", ["mode"], False),
        ("chat_settings_edit", "x", False),
        ("edit_message", {"message": {"id": UUID1, "output": "x"}}, False),
        ("edit_message", {"message": {"id": UUID}}, False),
    ],
    ids=str,
)
async def test_events(
    caplog: pytest.LogCaptureFixture, event: str, sent: Any, taken: bool
) -> None:
    """A well-formed event is handed on; any other is left out with a word."""
    got: list[Any] = []

    async def handler(_sid: str, payload: Any) -> None:
        got.append(payload)

    await guard.checked(handler, guard._EVENTS[event])("sid", sent)

    assert got == ([sent] if taken else [])
    assert ("left out" in caplog.text) is not taken


async def test_kept_of_a_message() -> None:
    """Chainlit gets what our page sends, short, and nothing that a stranger adds."""
    got: list[Any] = []

    async def handler(_sid: str, payload: Any) -> None:
        got.append(payload)

    message = {
        "id": UUID,
        "output": "x" * 30_000,
        "command": "联网搜索",
        "parentId": None,
    }
    odd = {"metadata": {"a": "x" * 10**6}, "name": "x" * 10**6, "type": ["user"]}
    odd["modes"] = {"x" * 10**6: "agent"}
    sent = {"message": message | odd, "fileReferences": [{"id": "7"}]}
    await guard.checked(handler, guard._EVENTS["client_message"])("sid", sent)

    assert got == [{"message": message | {"output": "x" * 21_000}}]


@pytest.mark.spec("S5")
async def test_edited_question(screen: Screen) -> None:
    """An edited question is shown, and taken like a new one."""
    got: list[Any] = []

    async def receive(sid: str, sent: Any) -> None:
        got.append((sid, sent))

    session = context.session
    ws_sessions_sid[session.socket_id] = session
    message = {"id": UUID, "output": "新", "name": "User", "type": "user_message"}
    await guard.edited(receive)(session.socket_id, {"message": message})
    await guard.edited(receive)("unknown", {"message": message})

    assert got == [(session.socket_id, {"message": message})]
    assert screen.messages == ["新"]


@pytest.mark.usefixtures("installed")
def test_no_other_event() -> None:
    """Events that our page does not need have no handler."""
    assert set(server.sio.handlers["/"]) == {*guard._EVENTS, *guard._LINE}
