"""What all sessions of a program share: model, search service, settings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from agent.models import create_model
from agent.settings import ModelSettings
from websearch import SearchService, create_service
from websearch.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


@dataclass(frozen=True, slots=True)
class Resources:
    """Made once, from the settings, and closed once."""

    model: "BaseChatModel | None"
    search: SearchService
    settings: Settings
    model_settings: ModelSettings

    @classmethod
    def load(cls) -> Self:
        """Read the settings, and make what they name."""
        settings, model_settings = Settings.load(), ModelSettings.load()
        return cls(
            model=create_model(model_settings),
            search=create_service(settings),
            settings=settings,
            model_settings=model_settings,
        )

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self.search.aclose()
        client = getattr(self.model, "http_async_client", None)
        if client is not None:
            await client.aclose()
