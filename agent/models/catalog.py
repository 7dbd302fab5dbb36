"""The models that can answer: listed by their server, loaded at their first use."""

import asyncio
import importlib
import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from agent.causes import ModelState
from agent.models.settings import ModelSettings
from websearch.config import Rejection

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from agent.models.openai_compat import CompatChatOpenAI

T = TypeVar("T")

logger = logging.getLogger(__name__)

# Seconds until a list is fetched again: after a failure, and after a success.
RETRY_AFTER: Final = 5.0
EXPIRES_AFTER: Final = 300.0
FETCH_SECONDS: Final = 2.0
MOST_MODELS: Final = 200  # shown in the panel

_MAX_BYTES: Final = 5_000_000
_LONGEST_NAME: Final = 200
# Models that can't hold a conversation, by common parts of their names.
_NO_CHAT: Final = re.compile(
    r"embed|\bbge-|minilm|\be5-|rerank|moderation|whisper|transcribe|\btts\b|\bdall-e"
    r"|realtime|-image\b|\bstable-diffusion|\bsora\b|^davinci|^babbage",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ServerModels:
    """A server's response to a request for its models."""

    state: ModelState  # READY, REFUSED or UNREACHABLE
    listed: tuple[str, ...] | None = None  # None: it sent no list

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its models."""
        return self.listed or ()

    @property
    def chat_models(self) -> tuple[str, ...]:
        """The models for conversations, up to the number that can be chosen from."""
        names = (name for name in self.names if not _NO_CHAT.search(name))
        return tuple(names)[:MOST_MODELS]

    def find(self, name: str) -> str | None:
        """The full name of a model; for Ollama `:latest` may be left out."""
        variants = (name, f"{name}:latest")
        return next((one for one in variants if one in self.names), None)


class Model:
    """
    A model of a server, loaded in the background because its libraries take seconds.

    Without settings there is none, and the built-in answerer quotes search results.
    """

    def __init__(self, settings: ModelSettings | None) -> None:
        self.name = settings.model if settings else ""
        self.is_built_in = settings is None
        self._settings = settings
        self._chat: Once[CompatChatOpenAI] = Once(self._load)
        self._made: dict[object, Once[Any]] = {}
        # False once the server has refused tools, because each answer would fail again
        self.takes_tools = True

    async def load(self) -> "BaseChatModel":
        """The chat model."""
        return await self._chat.get()

    async def made_of_chat(self, make: "Callable[[BaseChatModel], T]") -> T:
        """Make something of the chat model with *make*, once, and in a thread."""
        chat = await self._chat.get()
        if make not in self._made:
            self._made[make] = Once(lambda: make(chat))
        made: T = await self._made[make].get()
        return made

    def _load(self) -> "CompatChatOpenAI":
        if self._settings is None:
            raise RuntimeError("no model is set up; ask is_built_in before")
        # Takes half a second, and a search does not need it.
        from agent.models.openai_compat import CompatChatOpenAI  # noqa: PLC0415

        return CompatChatOpenAI.of(self._settings)

    async def aclose(self) -> None:
        """Cancel loading, and close its connections."""
        for made in self._made.values():
            made.cancel()
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


class Models:
    """
    The models of the process; each conversation chooses one of them by name.

    No server is asked before `refresh`: until then there is the model of the settings,
    or the built-in answerer.
    """

    def __init__(
        self, settings: ModelSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings  # as set by the user
        self.settings = settings  # in use; those of an Ollama if one is found
        self.state = ModelState.BUILT_IN
        self.names: tuple[str, ...] = ()
        if settings.is_configured:
            self.state, self.names = ModelState.READY, (settings.model,)
        self._models: dict[str, Model] = {}
        self._clock = clock
        self._refreshing: asyncio.Task[None] | None = None
        self._refreshed = float("-inf")

    @property
    def is_built_in(self) -> bool:
        """Tell if there is no language model, only the built-in answerer."""
        return not self.names

    @property
    def wanted(self) -> str:
        """The model named in the settings; another one may be in use."""
        return self._settings.model

    @property
    def rejected(self) -> Sequence[Rejection]:
        """Invalid values of the settings, which were ignored."""
        return self._settings.rejected

    @property
    def default(self) -> Model:
        """The model of conversations that have chosen none."""
        return self.get("")

    def get(self, name: str) -> Model:
        """The model with this *name*; the default if it is unknown."""
        known = name if name in self.names else next(iter(self.names), "")
        if known not in self._models:
            chosen = self.settings.model_copy(update={"model": known})
            self._models[known] = Model(chosen if known else None)
        return self._models[known]

    async def refresh(self, *, force: bool = False) -> None:
        """Fetch the list of the server, or look for an Ollama, if the last is old."""
        if self._refreshing is None or self._refreshing.done():
            is_good = self.state in {ModelState.READY, ModelState.OLLAMA}
            age = self._clock() - self._refreshed
            if not force and age < (EXPIRES_AFTER if is_good else RETRY_AFTER):
                return
            self._refreshing = asyncio.create_task(self._refresh())
        await asyncio.shield(self._refreshing)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._refreshing is not None:
            self._refreshing.cancel()
        for model in self._models.values():
            await model.aclose()

    async def _refresh(self) -> None:
        settings, wanted = self._settings, self._settings.model
        is_configured = settings.is_configured
        asked = settings if is_configured else settings.on_ollama()
        server = await fetch_models(asked)
        match = server.find(wanted)
        if is_configured:  # the model of the settings is first, listed or not
            self.names = tuple(dict.fromkeys([wanted, *sorted(server.chat_models)]))
            is_missing = server.names and not match
            self.state = ModelState.UNKNOWN if is_missing else server.state
        elif server.chat_models:  # an Ollama, with the wanted model or its first
            is_named = "model" in settings.model_fields_set
            first = (match if is_named else None) or server.chat_models[0]
            is_other = is_named and match is None
            self.state = ModelState.OLLAMA_OTHER if is_other else ModelState.OLLAMA
            self.names = tuple(dict.fromkeys([first, *server.chat_models]))
            self.settings = asked.model_copy(update={"model": first})
        else:
            is_empty = server.listed is not None
            self.state = ModelState.OLLAMA_EMPTY if is_empty else ModelState.BUILT_IN
            self.names, self.settings = (), settings
        self._refreshed = self._clock()
        logger.info("Models: %s, %d to choose from", self.state, len(self.names))


async def fetch_models(settings: ModelSettings) -> ServerModels:
    """Fetch the list of models from the server of *settings*, with a short timeout."""
    # In a thread, because the first import takes half a second.
    openai = await asyncio.to_thread(importlib.import_module, "openai")
    key = settings.api_key.get_secret_value() if settings.api_key else None
    url, headers = settings.base_url.url, settings.base_url.authorization(key)
    try:
        async with (
            asyncio.timeout(FETCH_SECONDS),
            # The environment's proxy is used as for answers.
            openai.DefaultAsyncHttpxClient(trust_env=settings.trusts_proxies) as client,
            client.stream("GET", f"{url}/models", headers=headers) as answer,
        ):
            body = bytearray()
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > _MAX_BYTES:
                    return ServerModels(ModelState.READY)
            return _read(answer.status_code, bytes(body))
    except Exception:  # noqa: BLE001  any error of a server means that it can't be used
        return ServerModels(ModelState.UNREACHABLE)


def _read(status: int, body: bytes) -> ServerModels:
    """Read a response; 403 may concern the list only, and is no refused key."""
    if status == HTTPStatus.UNAUTHORIZED:
        return ServerModels(ModelState.REFUSED)
    try:
        entries = json.loads(body)["data"] if status == HTTPStatus.OK else None
    except (ValueError, TypeError, KeyError, RecursionError):
        entries = None
    if not isinstance(entries, list):
        return ServerModels(ModelState.READY)
    ids = [entry.get("id") for entry in entries if isinstance(entry, dict)]
    names = [name for name in ids if isinstance(name, str) and name.strip()]
    names = [n for n in names if len(n) <= _LONGEST_NAME and n.isprintable()]
    return ServerModels(ModelState.READY, tuple(dict.fromkeys(names)))
