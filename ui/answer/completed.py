"""A question that was completed before its search: its words, and how to undo it."""

from typing import Final

import chainlit as cl

from agent import Completion
from ui.texts import text
from untrusted.text import one_line

AS_TYPED: Final = "search_as_typed"
_MARK: Final = "\0"


def completed_text(completion: Completion, language: str) -> str:
    """The words that were searched, with signs around those that were added."""
    before, behind = text("added", language, words=_MARK).split(_MARK)
    return completion.marked(before, behind)


def undoing(completion: Completion, language: str) -> cl.Action:
    """The button below an answer that searches the user's own words instead."""
    return cl.Action(
        name=AS_TYPED,
        payload={"question": completion.asked},
        label=text("as_typed", language),
        tooltip=one_line(completion.asked),
        icon="undo-2",
    )
