"""The models that can answer: those of a server, or, without one, the built-in one."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from agent.models.listing import Listed, listed
from agent.models.loading import Model
from agent.models.settings import ModelSettings
from websearch.config import Rejection

logger = logging.getLogger(__name__)

# Who opens the page after so many seconds has the server asked again: one that was
# not there, and one that was.
PAUSE: Final = 5.0
LASTS: Final = 300.0


class ModelState(StrEnum):
    """What is known of the models, for those who tell the user."""

    BUILT_IN = "model_built_in"
    OLLAMA_EMPTY = "model_ollama_empty"
    OLLAMA = "model_ollama"
    OLLAMA_OTHER = "model_ollama_other"
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
        self.settings = self._settings = settings  # as they serve, and as they stand
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
    def wanted(self) -> str:
        """The name in the settings, which another model may stand in for."""
        return self._settings.model

    @property
    def rejected(self) -> Sequence[Rejection]:
        """Values of the settings that were not taken."""
        return self._settings.rejected

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

    async def look(self, *, anew: bool = False) -> None:
        """Ask the server, or look for an Ollama; what is good holds for minutes."""
        if self._looking is None or self._looking.done():
            is_good = self.state in {ModelState.READY, ModelState.OLLAMA}
            age = self._clock() - self._looked
            if not anew and age < (LASTS if is_good else PAUSE):
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
        if self._settings.is_configured:
            self._take(await listed(self._settings))
        else:
            self._take_ollama(await listed(self._settings.on_ollama()))
        self._looked = self._clock()
        logger.info("Models: %s, %d to choose from", self.state, len(self.names))

    def _take(self, found: Listed) -> None:
        """That of the settings comes first, and stays also where it is not listed."""
        mine = self._settings.model
        self.names = tuple(dict.fromkeys([mine, *sorted(found.offered)]))
        if found.is_refused:
            self.state = ModelState.REFUSED
        elif not found.is_there:
            self.state = ModelState.UNREACHABLE
        elif found.names and not found.named(mine):
            self.state = ModelState.UNKNOWN
        else:
            self.state = ModelState.READY

    def _take_ollama(self, found: Listed) -> None:
        """An Ollama that has gone is not used any longer, nor one without a model."""
        if not found.offered:
            is_empty = found.is_list
            self.state = ModelState.OLLAMA_EMPTY if is_empty else ModelState.BUILT_IN
            self.names, self.settings = (), self._settings
            return
        wanted = self._settings.model
        is_named = "model" in self._settings.model_fields_set
        mine = found.named(wanted) if is_named else None
        first = mine or found.offered[0]
        is_other = is_named and mine is None
        self.state = ModelState.OLLAMA_OTHER if is_other else ModelState.OLLAMA
        self.names = tuple(dict.fromkeys([first, *found.offered]))
        self.settings = self._settings.on_ollama().model_copy(update={"model": first})
