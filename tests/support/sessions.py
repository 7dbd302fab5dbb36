"""A session whose searches give samples, and whose model is never asked."""

from typing import Any

from agent import Session
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.resources import Resources
from agent.settings import AgentSettings
from websearch import create_service


def offline_resources(**options: Any) -> Resources:
    """Resources with a model that is set up; *options* are those of `Resources`."""
    settings = AgentSettings.load()
    models = Models(ModelSettings(OPENAI_API_KEY="k", OPENAI_MODEL="first"))  # type: ignore[arg-type]
    service = create_service(settings, backend="stub")
    return Resources(models, service, settings, **options)


def offline_session(**options: Any) -> Session:
    return Session(offline_resources(**options))
