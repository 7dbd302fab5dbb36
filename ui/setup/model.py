"""The form of the model: who serves it, with what key, which one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from agent import MOST_MODELS, ModelSettings, fetch_models, try_server
from ui.setup.form import (
    MistakeError,
    Reply,
    advice_note,
    note,
    option,
    typed,
    typed_address,
    typed_key,
)
from ui.texts import setup_words

OLLAMA: Final = "ollama"
OTHER: Final = "other"
_LONGEST_NAME: Final = 200
_LOOK_SECONDS: Final = 0.5  # for an Ollama: the page waits for it


@dataclass(frozen=True, slots=True)
class Provider:
    """A service that rents models."""

    id: str
    title: str
    address: str
    model: str  # suggested until its list is there
    keys: str  # the page where it gives keys
    is_abroad: bool = False  # from China


PROVIDERS: Final = (
    Provider(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        "deepseek-v4-flash",
        "https://platform.deepseek.com/api_keys",
    ),
    Provider(
        "qwen",
        "Qwen",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "qwen-plus",
        "https://bailian.console.aliyun.com/?tab=model#/api-key",
    ),
    Provider(
        "zhipu",
        "Zhipu GLM",
        "https://open.bigmodel.cn/api/paas/v4",
        "glm-4-plus",
        "https://open.bigmodel.cn/usercenter/apikeys",
    ),
    Provider(
        "moonshot",
        "Moonshot",
        "https://api.moonshot.cn/v1",
        "moonshot-v1-32k",
        "https://platform.moonshot.cn/console/api-keys",
    ),
    Provider(
        "siliconflow",
        "SiliconFlow",
        "https://api.siliconflow.cn/v1",
        "Qwen/Qwen2.5-72B-Instruct",
        "https://cloud.siliconflow.cn/account/ak",
    ),
    Provider(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        "gpt-4o-mini",
        "https://platform.openai.com/api-keys",
        is_abroad=True,
    ),
    Provider(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "openai/gpt-4o-mini",
        "https://openrouter.ai/settings/keys",
        is_abroad=True,
    ),
)
_BY_ID: Final = {provider.id: provider for provider in PROVIDERS}


async def model_options(settings: ModelSettings, language: str) -> str:
    """The services to choose from, an Ollama only where one was found."""
    ollama, words = settings.on_ollama(), setup_words(language)
    found = await fetch_models(ollama, seconds=_LOOK_SECONDS)
    address = settings.base_url.url
    by_address = {provider.address: provider.id for provider in PROVIDERS}
    chosen = by_address.get(address, OTHER)
    if address == ollama.base_url.url or (found.names and not settings.is_configured):
        chosen = OLLAMA
    elif not settings.is_configured:
        chosen = ""
    # Those of one's own country first, as written down, or the others.
    is_english = language == "en-US"
    ordered = sorted(PROVIDERS, key=lambda one: is_english and not one.is_abroad)
    rented = [
        option(
            "provider",
            one.id,
            words.get(one.id, one.title),
            is_chosen=one.id == (chosen or ordered[0].id),
            address=one.address,
            model=settings.model if one.address == address else one.model,
            keys=one.keys,
            key=_state(settings, one.address),
        )
        for one in ordered
    ]
    if found.names or chosen == OLLAMA:
        first = next(iter(found.chat_models), "")
        is_used = address == ollama.base_url.url
        rented.append(
            option(
                "provider",
                OLLAMA,
                "Ollama",
                is_chosen=chosen == OLLAMA,
                address=ollama.base_url.url,
                model=settings.model if is_used else first,
            )
        )
    other = option(
        "provider",
        OTHER,
        words["other"],
        is_chosen=chosen == OTHER,
        address=address if chosen == OTHER else "",
        model=settings.model if chosen == OTHER else "",
        key=_state(settings, address) if chosen == OTHER else "",
    )
    return "".join([*rented, other])


def _state(settings: ModelSettings, address: str) -> str:
    is_set = settings.api_key is not None and settings.base_url.url == address
    return "set" if is_set else ""


def wanted_model(sent: Mapping[str, str], known: ModelSettings) -> ModelSettings:
    """
    The settings that the form describes; raises MistakeError.

    A key that was set before goes to no other address than its own.
    """
    provider = _BY_ID.get(sent.get("provider", ""))
    address = typed_address(
        {"address": provider.address} if provider else sent, known.base_url
    )
    key, is_same = typed_key(sent), address.url == known.base_url.url
    if key is None and is_same:
        key = known.api_key
    if provider and key is None:
        raise MistakeError("no_key")
    name = typed(sent, "model")
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise MistakeError("bad_model")
    changes = {"base_url": address, "api_key": key, "model": name}
    return known.model_copy(update=changes)


async def try_model(
    sent: Mapping[str, str], known: ModelSettings, language: str
) -> Reply:
    """List the models of the server in the form, or say what is wrong."""
    wanted, words = wanted_model(sent, known), setup_words(language)
    trial = await try_server(wanted)
    used = trial.settings.base_url.url
    address = used if used != wanted.base_url.url else ""
    if trial.finding:
        return Reply([advice_note(trial.finding, language)], address=address)
    count, models = len(trial.server.names), trial.server.chat_models
    listed = words["models_listed"].format(count=count)
    if count > MOST_MODELS:
        listed = words["models_cut"].format(count=count, most=MOST_MODELS)
    return Reply([note("good", listed)], models, address, is_good=True)


def model_lines(sent: Mapping[str, str], known: ModelSettings) -> dict[str, str]:
    """The lines of .env for the form; what is not changed is not among them."""
    wanted = wanted_model(sent, known)
    if not wanted.model:
        raise MistakeError("no_model")
    lines = {"OPENAI_MODEL": wanted.model}
    if wanted.base_url != known.base_url:
        address = wanted.base_url
        is_typed = address.has_credentials
        lines["OPENAI_BASE_URL"] = typed(sent, "address") if is_typed else address.url
    if wanted.api_key != known.api_key:
        key = wanted.api_key
        lines["OPENAI_API_KEY"] = key.get_secret_value() if key else ""
    return lines
