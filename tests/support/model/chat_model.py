"""A chat model as the app makes it, and the scripted server it talks to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from support.model.model_server import Brain, ModelServer, model_server

from agent.models.openai_compat import CompatChatOpenAI
from agent.models.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model and its server."""

    model: CompatChatOpenAI
    server: ModelServer

    async def ask(self, question: Any = "问", **more: Any) -> Any:
        """The answer, put together from its stream."""
        whole: Any = None
        async for chunk in self.model.astream(question, **more):
            whole = chunk if whole is None else whole + chunk
        return whole


@asynccontextmanager
async def chat_model(
    brain: Brain | None = None, **more: Any
) -> AsyncIterator[ChatModel]:
    """The model of *brain*, with its settings by their names in the environment."""
    with model_server(brain) as server:
        settings = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k", **more}
        model = CompatChatOpenAI.of(ModelSettings(**settings))
        try:
            yield ChatModel(model, server)
        finally:
            await model.http_async_client.aclose()
