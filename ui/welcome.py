"""What a user sees before the first question: what this is, whether it works."""

import chainlit as cl

from agent.settings import ModelSettings
from citations.titles import shown
from ui.texts import text
from ui.trouble import help_link
from websearch.findings import Diagnosis

STARTERS = ("news", "weather", "compare", "howto")


def welcome(
    language: str, diagnosis: Diagnosis | None, model: ModelSettings
) -> cl.ChatProfile:
    """The welcome screen: a title, the state of search and model, four starters."""
    return cl.ChatProfile(
        name="websearch-chat",
        markdown_description=text(
            "welcome", language, state=state(language, diagnosis, model)
        ),
        icon="/public/logo.svg",
        starters=[
            cl.Starter(label=words, message=words)
            for words in (text(f"starter_{name}", language) for name in STARTERS)
        ],
    )


def state(language: str, diagnosis: Diagnosis | None, model: ModelSettings) -> str:
    """Search and model, each with its next step where it does not work."""
    if diagnosis is None:
        return text("state_checking", language)
    lines = []
    if not diagnosis.is_usable:
        advice = diagnosis.main.advice(language, shown)
        step = advice.cure[0] if advice.cure else advice.cause
        lines.append(text("state_search", language, title=advice.title, step=step))
        lines.append(help_link(advice, language))
    if not model.is_configured:
        lines.append(text("state_no_model", language))
    if lines:
        return "\n\n".join(lines)
    return text("state_ready", language, provider=diagnosis.backend, model=model.model)
