"""
Secure Chainlit's server: hosts, origins, socket events, security headers, quiet logs.

The only module that changes semi-private parts of Chainlit: the socket's handlers, the
page's template, `config`. `self_test()` asks the server if every change is in effect.
"""

import functools
import logging
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import httpx
from chainlit import server
from chainlit.auth import require_login
from chainlit.config import config, public_dir
from chainlit.context import init_ws_context
from chainlit.session import WebsocketSession
from starlette.routing import Route

from ui.server import connections, headers
from ui.server.browser_id import BrowserId
from ui.server.files import PageFiles
from ui.server.mirror import mirrored, replay
from ui.server.page import PageTemplate, clean, policy
from ui.server.requests import RequestLimits
from ui.server.sessions import UnusedSessions, is_full, make_room, own_files_folder
from ui.texts import AUTO, BrowserLanguage, page_language

# A pasted text may be larger than a question: it is answered by the limit's words.
_MAX_EVENT: Final = 2_000_000
_MAX_WORDS: Final = 21_000  # more than a command and its question may have
# Below WARNING these loggers write addresses with queries, messages and keys.
_VERBOSE_LOGGERS: Final = ("httpx", "httpx2", "httpcore2", "openai", "langsmith")
# Logs requested addresses. uvicorn resets its level later, so it gets a filter.
_ACCESS_LOGGER: Final = "uvicorn.access"
_PUBLIC: Final = (
    "Not started: {host} can be reached by other machines, and there is no login. "
    "Start it with HOST=127.0.0.1, or set ALLOW_PUBLIC_WITHOUT_LOGIN=true if everybody "
    "who can reach this machine may use it, your search server and your model's key."
)

_KEPT: Final = frozenset(
    {"id", "threadId", "parentId", "name", "type", "createdAt", "command"}
)
_MAX_FIELD: Final = 200
_MAX_SETTINGS: Final = 10_000
_MAX_PICKERS: Final = 10
_RANDOM: Final = 4  # the version of UUIDs that pages make

Connect = Callable[..., Awaitable[bool | None]]
Handler = Callable[..., Awaitable[Any]]

logger = logging.getLogger(__name__)


def install(
    *,
    allowed_hosts: Iterable[str] = (),
    allow_public: bool = False,
    language: str = AUTO,
    title: str | None = None,
    forget: Handler | None = None,
) -> None:
    """
    Secure Chainlit's server; call at import of the app, after its login callbacks.

    *language* is `zh-CN`, `en-US`, or `auto` for that of the browser; *forget* ends the
    conversation of a session that its page has given up.
    """
    host = config.run.host
    if not (headers.is_local(host) or allow_public or require_login()):
        raise SystemExit(_PUBLIC.format(host=host))
    config.ui.language = None if language == AUTO else language
    config.ui.name = title or config.ui.name
    if hasattr(server.app.state, "host_check"):
        return  # `chainlit run --watch` loads the app again; the hooks are in place
    _quiet_logs()
    connections.install()
    own_files_folder()
    hosts = headers.HostCheck.of([*allowed_hosts, host])
    server.app.state.host_check = hosts
    template = PageTemplate(
        language,
        server.get_html_template,
        Path(public_dir),
        name=config.ui.name,
        root_path=config.run.root_path,
    )
    server.app.router.routes[:0] = [
        Route(f"{config.run.root_path}/{path}", endpoint)
        for path, endpoint in {
            "": template.page,
            "manifest.json": template.manifest,
            "opensearch.xml": template.opensearch,
            "public/{name:path}": PageFiles(Path(public_dir)).serve,
            "assets/{name:path}": PageFiles(
                Path(server.build_dir, "assets"), hashed=True
            ).serve,
        }.items()
    ]
    server.app.add_middleware(BrowserId)
    if language == AUTO:
        server.app.add_middleware(BrowserLanguage)
    server.app.add_middleware(
        RequestLimits, root_path=config.run.root_path, is_full=is_full
    )
    server.app.add_middleware(headers.SecurityHeaders, hosts=hosts, template=template)
    # By default a message over 1 MB drops the connection without an explanation.
    server.sio.eio.max_http_buffer_size = _MAX_EVENT
    server.sio.on("connect", guarded(server.sio.handlers["/"]["connect"], hosts))
    server.sio.on(
        "connection_successful",
        greeted(server.sio.handlers["/"]["connection_successful"]),
    )
    server.sio.on("stop", stop)
    server.sio.on("edit_message", edited(server.sio.handlers["/"]["client_message"]))
    unused = UnusedSessions(server.sio.handlers["/"]["disconnect"], forget)
    server.sio.on("disconnect", unused.leave)
    for event, is_valid in _EVENTS.items():
        server.sio.on(event, checked(server.sio.handlers["/"][event], is_valid))
    for event in server.sio.handlers["/"].keys() - _EVENTS.keys() - _LINE:
        del server.sio.handlers["/"][event]


