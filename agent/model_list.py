"""Ask a model server which models it has."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from agent.settings import ModelSettings
from websearch.errors import SearchError
from websearch.http import Http

SECONDS: Final = 2.0
MOST: Final = 200

_LONGEST: Final = 200
# Models that can't hold a conversation, by the names that their makers give them.
_OTHERS: Final = re.compile(
    r"embed|bge-|minilm|\be5-|rerank|moderation|whisper|transcribe|tts|speech|audio"
    r"|realtime|dall-e|image|flux|stable-diffusion|sora|davinci|babbage",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Listed:
    """What the server answered: models that chat, or why there is no list."""

    names: tuple[str, ...] = ()
    is_there: bool = False
    is_refused: bool = False  # the key is not accepted
    is_list: bool = False

    @classmethod
    def of(cls, status: int, data: Any) -> "Listed":
        """The meaning of an answer."""
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return cls(is_there=True, is_refused=True)
        entries = data.get("data") if isinstance(data, dict) else None
        if status != HTTPStatus.OK or not isinstance(entries, list):
            return cls(is_there=True)
        return cls(tuple(_names(entries)), is_there=True, is_list=True)


async def listed(settings: ModelSettings) -> Listed:
    """The models of the server that *settings* name; it is not waited for long."""
    key = settings.api_key.get_secret_value() if settings.api_key else None
    http = Http()
    try:
        async with asyncio.timeout(SECONDS):
            reply = await http.get(
                f"{settings.base_url.url}/models",
                headers=settings.base_url.authorization(key),
            )
        data = reply.json() if reply.status == HTTPStatus.OK else None
    except (TimeoutError, SearchError):
        return Listed()
    finally:
        await http.aclose()
    return Listed.of(reply.status, data)


def _names(entries: Sequence[Any]) -> list[str]:
    """Names of models that chat, each once, in the order of the server."""
    names = (entry.get("id") for entry in entries if isinstance(entry, dict))
    known = (n for n in names if isinstance(n, str) and 0 < len(n) <= _LONGEST)
    return [*dict.fromkeys(n for n in known if not _OTHERS.search(n))][:MOST]
