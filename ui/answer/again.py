"""The words that completed a question, and the buttons that ask it again."""

from enum import StrEnum
from typing import Final

import chainlit as cl

from agent import Completion
from ui.texts import text
from untrusted.text import one_line

ACTION: Final = "ask_again"
_MARK: Final = "\0"


class Again(StrEnum):
    """How a question is asked again; each is named like a button's text."""

    AS_TYPED = "as_typed"  # the user's own words are searched
    AS_CHAT = "as_chat"  # in Agent mode: they are searched, and then answered


def again(how: Again, question: str, language: str) -> cl.Action:
    """The button below an answer that asks its *question* again."""
    return cl.Action(
        name=ACTION,
        payload={"question": question, "how": how.value},
        label=text(how, language),
        tooltip=one_line(question),
        icon="undo-2" if how is Again.AS_TYPED else "search",
    )


def completed_text(completion: Completion, language: str) -> str:
    """The words that were searched, with signs around those that were added."""
    before, behind = text("added", language, words=_MARK).split(_MARK)
    return completion.marked(before, behind)
