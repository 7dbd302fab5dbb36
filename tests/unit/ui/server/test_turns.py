"""How answers share a process: so many at once, the others in a line."""

import asyncio
from contextlib import suppress

import pytest

from ui.server import turns
from ui.server.turns import LineIsFullError, Turns

pytestmark = pytest.mark.spec("N2")


class Visit:
    """An answer that takes its turn, and runs until it is let go."""

    def __init__(self, line: Turns, visitor: str) -> None:
        self.told: list[int] = []
        self.runs = False
        self.go = asyncio.Event()
        self.task = asyncio.create_task(self._answer(line, visitor))

    async def _answer(self, line: Turns, visitor: str) -> None:
        async def tell(before: int) -> None:
            self.told.append(before)

        async with line.turn(visitor, tell):
            self.runs = True
            try:
                await self.go.wait()
            finally:
                self.runs = False

    async def end(self, *, stop: bool = False) -> None:
        self.go.set()
        if stop:
            self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
        await settled()


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def running(visits: list[Visit]) -> str:
    return "".join("x" if visit.runs else "-" for visit in visits)


async def test_line() -> None:
    """Two run, the others learn their place, and each end lets the first one in."""
    line = Turns(2)
    visits = [Visit(line, str(n)) for n in range(5)]
    await settled()
    assert running(visits) == "xx---"
    assert [visit.told for visit in visits] == [[], [], [0], [1], [2]]

    await visits[0].end()
    assert running(visits) == "-xx--"
    assert visits[4].told == [2, 1]
    await visits[3].end(stop=True)  # who goes away leaves no gap
    assert visits[4].told == [2, 1, 0]
    await visits[2].end(stop=True)
    assert running(visits) == "-x--x"
    for visit in visits:
        await visit.end()
    assert running(visits) == "-----"


async def test_one_visitor() -> None:
    """A visitor takes half of the places, and does not hold up those behind."""
    line = Turns(4)
    visits = [Visit(line, visitor) for visitor in "aaaaab"]
    await settled()

    assert running(visits) == "xx---x"
    await visits[0].end()
    assert running(visits) == "-xx--x"
    for visit in visits:
        await visit.end()


async def test_one_person() -> None:
    """Whoever sits at this machine may have all turns."""
    line = Turns(4)
    visits = [Visit(line, "") for _ in range(5)]
    await settled()

    assert running(visits) == "xxxx-"
    for visit in visits:
        await visit.end()


@pytest.mark.parametrize(("most", "others"), [(1, 1), (2, 1), (3, 2), (20, 10)])
async def test_busy(most: int, others: int) -> None:
    """The server is busy from the moment that others have half of the turns."""
    line, seen = Turns(most), []
    visits = list[Visit]()
    for n in range(min(others + 1, most)):
        visits.append(Visit(line, str(n)))
        await settled()
        seen.append(line.is_busy())

    assert seen == [n >= others for n in range(len(visits))]
    for visit in visits:
        await visit.end()
    assert not line.is_busy()


async def test_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is too long takes nobody else."""
    monkeypatch.setattr(turns, "LONGEST_LINE", 1)
    line = Turns(1)
    visits = [Visit(line, str(n)) for n in range(2)]
    await settled()

    with pytest.raises(LineIsFullError):
        await Visit(line, "c").task
    for visit in visits:
        await visit.end()
    assert not line._line


async def test_at_random() -> None:
    """Whoever comes, goes and gives up, never too many run, and all come to an end."""
    line = Turns(3)
    most = 0

    async def answer(number: int) -> None:
        nonlocal most

        async def tell(_before: int) -> None:
            await asyncio.sleep(0)

        async with line.turn(str(number % 5), tell):
            most = max(most, line._running.total())
            for _ in range(number % 7):
                await asyncio.sleep(0)

    tasks = [asyncio.create_task(answer(n)) for n in range(80)]
    for n, task in enumerate(tasks):
        await asyncio.sleep(0)
        if n % 4 == 0:
            task.cancel()
    await asyncio.wait(tasks)

    assert most == 3
    assert not line._line
    assert not line._running
