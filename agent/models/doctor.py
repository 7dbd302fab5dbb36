"""Find out whether a model can answer: for the page and for the doctor's report."""

from typing import Final

from agent.models.catalog import Models, ModelState
from agent.models.settings import ModelSettings
from websearch.doctor import Check, Diagnosis, Finding, Problem, Question, State

_STATES: Final = {
    ModelState.READY: State.PASSED,
    ModelState.OLLAMA: State.PASSED,
    ModelState.OLLAMA_OTHER: State.WARNED,
    ModelState.UNKNOWN: State.WARNED,
}


def diagnosis_of(models: Models) -> Diagnosis:
    """What is known of the models, with the next step where one is needed."""
    settings, name = models.settings, models.default.name
    facts = {
        "model": name,
        "address": settings.base_url.url,
        "ollama": settings.ollama.url,
        "wanted": models.wanted,
        "others": len(models.names) - 1,
    }
    check = Check(Question.MODEL, _STATES.get(models.state, State.FAILED), name)
    return Diagnosis(
        backend=name or "built_in",
        address=None if models.is_built_in else settings.base_url.url,
        checks=[check],
        findings=[*_rejected(models), Finding(Problem(models.state), facts)],
    )


def _rejected(models: Models) -> list[Finding]:
    """Values that were not taken: a key with a full-width letter is not unset."""
    return [Finding(Problem.VALUE_INVALID, one.facts) for one in models.rejected]


async def examine() -> Diagnosis:
    """The diagnosis of the model that the settings name."""
    models = Models(ModelSettings.load())
    try:
        await models.look()
        return diagnosis_of(models)
    finally:
        await models.aclose()
