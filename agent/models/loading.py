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

_NO_KEY = "no-key"  # servers without keys want the header all the same


class Model:
    """
    A model of a server, loaded beside the start: its libraries take seconds.

    Without settings there is none, and the built-in answerer quotes search results.
    """

    def __init__(self, settings: ModelSettings | None) -> None:
        self.name = settings.model if settings else ""
        self.is_built_in = settings is None
        self._chat: Once[CompatChatOpenAI] = Once(lambda: create_model(settings))
        self._agent: Once[Agent] | None = None
        # Until its server refuses them: then each answer would fail the same way.
        self.takes_tools = True

    async def load(self) -> "BaseChatModel":
        """The chat model."""
        return await self._chat.get()

    async def load_agent(self) -> "Agent":
        """The agent around the chat model."""
        chat = await self._chat.get()
        if self._agent is None:
            self._agent = Once(lambda: create_agent_around(chat))
        return await self._agent.get()

    async def aclose(self) -> None:
        """Let go of its connections."""
        for making in (self._agent, self._chat):
            if making is not None:
                making.cancel()
        client = getattr(self._chat.made, "http_async_client", None)
        if client is not None:
            await client.aclose()


class Once(Generic[T]):
    """Something that is made at most once, in a thread, whoever asks for it first."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._task: asyncio.Task[T] | None = None

    @property
    def made(self) -> T | None:
        """What was made, where it was."""
        task = self._task
        if task is None or not task.done() or task.cancelled() or task.exception():
            return None
        return task.result()

    async def get(self) -> T:
        """What is made; a failure is tried again by the next who asks."""
        if self._task is None:
            self._task = asyncio.create_task(asyncio.to_thread(self._make))
        try:
            # Shielded: a stopped answer must not take the model from the next one.
            return await asyncio.shield(self._task)
        except Exception:
            self._task = None
            raise

    def cancel(self) -> None:
        """Wait for it no longer."""
        if self._task is not None:
            self._task.cancel()


def create_agent_around(chat: "BaseChatModel") -> "Agent":
    """The agent's graph; its libraries take more than a second."""
    from agent.agent_mode.graph import create_graph  # noqa: PLC0415  heavy

    return create_graph(chat)


def create_model(settings: ModelSettings | None) -> "CompatChatOpenAI":
    """A chat model with connections of its own."""
    if settings is None:
        raise RuntimeError("no model is set up; ask is_built_in before")
    # Heavy: these take half a second, and a search needs neither.
    import openai  # noqa: PLC0415

    from agent.models.openai_compat import CompatChatOpenAI  # noqa: PLC0415

    address = settings.base_url
    return CompatChatOpenAI(
        model=settings.model,
        base_url=address.url,
        api_key=settings.api_key or _NO_KEY,  # type: ignore[arg-type]  # text will do
        timeout=settings.timeout_s,
        # Our own stands in `chunks`, and this one can swallow a stop: it is made of
        # asyncio.wait_for, before Python 3.12, where a chunk comes at that moment.
        stream_chunk_timeout=0,
        max_retries=1,
        stream_usage=settings.stream_usage,
        use_responses_api=False,
        # Otherwise a client is shared by the whole process, across event loops. It
        # keeps the address's credentials, too: in headers, they would be in a repr.
        http_async_client=openai.DefaultAsyncHttpxClient(
            auth=(address.user or "", address.password or "")
            if address.has_credentials
            else None,
            trust_env=settings.trusts_proxies,
        ),
    )
