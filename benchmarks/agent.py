"""Agent mode compared with a plain loop: one turn, many at once, parallel searches."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, aclosing, asynccontextmanager
from statistics import median
from typing import Final

from agent import Mode, Session
from agent.events import Answer, Event, SearchFinished, SearchStarted
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.resources import Resources
from agent.settings import AgentSettings
from benchmarks.plain_agent import PlainAgent
from benchmarks.result import Figure
from benchmarks.search import QUERY
from benchmarks.servers import serving
from benchmarks.timing import best_of
from websearch import create_service

_TOKENS: Final = 50
_TURNS: Final = 60
_WARM_UP: Final = 10
_AT_ONCE: Final = 100
_ROUNDS: Final = 5
_SEARCHES: Final = 4
_TIMES: Final = 15

Ask = Callable[[], Awaitable[None]]


def turn() -> Figure:
    """
    Time of an answer with one search and 50 tokens, as a multiple of a plain loop's.

    Both use the same fake SearXNG and model server, which answer at once, and are warm.
    The loop is `plain_agent.py`: the model's client without a framework. Each turn is
    the first of its session and has a new query. They take turns; medians are compared.
    """
    return asyncio.run(_compare(_turn))


def concurrent() -> Figure:
    """
    Answers per second with 100 at once, relative to the plain loop; the best round.

    As in `turn`; the time includes the creation of the sessions.
    """
    return asyncio.run(_compare(_concurrent))


def parallel() -> Figure:
    """
    Milliseconds from the start of the first of four searches to the end of the last.

    The model calls for them in one step, and each takes the server 200 ms. The median.
    """
    with serving("searxng", "0.2") as search, serving("model") as model:
        return asyncio.run(_parallel(search, f"{model}/{_TOKENS}-{_SEARCHES}/v1"))


async def _compare(measure: Callable[[Mapping[str, Ask]], Awaitable[Figure]]) -> Figure:
    with ExitStack() as stack:
        search = stack.enter_context(serving("searxng"))
        model = f"{stack.enter_context(serving('model'))}/{_TOKENS}-1/v1"
        plain = PlainAgent(search, model)
        async with resources(search, model) as shared:

            async def ours() -> None:
                events = [event async for _, event in answer(shared)]
                _check(events, searches=1)

            async def loop() -> None:
                pieces = await plain.ask(QUERY)
                if len(pieces) != _TOKENS:
                    raise RuntimeError(f"{len(pieces)} tokens of {_TOKENS}")

            figure = await measure({"ours": ours, "plain": loop})
        await plain.aclose()
        return figure


async def _turn(clients: Mapping[str, Ask]) -> Figure:
    times: dict[str, list[float]] = {name: [] for name in clients}
    for number in range(_WARM_UP + _TURNS):
        for name in list(clients)[:: 1 if number % 2 else -1]:
            started = time.perf_counter()
            await clients[name]()
            times[name].append((time.perf_counter() - started) * 1000)
    mine, theirs = (median(taken[_WARM_UP:]) for taken in times.values())
    return Figure(mine / theirs, f"median: ours {mine:.1f} ms, plain {theirs:.1f} ms")


async def _concurrent(clients: Mapping[str, Ask]) -> Figure:
    def many(ask: Ask) -> Ask:
        async def at_once() -> None:
            await asyncio.gather(*(ask() for _ in range(_AT_ONCE)))

        return at_once

    crowds = {name: many(ask) for name, ask in clients.items()}
    times = await best_of(crowds, time.perf_counter, rounds=_ROUNDS, calls=1)
    rates = {name: _AT_ONCE / taken * 1000 for name, taken in times.items()}
    each = ", ".join(f"{name} {rate:.0f}" for name, rate in rates.items())
    return Figure(rates["ours"] / rates["plain"], f"answers/s: {each}")


async def _parallel(search: str, model: str) -> Figure:
    taken: list[float] = []
    async with resources(search, model) as shared:
        for _ in range(_TIMES):
            came = [pair async for pair in answer(shared)]
            _check([event for _, event in came], searches=_SEARCHES)
            begun = min(at for at, event in came if isinstance(event, SearchStarted))
            ended = max(at for at, event in came if isinstance(event, SearchFinished))
            taken.append((ended - begun) * 1000)
    middle, worst = median(taken), max(taken)
    return Figure(middle, f"{len(taken)} times: p50 {middle:.0f} ms, max {worst:.0f}")


@asynccontextmanager
async def resources(search: str, model: str) -> AsyncIterator[Resources]:
    """The resources that sessions share, with the agent loaded."""
    chosen = {"WEB_SEARCH_BACKEND": "searxng", "SEARXNG_BASE_URL": search}
    settings = AgentSettings(**chosen)  # type: ignore[arg-type]  # parsed from text
    named = {"OPENAI_BASE_URL": model, "OPENAI_MODEL": "bench"}
    model_settings = ModelSettings(**named)  # type: ignore[arg-type]
    models = Models(model_settings)
    shared = Resources(models, create_service(settings), settings)
    await shared.load_agent()
    try:
        yield shared
    finally:
        await shared.aclose()


async def answer(shared: Resources) -> AsyncIterator[tuple[float, Event]]:
    """Events of a new session's first answer, each with its arrival time."""
    session = Session(shared)
    session.choose(Mode.AGENT, search=False)
    async with aclosing(session.ask(QUERY)) as events:
        async for event in events:
            yield time.perf_counter(), event


def _check(events: list[Event], *, searches: int) -> None:
    found = [e for e in events if isinstance(e, SearchFinished) and not e.cached]
    if len(found) != searches or not isinstance(events[-1], Answer):
        raise RuntimeError(f"{len(found)} searches of {searches}, then {events[-1]}")
