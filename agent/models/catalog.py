"""The models that can answer: listed by their server, loaded at their first use."""

import asyncio
import importlib
import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar

from agent.causes import ModelState
from agent.models.context import Context, believable
from agent.models.settings import ModelSettings
from websearch.config import Rejection

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

T = TypeVar("T")

logger = logging.getLogger(__name__)

# Seconds until a list is fetched again: after a failure, and after a success.
RETRY_AFTER: Final = 5.0
EXPIRES_AFTER: Final = 300.0
FETCH_SECONDS: Final = 2.0
MOST_MODELS: Final = 200  # shown in the panel

_MAX_BYTES: Final = 5_000_000
_LONGEST_NAME: Final = 200
# Tokens that an Ollama takes where nobody has set more; it tells of loaded models only.
OLLAMA_CONTEXT: Final = 4_096
_CONTEXT_FIELDS: Final = (
    *("n_ctx", "max_model_len", "context_length"),
    *("context_window", "max_context_length"),
)
# Models that can't hold a conversation, by common parts of their names.
_NO_CHAT: Final = re.compile(
    r"embed|\bbge-|minilm|\be5-|rerank|moderation|whisper|transcribe|\btts\b|\bdall-e"
    r"|realtime|-image\b|\bstable-diffusion|\bsora\b|^davinci|^babbage",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model as its server lists it."""

    name: str
    owner: str = ""
    context: int | None = None  # tokens; None where the server does not tell


@dataclass(frozen=True, slots=True)
class ServerModels:
    """A server's response to a request for its models."""

    state: ModelState  # READY, LOADING, REFUSED or UNREACHABLE
    listed: tuple[ListedModel, ...] | None = None  # None: it sent no list

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its models."""
        return tuple(one.name for one in self.listed or ())

    @property
    def chat_models(self) -> tuple[str, ...]:
        """The models for conversations, up to the number that can be chosen from."""
        names = (name for name in self.names if not _NO_CHAT.search(name))
        return tuple(names)[:MOST_MODELS]

    def find(self, name: str) -> ListedModel | None:
        """
        The model of this *name*; for Ollama `:latest` may be left out.

        llama.cpp has one model, and takes any name for it.
        """
        listed = {one.name: one for one in self.listed or ()}
        if any(one.owner == "llamacpp" for one in listed.values()):
            return listed.get(name) or replace(next(iter(listed.values())), name=name)
        return listed.get(name) or listed.get(f"{name}:latest")


class Model:
    """
    A model of a server, loaded in a thread because its libraries take seconds.

    Without settings there is none, and the built-in answerer quotes search results.
    """

    def __init__(self, settings: ModelSettings | None) -> None:
        self.name = settings.model if settings else ""
        self.context = Context(settings.context_tokens if settings else None)
        self.is_built_in = settings is None
        self.address = settings.base_url.url if settings else ""
        # False once the server has refused tools, because each answer would fail again
        self.takes_tools = True
        self._settings = settings
        self._made: dict[object, asyncio.Task[Any]] = {}
        self._client: Any = None  # of its connections

    async def load(self) -> "BaseChatModel":
        """The chat model."""
        chat: BaseChatModel = await self._once(self._load, self._load)
        return chat

    async def made_of_chat(self, make: "Callable[[BaseChatModel], T]") -> T:
        """Make something of the chat model with *make*, once, and in a thread."""
        chat = await self.load()
        made: T = await self._once(make, lambda: make(chat))
        return made

    async def _once(self, key: object, make: Callable[[], Any]) -> Any:
        """Make a value in a thread; after a failure the next call tries again."""
        if key not in self._made:
            self._made[key] = asyncio.create_task(asyncio.to_thread(make))
        try:
            # Shielded: a stopped answer must not cancel the loading for the next one.
            return await asyncio.shield(self._made[key])
        except Exception:
            self._made.pop(key, None)
            raise

    def _load(self) -> "BaseChatModel":
        if self._settings is None:
            raise RuntimeError("no model is set up; ask is_built_in before")
        # Takes half a second, and a search does not need it.
        from agent.models.openai_compat import CompatChatOpenAI  # noqa: PLC0415

        chat = CompatChatOpenAI.of(self._settings)
        self._client = chat.http_async_client
        return chat

    async def aclose(self) -> None:
        """Cancel loading, and close its connections."""
        for making in self._made.values():
            making.cancel()
        if self._client is not None:
            await self._client.aclose()


class Models:
    """
    The models of the process; each conversation chooses one of them by name.

    No server is asked before `refresh`: until then there is the model of the settings,
    or the built-in answerer.
    """

    def __init__(
        self, settings: ModelSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.given = settings  # by the user
        self.settings = settings  # in use; those of an Ollama if one is found
        self.state = ModelState.BUILT_IN
        self.names: tuple[str, ...] = ()
        if settings.is_configured:
            self.state, self.names = ModelState.READY, (settings.model,)
        self._models: dict[str, Model] = {}
        self._server = ServerModels(self.state)  # as it last sent a list
        self._is_ollama = False
        self._loaded: dict[str, int] = {}  # contexts that an Ollama has told
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
        return self.given.model

    @property
    def rejected(self) -> Sequence[Rejection]:
        """Invalid values of the settings, which were ignored."""
        return self.given.rejected

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
        model, listed = self._models[known], self._server.find(known)
        context = self._loaded.get(known) or (listed.context if listed else None)
        if self._is_ollama and not self.settings.context_tokens:
            context = context or OLLAMA_CONTEXT
        model.context.update(context)
        return model

    async def prepare(self, model: Model) -> None:
        """Ask an Ollama for the context of *model*, told once that is loaded."""
        if self._is_ollama and model.name not in self._loaded:
            self._loaded |= await _ollama_contexts(self.settings) or {}
            self.get(model.name)

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
        settings, wanted = self.given, self.given.model
        is_configured = settings.is_configured
        asked = settings if is_configured else settings.on_ollama()
        server = await fetch_models(asked)
        match = server.find(wanted)
        is_named = "model" in settings.model_fields_set
        # The one in use stays where a busy server sends no list.
        first = next(iter(server.chat_models), self.settings.model)
        if is_configured:  # the model of the settings is first, listed or not
            if is_named or match:
                first = match.name if match else wanted
            is_missing = is_named and server.names and not match
            self.names = tuple(dict.fromkeys([first, *sorted(server.chat_models)]))
            self.state = ModelState.UNKNOWN if is_missing else server.state
            self.settings = settings.model_copy(update={"model": first})
        elif server.chat_models:  # an Ollama, with the wanted model or its first
            first = match.name if is_named and match else first
            is_other = is_named and match is None
            self.state = ModelState.OLLAMA_OTHER if is_other else ModelState.OLLAMA
            self.names = tuple(dict.fromkeys([first, *server.chat_models]))
            self.settings = asked.model_copy(update={"model": first})
        else:
            is_empty = server.listed is not None
            self.state = ModelState.OLLAMA_EMPTY if is_empty else ModelState.BUILT_IN
            self.names, self.settings = (), settings
        self._server = server if server.listed else self._server
        if any(":" in name for name in server.names):  # an Ollama tags all of them
            loaded = await _ollama_contexts(self.settings)
            self._is_ollama |= loaded is not None
            self._loaded |= loaded or {}
        for name in self._models:
            self.get(name)
        self._refreshed = self._clock()
        logger.info("Models: %s, %d to choose from", self.state, len(self.names))


async def fetch_models(
    settings: ModelSettings, *, seconds: float | None = None
) -> ServerModels:
    """Fetch the list of models from the server of *settings* within a few *seconds*."""
    url = f"{settings.base_url.url}/models"
    try:
        status, body = await _fetch(settings, url, seconds or FETCH_SECONDS)
    except Exception:  # noqa: BLE001  any error of a server means that it can't be used
        return ServerModels(ModelState.UNREACHABLE)
    if status == HTTPStatus.UNAUTHORIZED:  # 403 may concern the list only
        return ServerModels(ModelState.REFUSED)
    if status == HTTPStatus.SERVICE_UNAVAILABLE and b"oading model" in body[:1_000]:
        return ServerModels(ModelState.LOADING)
    entries = _entries(body, "data") if status == HTTPStatus.OK else None
    if entries is None:
        return ServerModels(ModelState.READY)
    listed: dict[str, ListedModel] = {}
    for entry in entries:
        name, owner, meta = entry.get("id"), entry.get("owned_by"), entry.get("meta")
        if _is_name(name):
            # llama.cpp, vLLM, OpenRouter, Groq, Mistral
            given = {**entry, **(meta if isinstance(meta, dict) else {})}
            told = (believable(given.get(field)) for field in _CONTEXT_FIELDS)
            context = next(filter(None, told), None)
            listed[name] = ListedModel(name, str(owner), context)
    return ServerModels(ModelState.READY, tuple(listed.values()))


async def _ollama_contexts(settings: ModelSettings) -> dict[str, int] | None:
    """The contexts of the models that an Ollama has loaded, by name; None of others."""
    url = f"{settings.base_url.url.removesuffix('/v1')}/api/ps"
    try:
        _, body = await _fetch(settings, url, FETCH_SECONDS)
    except Exception:  # noqa: BLE001  it tells nothing then
        return None
    if (entries := _entries(body, "models")) is None:
        return None
    pairs = (
        (entry.get("name"), believable(entry.get("context_length")))
        for entry in entries
    )
    return {name: context for name, context in pairs if _is_name(name) and context}


async def _fetch(
    settings: ModelSettings, url: str, seconds: float
) -> tuple[int, bytes]:
    """Status and body of *url*; a body that is too long is empty."""
    # In a thread, because the first import takes half a second.
    openai = await asyncio.to_thread(importlib.import_module, "openai")
    key = settings.api_key.get_secret_value() if settings.api_key else None
    headers = settings.base_url.authorization(key)
    async with (
        asyncio.timeout(seconds),
        # The environment's proxy is used as for answers.
        openai.DefaultAsyncHttpxClient(trust_env=settings.trusts_proxies) as client,
        client.stream("GET", url, headers=headers) as answer,
    ):
        body = bytearray()
        async for piece in answer.aiter_bytes():
            body += piece
            if len(body) > _MAX_BYTES:
                return answer.status_code, b""
        return answer.status_code, bytes(body)


def _entries(body: bytes, name: str) -> list[dict[str, Any]] | None:
    """The objects of the list *name* in a JSON object; None where there is none."""
    try:
        entries = json.loads(body)[name]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not isinstance(entries, list):
        return None
    return [entry for entry in entries if isinstance(entry, dict)]


def _is_name(value: Any) -> TypeGuard[str]:
    if not isinstance(value, str) or not value.strip():
        return False
    return len(value) <= _LONGEST_NAME and value.isprintable()
