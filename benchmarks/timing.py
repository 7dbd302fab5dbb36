"""Compare clients fairly on a noisy machine: turn by turn, the best round counts."""

import gc
import inspect
from collections.abc import Callable, Mapping
from typing import Any


async def best_of(
    clients: Mapping[str, Callable[[], Any]],
    clock: Callable[[], float],
    *,
    rounds: int,
    calls: int,
) -> dict[str, float]:
    """
    Milliseconds a call of each client takes by *clock*: the minimum of all rounds.

    Noise only ever adds time, so the minimum is the steadiest figure.
    """
    best = dict.fromkeys(clients, float("inf"))
    for call in clients.values():
        await _repeat(call, calls)
    gc.collect()
    gc.freeze()  # modules of other benchmarks must not slow the collector down here
    try:
        for number in range(rounds):
            for name in _turned(list(clients), number):
                started = clock()
                await _repeat(clients[name], calls)
                taken = (clock() - started) / calls * 1000
                best[name] = min(best[name], taken)
    finally:
        gc.unfreeze()
    return best


def shown(times: Mapping[str, float]) -> str:
    """The times as words."""
    return ", ".join(f"{name} {taken:.2f} ms" for name, taken in times.items())


async def _repeat(call: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        answer = call()
        if inspect.isawaitable(answer):
            await answer


def _turned(names: list[str], by: int) -> list[str]:
    """Each round begins with another client, so that no place is an advantage."""
    by %= len(names)
    return names[by:] + names[:by]
