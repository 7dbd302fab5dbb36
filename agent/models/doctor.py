"""Diagnose the language model, for the page and for the doctor's report."""

from typing import Final

from agent.causes import ModelState
from agent.models.catalog import Models
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
}


def diagnosis_of(models: Models) -> Diagnosis:
    """The state of the models, with a next step if one is needed."""
    settings, name = models.settings, models.default.name
    facts = {
        "model": name,
        "address": settings.base_url.url,
        "ollama": settings.ollama.url,
        "wanted": models.wanted,
        "others": len(models.names) - 1,
    }
    check = Check(ModelCheck.MODEL, _STATES.get(models.state, State.FAILED), name)
    return Diagnosis(
        backend=name or "built_in",
        address=None if models.is_built_in else settings.base_url.url,
        checks=[check],
        findings=[
            *map(finding_of, models.rejected),
            Finding(models.state, facts),
        ],
    )


async def examine() -> Diagnosis:
    """Diagnose the model of the settings."""
    models = Models(ModelSettings.load())
    try:
        await models.refresh()
        return diagnosis_of(models)
    finally:
        await models.aclose()