async def self_test() -> None:
    """Check that all changes are in effect; call it from `cl.on_app_startup`."""
    page = await _page("localhost")
    stranger = await _page("unknown.invalid")
    upload = await _page("localhost", "project/file")
    handlers = server.sio.handlers["/"]
    language = page_language(config.ui.language or AUTO, None)  # nobody asks for one
    checks = {
        "the page": page.status_code == HTTPStatus.OK,
        "its policy": page.headers.get("content-security-policy") == policy(page.text),
        "the words of its script": 'id="ws-words"' in page.text,
        "the clean shell": clean(page.text, language=language) == page.text,
        "the check of the host": stranger.status_code == HTTPStatus.MISDIRECTED_REQUEST,
        "the limits of requests": upload.status_code == HTTPStatus.NOT_FOUND,
        "the limits of connections": connections.is_installed(),
        "the end of unused sessions": handlers["disconnect"].__module__
        == UnusedSessions.__module__,
        "the guard of the socket": await _refuses(handlers["connect"]),
        "the check of messages": not await _is_accepted(handlers["client_message"]),
        "the check of edited questions": not await _is_accepted(
            handlers["edit_message"]
        ),
        "the silent stop": handlers["stop"].__module__ == __name__,
    }
    if missing := [name for name, is_met in checks.items() if not is_met]:
        raise RuntimeError(
            f"Not started unguarded, missing: {', '.join(missing)}. "
            "Chainlit may have changed: install the version of requirements.lock."
        )


def _quiet_logs() -> None:
    for name in _VERBOSE_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger(_ACCESS_LOGGER).addFilter(
        lambda record: record.levelno >= logging.WARNING
    )


def guarded(connect: Connect, hosts: headers.HostCheck) -> Connect:
    """Wrap *connect*: refuse foreign pages and malformed ids."""

    @functools.wraps(connect)
    async def guard(sid: str, environ: dict[str, Any], auth: object = None) -> Any:
        ids = auth if isinstance(auth, dict) else {}
        if not headers.is_uuid(ids.get("sessionId")):
            raise ConnectionRefusedError("session id")
        if ids.get("threadId") and not headers.is_uuid(ids["threadId"]):
            raise ConnectionRefusedError("thread id")
        if hosts.refusal(environ.get("HTTP_HOST", ""), environ.get("HTTP_ORIGIN")):
            raise ConnectionRefusedError("host or origin")
        if not await make_room(ids["sessionId"]):
            raise ConnectionRefusedError("the server is full")
        known = {"sessionId": ids["sessionId"], "threadId": ids.get("threadId")}
        # With a profile's name Chainlit loads all profiles within each connect, in a
        # separate event loop; tabs that reconnect together would disconnect each other.
        auth = {**known, "clientType": "webapp", "userEnv": None, "chatProfile": ""}
        is_connected = await connect(sid, environ, auth)
        if session := WebsocketSession.get(sid):
            mirrored(session)
        return is_connected

    return guard


def greeted(greet: Handler) -> Handler:
    """Wrap *greet*: a page whose line came back gets the newest exchange again."""

    @functools.wraps(greet)
    async def greet_again(sid: str, *sent: object) -> None:
        session = WebsocketSession.get(sid)
        known = session is not None and session.restored and session.chat_started
        if known and session.has_first_interaction:
            await replay(session)
        else:
            await greet(sid, *sent)

    return greet_again


