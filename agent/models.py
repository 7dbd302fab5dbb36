"""Make the language model that the settings name."""

import asyncio
from typing import TYPE_CHECKING

from agent.settings import ModelSettings

if TYPE_CHECKING:
    from agent.chat_openai import CompatChatOpenAI

_NO_KEY = "no-key"  # servers without keys want the header all the same


class Model:
    """The configured model, made beside the start: its libraries take half a second."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._made: asyncio.Task[CompatChatOpenAI] | None = None

    async def load(self) -> "CompatChatOpenAI":
        """The chat model; made once, in a thread."""
        if self._made is None:
            making = asyncio.to_thread(create_model, self._settings)
            self._made = asyncio.create_task(making)
        # Shielded: a stopped answer must not take the model from the next one.
        try:
            return await asyncio.shield(self._made)
        except Exception:
            self._made = None  # the next question tries again
            raise

    async def aclose(self) -> None:
        """Let go of its connections."""
        if self._made is None:
            return
        if not self._made.done():
            self._made.cancel()
        elif self._made.exception() is not None:
            return
        elif (client := self._made.result().http_async_client) is not None:
            await client.aclose()


def create_model(settings: ModelSettings) -> "CompatChatOpenAI":
    """A chat model with connections of its own."""
    # Heavy: these take half a second, and a search needs neither.
    import openai  # noqa: PLC0415

    from agent.chat_openai import CompatChatOpenAI  # noqa: PLC0415

    return CompatChatOpenAI(
        model=settings.model,
        base_url=settings.base_url.url,
        api_key=settings.api_key or _NO_KEY,  # type: ignore[arg-type]  # text will do
        timeout=settings.timeout_s,
        # The client's own read timeout does the same, and this one can swallow a stop:
        # asyncio.wait_for, before Python 3.12, where a chunk comes at that moment.
        stream_chunk_timeout=0,
        max_retries=1,
        stream_usage=settings.stream_usage,
        use_responses_api=False,
        default_headers=settings.base_url.authorization(None) or None,
        # Otherwise a client is shared by the whole process, across event loops.
        http_async_client=openai.DefaultAsyncHttpxClient(),
    )
