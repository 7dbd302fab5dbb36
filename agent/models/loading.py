"""Load a language model and the agent around it, in a thread and only once."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from agent.models.settings import ModelSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from agent.agent_mode.graph import Agent
    from agent.models.openai_compat import CompatChatOpenAI

T = TypeVar("T")

_NO_KEY = "no-key"  # servers without keys still require the header


class Model:
    """
    A model of a server, loaded in the background because its libraries take seconds.

    Without settings there is none, and the built-in answerer quotes search results.
    """

    def __init__(self, settings: ModelSettings | None) -> None:
        self.name = settings.model if settings else ""
        self.is_built_in = settings is None
        self._chat: Once[CompatChatOpenAI] = Once(lambda: create_model(settings))
        self._agent: Once[Agent] | None = None
        # False once the server has refused tools, because each answer would fail again
        self.takes_tools = True

    async def load(self) -> "BaseChatModel":
        """The chat model."""
        return await self._chat.get()

    async def load_agent(self) -> "Agent":
        """The agent around the chat model."""
        chat = await self._chat.get()

        def create() -> "Agent":
            # Takes more than a second.
            from agent.agent_mode.graph import create_graph  # noqa: PLC0415

            return create_graph(chat)

        if self._agent is None:
            self._agent = Once(create)
        return await self._agent.get()

    async def aclose(self) -> None:
        """Cancel loading, and close its connections."""
        if self._agent is not None:
            self._agent.cancel()
        chat = self._chat.cancel()
        if chat is not None and chat.http_async_client is not None:
            await chat.http_async_client.aclose()


class Once(Generic[T]):
    """A value that is made once, in a thread, at the first request."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._task: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Make or wait for the value; after a failure the next call tries again."""
        if self._task is None:
            self._task = asyncio.create_task(asyncio.to_thread(self._make))
        try:
            # Shielded: a stopped answer must not cancel the loading for the next one.
            return await asyncio.shield(self._task)
        except Exception:
            self._task = None
            raise

    def cancel(self) -> T | None:
        """Stop making the value; return it where it is made already."""
        if self._task is None or self._task.cancel() or self._task.cancelled():
            return None
        return None if self._task.exception() else self._task.result()


def create_model(settings: ModelSettings | None) -> "CompatChatOpenAI":
    """Make a chat model with its own connections."""
    if settings is None:
        raise RuntimeError("no model is set up; ask is_built_in before")
    # These take half a second to load, and a search does not need them.
    import openai  # noqa: PLC0415

    from agent.models.openai_compat import CompatChatOpenAI  # noqa: PLC0415

    address = settings.base_url
    return CompatChatOpenAI(
        model=settings.model,
        base_url=address.url,
        api_key=settings.api_key or _NO_KEY,  # type: ignore[arg-type]  # text will do
        timeout=settings.timeout_s,
        # `openai_compat` has its own timeout. This one uses asyncio.wait_for, which
        # before Python 3.12 swallows a cancellation if a chunk arrives with it.
        stream_chunk_timeout=0,
        max_retries=1,
        stream_usage=settings.stream_usage,
        use_responses_api=False,
        # By default one client is shared by the whole process, across event loops.
        # Credentials are passed as `auth`: headers would show them in a repr.
        http_async_client=openai.DefaultAsyncHttpxClient(
            auth=(address.user or "", address.password or "")
            if address.has_credentials
            else None,
            trust_env=settings.trusts_proxies,
        ),
    )
