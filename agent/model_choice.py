"""The models that can answer: those of a server, or, without one, the built-in one."""

import asyncio
import logging
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from agent.model_list import Listed, listed
from agent.models import Model
from agent.settings import ModelSettings

logger = logging.getLogger(__name__)

# A server that has not been there is asked again by the next who opens the page.
PAUSE: Final = 5.0


class ModelState(StrEnum):
    """What is known of the models, for those who tell the user."""

    BUILT_IN = "model_built_in"
    OLLAMA_EMPTY = "model_ollama_empty"
    OLLAMA = "model_ollama"
    READY = "model_ready"
    UNKNOWN = "model_unknown"
    REFUSED = "model_refused"
    UNREACHABLE = "model_unreachable"


class Models:
    """
    Made once for a program; each conversation chooses among them by name.

    Nobody is asked before `look`: until then there is the model of the settings, or
    the one that is built in.
    """

    def __init__(
        self, settings: ModelSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.settings = settings
        self.state = ModelState.BUILT_IN
        self.names: tuple[str, ...] = ()
        if settings.is_configured:
            self.state, self.names = ModelState.READY, (settings.model,)
        self._made: dict[str, Model] = {}
        self._clock = clock
        self._looking: asyncio.Task[None] | None = None
        self._looked = float("-inf")

    @property
    def is_built_in(self) -> bool:
        """Whether there is no model but the one that is built in."""
        return not self.names

    @property
    def default(self) -> Model:
        """The model of those who have chosen none."""
        return self.of("")

    def of(self, name: str) -> Model:
        """The model of that *name*; the default where there is none such."""
        known = name if name in self.names else next(iter(self.names), "")
        if known not in self._made:
            chosen = self.settings.model_copy(update={"model": known})
            self._made[known] = Model(chosen if known else None)
        return self._made[known]

    async def look(self) -> None:
        """Ask the server, or look for an Ollama; a good one is not asked for again."""
        is_settled = self.state in {ModelState.READY, ModelState.OLLAMA}
        if self._looking is None or self._looking.done():
            is_early = self._clock() < self._looked + PAUSE
            if is_early or (is_settled and self._looked > float("-inf")):
                return
            self._looking = asyncio.create_task(self._look())
        await asyncio.shield(self._looking)

    async def aclose(self) -> None:
        """Let go of the connections."""
        if self._looking is not None:
            self._looking.cancel()
        for model in self._made.values():
            await model.aclose()

    async def _look(self) -> None:
        if self.settings.is_configured:
            found = await listed(self.settings)
            self._take(found)
        else:
            found = await listed(self.settings.on_ollama())
            self._take_ollama(found)
        self._looked = self._clock()
        logger.info("Models: %s, %d to choose from", self.state, len(self.names))

    def _take(self, found: Listed) -> None:
        """That of the settings comes first, and stays also where it is not listed."""
        mine = self.settings.model
        self.names = tuple(dict.fromkeys([mine, *sorted(found.names)]))
        if found.is_refused:
            self.state = ModelState.REFUSED
        elif not found.is_there:
            self.state = ModelState.UNREACHABLE
        elif found.names and mine not in found.names:
            self.state = ModelState.UNKNOWN
        else:
            self.state = ModelState.READY

    def _take_ollama(self, found: Listed) -> None:
        if not found.is_list:
            return
        if not found.names:
            self.state = ModelState.OLLAMA_EMPTY
            return
        mine = self.settings.model
        first = mine if mine in found.names else found.names[0]
        self.names = tuple(dict.fromkeys([first, *found.names]))
        self.settings = self.settings.on_ollama().model_copy(update={"model": first})
        self.state = ModelState.OLLAMA
