"""The whole app: first token, streaming, the settings panel, cold start."""

import asyncio
import time
from contextlib import ExitStack, aclosing
from statistics import median, quantiles
from typing import Any, Final

from agent.events import Token
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.resources import Resources
from agent.session import Session
from agent.settings import AgentSettings
from benchmarks.chat_apps.browser import painted, toggled
from benchmarks.chat_apps.client import BARE, tabs
from benchmarks.chat_apps.running import LANGUAGE, bare, running
from benchmarks.result import Figure
from benchmarks.search import QUERY
from benchmarks.servers import ROOT, serving
from benchmarks.timing import best_of
from citations import Source
from ui.answer.markup import Markup
from ui.answer.sources import AnswerSources
from ui.answer.streaming import Coalescer
from ui.panel.pickers import How
from websearch import create_service

_SHORT, _LONG = 40, 2_000  # tokens of an answer
_QUESTIONS: Final = 40
_WARM_UP: Final = 4
_TOGGLES: Final = 24
_STARTS: Final = 3
_PAINTS: Final = 7
_SOURCES: Final = {
    n: Source(n, f"Page {n}", f"https://page{n}.example/") for n in range(1, 6)
}


def first_token() -> Figure:
    """
    Time from a message to its first visible token, relative to a bare Chainlit app.

    Both search the same fake SearXNG once for each question and stream the same model;
    these servers answer at once. The bare app is `chat_apps/echo.py`: pooled clients,
    no panel, no steps, no links. Each question has its own tab, opened before, because
    the bare app keeps no history. The apps take turns; medians are compared.
    """
    with ExitStack() as stack:
        search = stack.enter_context(serving("searxng"))
        model = f"{stack.enter_context(serving('model'))}/{_SHORT}/v1"
        echo = stack.enter_context(bare("echo"))
        ours = stack.enter_context(running(search, model))
        base = stack.enter_context(running(search, model, echo))
        return asyncio.run(_first_token(ours.url, base.url))


async def _first_token(ours_url: str, bare_url: str) -> Figure:
    count = _WARM_UP + _QUESTIONS
    async with tabs(ours_url, count) as ours, tabs(bare_url, count, BARE) as base:
        times: dict[str, list[float]] = {"ours": [], "bare": []}
        for number in range(count):
            asked = [("ours", ours[number]), ("bare", base[number])]
            for name, tab in asked[:: 1 if number % 2 else -1]:
                # The page sends what is picked in the composer with each message.
                taken = await tab.ask(f"{QUERY} {number}", How.QUICK)
                if taken is None:
                    raise RuntimeError(f"{name}: no token came")
                times[name].append(taken)
    steps = [step for tab in ours for step in tab.steps]
    found = [step for step in steps if "条结果" in step and "缓存" not in step]
    if len(found) != count:
        raise RuntimeError(f"ours searched {len(found)} times of {count}")
    mine, theirs = (median(taken[_WARM_UP:]) for taken in times.values())
    return Figure(mine / theirs, f"median: ours {mine:.1f} ms, bare {theirs:.1f} ms")


def stream_rate() -> Figure:
    """
    Tokens per second of a stream of 2,000, relative to LangChain's bare `astream`.

    Ours is `Session.ask` (Chat mode, search off), linking with `Markup.feed`, and a
    `Coalescer` that sends to nobody. Bare is a plain `ChatOpenAI` whose chunks are
    thrown away. The details also show our chat model alone (`reader`).
    """
    with serving("model") as url:
        return asyncio.run(_stream_rate(f"{url}/{_LONG}/v1"))


