"""Our app, sweeping each second, which also tells how many objects it holds."""

import gc
from typing import Final

import chainlit.server
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from benchmarks.servers import ROOT
from ui import lifecycle

SWEEP_SECONDS: Final = 1


async def objects(_request: Request) -> PlainTextResponse:
    """How many there are that the collector watches, after it has collected."""
    gc.collect()
    return PlainTextResponse(str(len(gc.get_objects())))


lifecycle.SWEEP_SECONDS = SWEEP_SECONDS  # type: ignore[misc]  # it is final to all others
chainlit.server.app.router.routes.insert(0, Route("/objects", objects))
exec(compile((ROOT / "app.py").read_text("utf-8"), ROOT / "app.py", "exec"))
