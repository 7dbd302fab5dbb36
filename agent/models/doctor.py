"""Diagnose the language model, for the page and for the doctor's report."""

from dataclasses import dataclass, replace
from typing import Final

from agent.causes import ModelState
from agent.models.catalog import FETCH_SECONDS, Models, ServerModels, fetch_models
from agent.models.settings import ModelSettings
from websearch.causes import Described
from websearch.doctor import Check, Diagnosis, Finding, State, finding_of


class ModelCheck(Described):
    """The one check of the model."""

    MODEL = "model"


_STATES: Final = {
    ModelState.READY: State.PASSED,
    ModelState.OLLAMA: State.PASSED,
    ModelState.OLLAMA_OTHER: State.WARNED,
    ModelState.UNKNOWN: State.WARNED,
    ModelState.LOADING: State.WARNED,
}
TRIAL_SECONDS: Final = 8.0  # somebody waits for it, and servers may be far away
_PROMPT_TOKENS: Final = 800  # of the rest of a prompt, with titles and addresses
_MOST: Final = 12_000  # characters of pages, the default of WEB_READ_CHARS
_LARGE: Final = 16_000  # tokens that hold so many in any language


def diagnosis_of(models: Models) -> Diagnosis:
    """The state of the models, with a next step if one is needed."""
    settings, name = models.settings, models.default.name
    facts = {
        "model": name,
        "address": settings.base_url.url,
        "ollama": settings.ollama.url,
        "wanted": models.wanted,
        "others": len(models.names) - 1,
        "seconds": f"{FETCH_SECONDS:g}",
    }
    tokens = models.default.context.tokens
    note = f"{name} ({tokens:,} tokens)" if tokens else name
    check = Check(ModelCheck.MODEL, _STATES.get(models.state, State.FAILED), note)
    return Diagnosis(
        backend=name or "built_in",
        address=None if models.is_built_in else settings.base_url.url,
        checks=[check],
        findings=[
            *map(finding_of, models.rejected),
            *([small] if (small := small_context(models)) else []),
            Finding(models.state, facts),
        ],
    )


def small_context(models: Models) -> Finding | None:
    """Tell how little of the pages the default model has room for, if it is little."""
    context = models.default.context
    room = context.room - _PROMPT_TOKENS
    if context.tokens is None or context.tokens >= _LARGE:
        return None
    facts = {
        "tokens": f"{context.tokens:,}",
        "chinese": f"{max(room, 0):,}",
        "english": f"{min(4 * max(room, 0), _MOST):,}",
        "most": f"{_MOST:,}",
    }
    return Finding(ModelState.SMALL_CONTEXT, facts)


@dataclass(frozen=True, slots=True)
class Trial:
    """The models that a tried server lists, or the *finding* why it can't be used."""

    settings: ModelSettings  # with the address that answered
    server: ServerModels
    finding: Finding | None = None


async def try_server(settings: ModelSettings) -> Trial:
    """Ask the server of *settings* for its models; `/v1` may be missing there."""
    server = await fetch_models(settings, seconds=TRIAL_SECONDS)
    if server.names:
        return Trial(settings, server)
    if server.state is ModelState.READY:
        longer = replace(settings.base_url, url=f"{settings.base_url.url}/v1")
        completed = settings.model_copy(update={"base_url": longer})
        other = await fetch_models(completed)
        if other.names or other.state is ModelState.REFUSED:
            settings, server = completed, other
    if server.names:
        return Trial(settings, server)
    is_odd = server.state is ModelState.READY
    facts = {"address": settings.base_url.url, "seconds": f"{TRIAL_SECONDS:g}"}
    cause = ModelState.NO_LIST if is_odd else server.state
    return Trial(settings, server, Finding(cause, facts))


async def examine() -> Diagnosis:
    """Diagnose the model of the settings."""
    models = Models(ModelSettings.load())
    try:
        await models.refresh()
        return diagnosis_of(models)
    finally:
        await models.aclose()
