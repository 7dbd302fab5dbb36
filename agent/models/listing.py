"""Ask a model server which models it has, by the way its answers come."""

import asyncio
import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from agent.models.settings import ModelSettings

SECONDS: Final = 2.0
MOST: Final = 200  # to choose from

_MAX_BYTES: Final = 5_000_000
_LONGEST: Final = 200
# Models that can't hold a conversation, by the names that their makers give them.
_OTHERS: Final = re.compile(
    r"embed|\bbge-|minilm|\be5-|rerank|moderation|whisper|transcribe|\btts\b|\bdall-e"
    r"|realtime|-image\b|\bstable-diffusion|\bsora\b|^davinci|^babbage",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Listed:
    """What the server answered: the names of its models, or why there are none."""

    names: tuple[str, ...] = ()
    is_there: bool = False
    is_refused: bool = False  # the key is not accepted
    is_list: bool = False

    @classmethod
    def of(cls, status: int, body: bytes) -> "Listed":
        """The meaning of an answer; 403 may be said of the list alone."""
        if status == HTTPStatus.UNAUTHORIZED:
            return cls(is_there=True, is_refused=True)
        entries = _entries(body) if status == HTTPStatus.OK else None
        if entries is None:
            return cls(is_there=True)
        return cls(tuple(_names(entries)), is_there=True, is_list=True)

    @property
    def offered(self) -> tuple[str, ...]:
        """Models that chat, as many as anybody can choose from."""
        return tuple(name for name in self.names if not _OTHERS.search(name))[:MOST]

    def named(self, name: str) -> str | None:
        """The model that *name* means; Ollama's names may leave out `:latest`."""
        meant = (name, f"{name}:latest")
        return next((one for one in meant if one in self.names), None)


async def listed(settings: ModelSettings) -> Listed:
    """The models of the server that *settings* name; it is not waited for long."""
    # In a thread: it takes half a second to load, for the first who asks.
    openai = await asyncio.to_thread(importlib.import_module, "openai")
    key = settings.api_key.get_secret_value() if settings.api_key else None
    url, headers = settings.base_url.url, settings.base_url.authorization(key)
    try:
        async with (
            asyncio.timeout(SECONDS),
            # As answers come: a proxy of the environment is used for both, or neither.
            openai.DefaultAsyncHttpxClient(trust_env=settings.trusts_proxies) as client,
            client.stream("GET", f"{url}/models", headers=headers) as answer,
        ):
            body = bytearray()
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > _MAX_BYTES:
                    return Listed(is_there=True)
            return Listed.of(answer.status_code, bytes(body))
    except Exception:  # noqa: BLE001  whatever a server can cause: it can't be reached
        return Listed()


def _entries(body: bytes) -> list[Any] | None:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    entries = data.get("data") if isinstance(data, dict) else None
    return entries if isinstance(entries, list) else None


def _names(entries: Sequence[Any]) -> list[str]:
    """Names that can be shown, each once, in the order of the server."""
    ids = [entry.get("id") for entry in entries if isinstance(entry, dict)]
    names = [one for one in ids if isinstance(one, str) and _is_name(one)]
    return [*dict.fromkeys(names)]


def _is_name(name: str) -> bool:
    return len(name) <= _LONGEST and name.isprintable() and bool(name.strip())
