"""Make the language model that the settings name."""

from typing import TYPE_CHECKING

from agent.settings import ModelSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_NO_KEY = "no-key"  # servers without keys want the header all the same


def create_model(settings: ModelSettings) -> "BaseChatModel | None":
    """A chat model, or None where none is configured."""
    if not settings.is_configured:
        return None
    # Heavy: these take seconds, and a search needs neither.
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
