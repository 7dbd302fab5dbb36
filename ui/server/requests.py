"""What a request may be: a route of the page, a small body, sent in time."""

import asyncio
import logging
import re
import traceback
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.access import REQUEST

# The page sends names of buttons and of settings; questions come over its WebSocket.
MAX_BODY: Final = 100_000
BODY_SECONDS: Final = 10.0

# What Chainlit's page and ours ask for. Everything else that Chainlit serves (uploads,
# threads, feedback, elements, MCP, its API's description) does not exist here.
_READ: Final = re.compile(
    r"/|/(?:public|assets|avatars|help|project/file)/.+"
    r"|/(?:favicon|logo|health|user|auth/config|setup|manifest\.json|opensearch\.xml)"
    r"|/project/(?:translations|settings)"
)
_SENT: Final = frozenset(
    {"/project/action", "/set-session-cookie", "/logout", "/setup"}
)
_READING: Final = frozenset({"GET", "HEAD"})
# Chainlit raises these for requests that are malformed, as our code might by mistake.
_MALFORMED: Final = (ValueError, TypeError, LookupError, AttributeError)

logger = logging.getLogger(__name__)


class RequestLimits:
    """
    Middleware: refuse unknown routes, large or slow bodies, malformed requests.

    Where *is_full* says so, a page that would open one session too many is told to
    come again.
    """

    def __init__(
        self,
        app: ASGIApp,
        root_path: str = "",
        is_full: Callable[[], bool] = lambda: False,
    ) -> None:
        self.app = app
        self.root_path = root_path
        self.is_full = is_full

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with its refusal."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not self._is_served(scope["method"], scope["path"]):
            await PlainTextResponse("Not found\n", 404)(scope, receive, send)
            return
        REQUEST.set(scope)
        path = scope["path"].removeprefix(self.root_path)
        if path in {"", "/"} and self.is_full():
            again = {"retry-after": "60"}
            answer = PlainTextResponse("The server is full\n", 503, headers=again)
            await answer(scope, receive, send)
            return
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            body = await _body(Headers(scope=scope), receive)
            await self.app(scope, _Replayed(body, receive), noted)
        except _GoneError:
            return
        except _RefusedError as refusal:
            answer = PlainTextResponse(refusal.words, refusal.status)
        except Exception as error:  # noqa: BLE001  nothing above may log its text
            trace = traceback.format_tb(error.__traceback__)
            name = type(error).__name__
            if isinstance(error, _MALFORMED):
                logger.warning("A request was refused: %s%s", name, trace[-1])
                answer = PlainTextResponse("The request is malformed\n", 400)
            else:
                logger.error("A request failed: %s\n%s", name, "".join(trace))  # noqa: TRY400
                answer = PlainTextResponse("The server failed\n", 500)
        else:
            return
        if not has_begun:
            answer.headers["connection"] = "close"
            await answer(scope, receive, send)

    def _is_served(self, method: str, path: str) -> bool:
        path = path.removeprefix(self.root_path) or "/"
        if "\0" in path:
            return False
        return bool(_READ.fullmatch(path)) if method in _READING else path in _SENT


class _RefusedError(Exception):
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class _GoneError(Exception):
    """The visitor hung up."""


async def _body(headers: Headers, receive: Receive) -> bytes:
    """The whole body, which is small; nothing of a large one is kept."""
    too_large = _RefusedError(413, f"A request may have {MAX_BODY} bytes\n")
    announced = headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > MAX_BODY:
        raise too_large
    body, has_more = b"", announced != "0" or "transfer-encoding" in headers
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while has_more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _GoneError
                body += message.get("body", b"")
                has_more = message.get("more_body", False)
                if len(body) > MAX_BODY:
                    raise too_large
    except TimeoutError:
        raise _RefusedError(408, "The request came too slowly\n") from None
    return body


class _Replayed:
    """Gives the body that was read, and then what the connection tells."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}