async def _stream_rate(base_url: str) -> Figure:
    chosen = {"OPENAI_BASE_URL": base_url, "OPENAI_MODEL": "bench"}
    settings, model_settings = AgentSettings.load(), ModelSettings(**chosen)  # type: ignore[arg-type]  # parsed from text
    models = Models(model_settings)
    shared = Resources(models, create_service(settings), settings)
    reader, bare = (
        await models.default.load(),
        await asyncio.to_thread(_plain_chat, base_url),
    )

    async def ours() -> None:
        sources = AnswerSources(LANGUAGE)
        sources.recall(_SOURCES)
        markup = Markup(LANGUAGE, sources)
        stream = Coalescer(_discard)
        read = 0
        async with aclosing(Session(shared).ask(QUERY)) as events:
            async for event in events:
                if isinstance(event, Token):
                    read += 1
                    await stream.add(markup.feed(event.text))
        await stream.flush()
        _check(read)

    async def stream_of(chat: Any) -> None:
        read = 0
        async for chunk in chat.astream([("user", QUERY)]):
            read += bool(chunk.text)
        _check(read)

    clients = {
        "ours": ours,
        "bare": lambda: stream_of(bare),
        "reader": lambda: stream_of(reader),
    }
    times = await best_of(clients, time.perf_counter, rounds=10, calls=1)
    await shared.aclose()
    await bare.http_async_client.aclose()
    rates = {name: _LONG / taken * 1000 for name, taken in times.items()}
    each = ", ".join(f"{name} {rate:.0f}" for name, rate in rates.items())
    return Figure(rates["ours"] / rates["bare"], f"tokens/s: {each}")


def settings_confirm() -> Figure:
    """
    Milliseconds from the click on the panel's button to the toast that confirms it.

    Measured in Chromium by the page's own clock, from the click event to the mutation
    that adds the toast. The 95th percentile.
    """
    with serving("searxng") as search, serving("model") as model:  # noqa: SIM117  the last needs both addresses
        with running(search, f"{model}/{_SHORT}/v1") as app:
            times = toggled(app.url, _TOGGLES)
    late = quantiles(times, n=20, method="inclusive")[-1]
    middle, worst = median(times), max(times)
    return Figure(late, f"{len(times)} times: p50 {middle:.0f} ms, max {worst:.0f} ms")


def first_paint() -> Figure:
    """
    Time until something stands there on a slow line, relative to one line of text.

    The line has 1.6 Mbit/s and takes 300 ms for each request, the browser has nothing
    kept; both pages come from our app: `/`, and `/health`. The medians are compared.
    """
    with serving("searxng") as search, serving("model") as model:  # noqa: SIM117  the last needs both addresses
        with running(search, f"{model}/{_SHORT}/v1") as app:
            times = painted([f"{app.url}/", f"{app.url}/health"], _PAINTS)
    ours, base = (median(taken) for taken in zip(*times, strict=True))
    return Figure(ours / base, f"{_PAINTS} times: p50 {ours:.0f} ms, {base:.0f} ms")


def cold_start() -> Figure:
    """
    Time from the start of the process to a usable page, relative to an empty app.

    Usable means: /health and / answer 200, and the socket accepts a tab. The empty app
    is `chat_apps/empty.py`: one handler that does nothing. The minimum of each.
    """
    times: dict[str, list[float]] = {"ours": [], "empty": []}
    with serving("searxng") as search, serving("model") as url, bare("empty") as empty:
        model = f"{url}/{_SHORT}/v1"
        for _ in range(_STARTS):
            for name, folder in (("empty", empty), ("ours", ROOT)):
                started = time.perf_counter()
                with running(search, model, folder):
                    times[name].append(time.perf_counter() - started)
    ours, base = min(times["ours"]), min(times["empty"])
    return Figure(ours / base, f"minimum: ours {ours:.2f} s, empty {base:.2f} s")


def _plain_chat(base_url: str) -> Any:
    # Takes half a second to load, which only this benchmark needs.
    import openai  # noqa: PLC0415
    from langchain_openai import ChatOpenAI  # noqa: PLC0415

    return ChatOpenAI(
        model="bench",
        base_url=base_url,
        api_key="no-key",  # type: ignore[arg-type]  # text will do
        stream_chunk_timeout=0,  # as ours
        stream_usage=True,
        http_async_client=openai.DefaultAsyncHttpxClient(),
    )


async def _discard(_piece: str) -> None:
    """Send a piece to no page."""


def _check(read: int) -> None:
    if read != _LONG:
        raise RuntimeError(f"{read} tokens of {_LONG}")
