"""Our app, sweeping each second, which also tells how many objects it holds."""

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

# Timers of closed sockets ring in the void for up to a minute.
_RINGING: Final = (asyncio.TimerHandle, Context)


async def objects(_request: Request) -> PlainTextResponse:
    """How many there are that the collector watches, after it has collected."""
    gc.collect()
    # Not isinstance, for which proxies would load what they stand for.
    held = sum(type(one) not in _RINGING for one in gc.get_objects())
    return PlainTextResponse(str(held))


lifecycle.SWEEP_SECONDS = SWEEP_SECONDS  # type: ignore[misc]  # it is final to all others
chainlit.server.app.router.routes.insert(0, Route("/objects", objects))
exec(compile((ROOT / "app.py").read_text("utf-8"), ROOT / "app.py", "exec"))
