"""Our app with a sweep of sessions each second and a count of its objects."""

import asyncio
import gc
from contextvars import Context
from typing import Final

import chainlit.server
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from benchmarks.servers import ROOT
from ui.start import lifecycle

SWEEP_SECONDS: Final = 1

# Timers of closed sockets stay for up to a minute.
_TIMERS: Final = (asyncio.TimerHandle, Context)


async def objects(_request: Request) -> PlainTextResponse:
    """Count the objects that the garbage collector tracks, after a collection."""
    gc.collect()
    # Not isinstance, which would make lazy proxies load their modules.
    held = sum(type(one) not in _TIMERS for one in gc.get_objects())
    return PlainTextResponse(str(held))


lifecycle.SWEEP_SECONDS = SWEEP_SECONDS  # type: ignore[misc]  # final elsewhere
chainlit.server.app.router.routes.insert(0, Route("/objects", objects))
exec(compile((ROOT / "app.py").read_text("utf-8"), ROOT / "app.py", "exec"))
