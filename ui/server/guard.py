"""
Secure Chainlit's server: hosts, origins, socket events, security headers, quiet logs.

The only module that changes semi-private parts of Chainlit: the socket's handlers, the
page's template, `config`. `self_test()` asks the server if every change is in effect.
"""

import functools
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

import httpx
from chainlit import server
from chainlit.auth import require_login
from chainlit.config import config
from chainlit.context import init_ws_context
from chainlit.session import WebsocketSession

from ui.server import headers
from ui.server.browser_id import BrowserId
from ui.texts import AUTO, BrowserLanguage

_MAX_EVENT: Final = 8_000_000
# Below WARNING these loggers write addresses with queries, messages and keys.
_VERBOSE_LOGGERS: Final = ("httpx", "httpx2", "httpcore2", "openai", "langsmith")
# Logs requested addresses. uvicorn resets its level later, so it gets a filter.
_ACCESS_LOGGER: Final = "uvicorn.access"
_PUBLIC: Final = (
    "Not started: {host} can be reached by other machines, and there is no login. "
    "Start it with HOST=127.0.0.1, or set ALLOW_PUBLIC_WITHOUT_LOGIN=true if everybody "
    "who can reach this machine may use it, your search server and your model's key."
)

Connect = Callable[..., Awaitable[bool | None]]
Handler = Callable[..., Awaitable[Any]]

logger = logging.getLogger(__name__)


def install(
    *,
    allowed_hosts: Iterable[str] = (),
    allow_public: bool = False,
    language: str = "zh-CN",
    title: str | None = None,
) -> None:
    """
    Secure Chainlit's server; call at import of the app, after its login callbacks.

    *language* is `zh-CN`, `en-US`, or `auto` for that of the browser.
    """
    host = config.run.host
    if not (headers.is_local(host) or allow_public or require_login()):
        raise SystemExit(_PUBLIC.format(host=host))
    config.ui.language = None if language == AUTO else language
    config.ui.name = title or config.ui.name
    if hasattr(server.app.state, "host_check"):
        return  # `chainlit run --watch` loads the app again; the hooks are in place
    _quiet_logs()
    hosts = headers.HostCheck.of([*allowed_hosts, host])
    server.app.state.host_check = hosts
    template = headers.PageTemplate(_language(), server.get_html_template)
    server.get_html_template = template.render
    server.app.add_middleware(BrowserId)
    if language == AUTO:
        server.app.add_middleware(BrowserLanguage)
    server.app.add_middleware(headers.SecurityHeaders, hosts=hosts, template=template)
    # By default a message over 1 MB drops the connection without an explanation.
    server.sio.eio.max_http_buffer_size = _MAX_EVENT
    server.sio.on("connect", guarded(server.sio.handlers["/"]["connect"], hosts))
    server.sio.on("stop", stop)
    for event, is_valid in _EVENTS.items():
        server.sio.on(event, checked(server.sio.handlers["/"][event], is_valid))


async def self_test() -> None:
    """Check that all changes are in effect; call it from `cl.on_app_startup`."""
    page = await _page("localhost")
    stranger = await _page("unknown.invalid")
    handlers = server.sio.handlers["/"]
    checks = {
        "the page": page.status_code == HTTPStatus.OK,
        "its policy": page.headers.get("content-security-policy")
        == headers.policy(page.text),
        "the words of its script": headers.WORDS in page.text,
        "the clean shell": headers.clean(page.text, language=_language()) == page.text,
        "the check of the host": stranger.status_code == HTTPStatus.MISDIRECTED_REQUEST,
        "the guard of the socket": await _refuses(handlers["connect"]),
        "the check of messages": not await _is_accepted(handlers["client_message"]),
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
        # With a profile's name Chainlit loads all profiles within each connect, in a
        # separate event loop; tabs that reconnect together would disconnect each other.
        return await connect(sid, environ, {**ids, "chatProfile": ""})

    return guard


def checked(handler: Handler, is_valid: Callable[[object], bool]) -> Handler:
    """Wrap *handler*: drop invalid events, for which Chainlit would show exceptions."""

    @functools.wraps(handler)
    async def check(sid: str, sent: object = None) -> Any:
        if is_valid(sent):
            return await handler(sid, sent)
        logger.warning("An event that our page does not send is left out")
        return None

    return check


def _is_message(sent: object) -> bool:
    message = sent.get("message") if isinstance(sent, dict) else None
    return (
        isinstance(message, dict)
        and isinstance(message.get("output"), str)
        and headers.is_uuid(message.get("id"))
    )


def _is_object(sent: object) -> bool:
    return isinstance(sent, dict)


_EVENTS: Final[Mapping[str, Callable[[object], bool]]] = {
    "client_message": _is_message,
    "edit_message": lambda _: False,  # switched off in .chainlit/config.toml
    "chat_settings_change": _is_object,
    "chat_settings_edit": _is_object,
}


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


def _language() -> str:
    return config.ui.language or ""


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


async def _page(host: str) -> httpx.Response:
    """The page, requested with *host* as Host header."""
    transport = httpx.ASGITransport(server.app)
    client = httpx.AsyncClient(transport=transport, base_url=f"http://{host}")
    async with client:
        return await client.get(f"{config.run.root_path}/")
