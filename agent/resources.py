"""What all sessions of a program share: model, search service, settings."""

from dataclasses import dataclass, field
from typing import Self

from agent.models import Model
from agent.settings import ModelSettings
from websearch import SearchService, create_service
from websearch.manners import Manners
from websearch.settings import Settings


@dataclass(frozen=True, slots=True)
class Resources:
    """Made once, from the settings, and closed once."""

    model: Model | None
    search: SearchService
    settings: Settings
    model_settings: ModelSettings
    manners: Manners = field(default_factory=Manners)

    @classmethod
    def load(cls) -> Self:
        """Read the settings, and make what they name."""
        settings, model_settings = Settings.load(), ModelSettings.load()
        manners = Manners()
        return cls(
            model=Model(model_settings) if model_settings.is_configured else None,
            search=create_service(settings, manners=manners),
            settings=settings,
            model_settings=model_settings,
            manners=manners,
        )

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self.search.aclose()
        if self.model is not None:
            await self.model.aclose()
