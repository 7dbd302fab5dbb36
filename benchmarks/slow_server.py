"""The static SearXNG, with every answer late."""

import asyncio
from typing import Final

from benchmarks.page import page
from benchmarks.serve import head, serve

SECONDS: Final = 0.2


async def main() -> None:
    """Serve until standard input closes."""
    body = page()

    async def answer(_target: str, writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(SECONDS)
        writer.write(head(len(body)) + body)
        return True

    await serve(answer)


if __name__ == "__main__":
    asyncio.run(main())
