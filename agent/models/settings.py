"""Settings of the language model: environment, .env, default."""

import ipaddress
from dataclasses import replace
from typing import Annotated, Final, Literal

from pydantic import Field

from websearch.config import Address, BaseAddress, Key, SettingsBase, setting

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
DEFAULT_MODEL: Final = "gpt-4o-mini"
OLLAMA: Final = "http://localhost:11434"

FollowUpMode = Literal["auto", "rule", "off"]


class ModelSettings(SettingsBase):
    """Settings of the language model; any OpenAI-compatible server will do."""

    api_key: Key | None = setting(
        "OPENAI_API_KEY",
        "Key of the model's server. "
        "Not needed for servers without keys, such as vLLM, llama.cpp or Ollama on "
        "your own machine.",
    )
    base_url: Address = setting(
        "OPENAI_BASE_URL",
        "Address of an OpenAI-compatible server, up to and with `/v1`: OpenAI, "
        "DeepSeek, Qwen, vLLM, llama.cpp, Ollama. "
        "Where neither this nor a key is set, an Ollama on this machine is used.",
        default=BaseAddress(DEFAULT_BASE_URL),
    )
    model: Annotated[str, Field(min_length=1, max_length=200)] = setting(
        "OPENAI_MODEL",
        "Name of the model, as its server knows it. "
        "The settings panel offers the others that the server has.",
        default=DEFAULT_MODEL,
    )
    ollama: Address = setting(
        "OLLAMA_BASE_URL",
        "Where an Ollama is looked for, and used, while neither `OPENAI_API_KEY` nor "
        "`OPENAI_BASE_URL` is set.",
        default=BaseAddress(OLLAMA),
    )
    timeout_s: float = setting(
        "OPENAI_TIMEOUT_S",
        "Seconds to wait for the model to begin, or to go on, before its answer "
        "counts as timed out. "
        "Unless it is set, a server on this machine or in a private network may take "
        "five minutes longer to begin, and more for a long prompt: it may have to load "
        "the model, and a processor reads slowly.",
        default=60.0,
        limits=(0.1, 600),
    )
    context_tokens: int | None = setting(
        "OPENAI_CONTEXT_TOKENS",
        "Tokens that the model can take in at once, its answer included. "
        "Prompt, history and pages are cut to fit. "
        "Needed only for a server that neither tells it nor refuses a longer prompt; "
        "where both are known the smaller number counts.",
        default=None,
        limits=(256, 10_000_000),
    )

    follow_ups: FollowUpMode = setting(
        "FOLLOW_UPS",
        "How Chat mode completes a question that leans on the conversation, before it "
        "is searched. "
        "`auto`: where a model is set it writes the query, in words of the "
        "conversation and within 2 s, and where it can't the rule does; `rule`: "
        "pronouns and “what about …?” alone, at once; `off`: questions are "
        "searched as typed. The settings panel begins with it.",
        default="auto",
    )

    @property
    def is_configured(self) -> bool:
        """Tell if a key or another server than the default is set."""
        return self.api_key is not None or self.base_url.url != DEFAULT_BASE_URL

    @property
    def trusts_proxies(self) -> bool:
        """Tell if the environment's proxy is used; never for this machine."""
        return not self.base_url.is_loopback

    @property
    def is_near(self) -> bool:
        """Tell if the server is on this machine or in a private network."""
        host = self.base_url.host
        try:
            return self.base_url.is_loopback or ipaddress.ip_address(host).is_private
        except ValueError:  # a name; those without a dot are of a local network
            return "." not in host or host.endswith((".local", ".lan", ".internal"))

    def on_ollama(self) -> "ModelSettings":
        """A copy with Ollama as the server."""
        url = f"{self.ollama.url.removesuffix('/v1')}/v1"
        return self.model_copy(update={"base_url": replace(self.ollama, url=url)})
