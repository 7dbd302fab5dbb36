"""The optional package is not touched unless a page is rendered."""

from support.command import run_code

CODE = """
import asyncio, sys
from websearch import SearchError, create_reader, create_service

async def main():
    for backend in ("google", "stub"):
        service = create_service(backend=backend)
        if backend == "stub":
            await service.asearch("weather")
        await service.aclose()
    await create_reader().aclose()

asyncio.run(main())
print([name for name in sys.modules if name.partition(".")[0] == "playwright"])
"""


def test_nothing_imported() -> None:
    """Services that could use a browser import nothing of Playwright until they do."""
    assert run_code(CODE) == "[]\n"
