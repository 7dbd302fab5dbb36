"""Turns in the order of asking, for tasks and threads."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent.agent_mode.tickets import Tickets


async def _work(tickets: Tickets, number: int, seconds: float, done: list[int]) -> None:
    with tickets.take() as ticket:
        await asyncio.sleep(seconds)
        await ticket.turn()
        done.append(number)


async def test_order() -> None:
    """Whoever began first comes first, however long his work takes."""
    tickets, done = Tickets(), list[int]()

    await asyncio.gather(
        *(_work(tickets, n, 0.02 - n / 200, done) for n in range(4)),
    )

    assert done == [0, 1, 2, 3]


async def test_failure() -> None:
    """One who fails or gives up lets nobody overtake, and holds nobody up."""
    tickets, done = Tickets(), list[int]()

    async def fail() -> None:
        with tickets.take():
            raise ValueError

    slow = asyncio.create_task(_work(tickets, 0, 0.03, done))
    given_up = asyncio.create_task(_work(tickets, 1, 9, done))
    failing = asyncio.create_task(fail())
    last = asyncio.create_task(_work(tickets, 3, 0, done))
    await asyncio.sleep(0.005)
    given_up.cancel()
    await asyncio.wait([given_up, failing])
    assert done == []

    await asyncio.gather(slow, last)

    assert done == [0, 3]
    assert isinstance(failing.exception(), ValueError)


async def test_giving_up_while_waiting() -> None:
    """One who is cancelled while he waits for his turn takes nobody else's."""
    tickets, done = Tickets(), list[int]()
    slow = asyncio.create_task(_work(tickets, 0, 0.03, done))
    waiting = asyncio.create_task(_work(tickets, 1, 0, done))
    last = asyncio.create_task(_work(tickets, 2, 0, done))
    await asyncio.sleep(0.005)

    waiting.cancel()
    await asyncio.wait([waiting])
    assert done == []
    await asyncio.gather(slow, last)

    assert done == [0, 2]


def test_threads() -> None:
    """Threads wait for their turn as tasks do."""
    tickets, done, began = Tickets(), list[int](), threading.Event()

    def first() -> None:
        with tickets.take() as ticket:
            began.set()
            threading.Event().wait(0.02)
            ticket.wait()
            done.append(0)

    def second() -> None:
        began.wait()
        with tickets.take() as ticket:
            ticket.wait()
            done.append(1)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda work: work(), [first, second]))

    assert done == [0, 1]


async def test_on_a_loop() -> None:
    """Waiting like a thread on a loop's own thread would stop those waited for."""
    tickets, done = Tickets(), list[int]()
    slow = asyncio.create_task(_work(tickets, 0, 0.01, done))
    await asyncio.sleep(0)

    with tickets.take() as ticket:
        ticket.wait()

    await slow
    assert done == [0]


@pytest.mark.parametrize("count", [1_000])
async def test_long_line(count: int) -> None:
    """A long line of people who left at once ends without deep recursion."""
    tickets, done = Tickets(), list[int]()
    first = asyncio.create_task(_work(tickets, 0, 0.01, done))
    await asyncio.sleep(0)
    for _ in range(count):
        with tickets.take():
            pass

    await _work(tickets, 1, 0, done)

    await first
    assert done == [0, 1]