def checked(handler: Handler, is_valid: Callable[[object], bool]) -> Handler:
    """Wrap *handler*: drop invalid events, for which Chainlit would show exceptions."""

    @functools.wraps(handler)
    async def check(sid: str, sent: object = None) -> Any:
        if is_valid(sent):
            return await handler(sid, shortened(sent))
        if is_valid is not _is_pick:  # any script of the browser can post messages
            logger.warning("An event that our page does not send is left out")
        return None

    return check


def edited(receive: Handler) -> Handler:
    """
    Take an edited question as *receive* takes a new one: its id tells which it was.

    Chainlit's own handler would remove messages while their answer is being written.
    """

    @functools.wraps(receive)
    async def edit(sid: str, sent: Any) -> None:
        if session := WebsocketSession.get(sid):
            init_ws_context(session)
            emit: Any = session.emit
            await emit("update_message", {**sent["message"]})
            await receive(sid, sent)

    return edit


def shortened(sent: Any) -> Any:
    """An event of which Chainlit may keep all; what is left out makes no question."""
    message = sent.get("message")
    if not isinstance(message, dict):
        return sent
    kept = {k: v for k, v in message.items() if k in _KEPT and _is_short(v)}
    if _is_choice(message.get("modes")):
        kept["modes"] = message["modes"]
    return {"message": {**kept, "output": message["output"][:_MAX_WORDS]}}


def _is_short(value: object) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= _MAX_FIELD)


def _is_message(sent: object) -> bool:
    message = sent.get("message") if isinstance(sent, dict) else None
    return (
        isinstance(message, dict)
        and isinstance(message.get("output"), str)
        and headers.is_uuid(message.get("id"))
        and uuid.UUID(message["id"]).version == _RANDOM
    )


def _is_object(sent: object) -> bool:
    return isinstance(sent, dict) and len(str(sent)) <= _MAX_SETTINGS


def _is_choice(sent: object) -> bool:
    """Tell if these may be options of the pickers by the pickers' ids."""
    return (
        isinstance(sent, dict)
        and len(sent) <= _MAX_PICKERS
        and all(isinstance(word, str) and _is_short(word) for word in sent.values())
        and all(map(_is_short, sent))
    )


def _is_pick(sent: object) -> bool:
    return _is_choice(sent) and sent.get("type") == "websearch:pick"  # type: ignore[attr-defined]


_EVENTS: Final[Mapping[str, Callable[[object], bool]]] = {
    "client_message": _is_message,
    "edit_message": _is_message,
    "chat_settings_change": _is_object,
    "chat_settings_edit": _is_object,
    "window_message": _is_pick,
}


_LINE: Final = frozenset(
    {"connect", "connection_successful", "clear_session", "disconnect", "stop"}
)


async def stop(sid: str) -> None:
    """Stop the answer without Chainlit's English message; `on_stop` shows ours."""
    session = WebsocketSession.get(sid)
    if session is None:
        return
    init_ws_context(session)
    if session.current_task:
        session.current_task.cancel()
    if config.code.on_stop:
        await config.code.on_stop()


async def _is_accepted(handler: Handler) -> bool:
    """Tell if an invalid message reaches Chainlit's handler."""
    try:
        return await handler("self-test", None) is not None
    except Exception:  # noqa: BLE001  Chainlit's own handler may raise anything
        return True


async def _refuses(connect: Connect) -> bool:
    try:
        await connect("self-test", {}, {})
    except ConnectionRefusedError as refusal:
        return str(refusal) == "session id"
    except KeyError:  # raised by Chainlit's own handler
        return False
    return False


async def _page(host: str, path: str = "") -> httpx.Response:
    """The page, or another *path*, requested with *host* as Host header."""
    transport = httpx.ASGITransport(server.app)
    client = httpx.AsyncClient(transport=transport, base_url=f"http://{host}")
    async with client:
        return await client.get(f"{config.run.root_path}/{path}")
