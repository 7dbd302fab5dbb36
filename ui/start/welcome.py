"""What a user sees before the first question: what this is, whether it works."""

from typing import Final

import chainlit as cl

from agent import Resources
from ui.start.status import at_a_glance
from ui.texts import text
from websearch.doctor import Diagnosis

STARTERS: Final = ("news", "weather", "compare", "howto")


def welcome(
    language: str, search: Diagnosis | None, resources: Resources
) -> cl.ChatProfile:
    """The welcome screen: a title, the state of search and model, four starters."""
    state = at_a_glance(language, search, resources)
    return cl.ChatProfile(
        name="websearch-chat",
        markdown_description=text("welcome", language, state=state),
        icon="/public/logo.svg",
        starters=[
            cl.Starter(label=words, message=words)
            for words in (text(f"starter_{name}", language) for name in STARTERS)
        ],
    )
