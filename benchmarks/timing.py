"""Compare clients on a noisy machine: they take turns, and the best round counts."""

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
    Milliseconds that a call of each client takes by *clock*: the minimum of rounds.

    Noise only ever adds time, so the minimum is the steadiest figure.
    """
    best = dict.fromkeys(clients, float("inf"))
    for call in clients.values():
        await _repeat(call, calls)
    gc.collect()
    gc.freeze()  # objects of other benchmarks would slow the garbage collector down
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
    """Format the times for the details of a figure."""
    return ", ".join(f"{name} {taken:.2f} ms" for name, taken in times.items())


async def _repeat(call: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        answer = call()
        if inspect.isawaitable(answer):
            await answer


def _turned(names: list[str], by: int) -> list[str]:
    """Begin each round with another client, so that the order favours none."""
    by %= len(names)
    return names[by:] + names[:by]
