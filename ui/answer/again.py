"""The words that completed a question, and the buttons below its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import uuid4

import chainlit as cl

from agent import Completion
from ui.texts import text
from untrusted.text import one_line

ACTION: Final = "ask_again"
MOST_MODELS: Final = 8  # to choose another one from
_MARK: Final = "\0"


class Again(StrEnum):
    """How a question is asked again; each is named like a button's text."""

    AS_TYPED = "as_typed"  # the user's own words are searched
    AS_CHAT = "as_chat"  # they are searched, whatever mode and switch say
    GO_ON = "go_on"  # the rest of an answer that broke off
    SAME = "again"
    AS_AGENT = "as_agent"
    BY_MODEL = "by_model"  # by another model


_ICONS: Final = {
    Again.AS_TYPED: "undo-2",
    Again.AS_CHAT: "search",
    Again.GO_ON: "pen-line",
    Again.SAME: "refresh-cw",
    Again.AS_AGENT: "bot",
    Again.BY_MODEL: "replace",
}


@dataclass(frozen=True, slots=True)
class Asking:
    """A question, the name of the model that answers it, and what else could."""

    question: str = ""
    model: str = ""
    models: Sequence[str] = ()  # the others
    can_be_agent: bool = False


def again(how: Again, asking: Asking, language: str, model: str = "") -> cl.Action:
    """The button below an answer that asks its question again."""
    return cl.Action(
        # public/page.js presses it from the bar under the text.
        id=f"bar-{how}-{uuid4().hex}",
        name=ACTION,
        payload={"question": asking.question, "how": how.value, "model": model},
        label=text(how, language, model=model),
        tooltip=one_line(asking.question),
        icon=_ICONS[how],
    )


def bar(asking: Asking, language: str, *, is_cut: bool) -> list[cl.Action]:
    """The buttons below each answer; one that *is_cut* can also be gone on with."""
    ways = [Again.GO_ON] if is_cut and asking.model else []
    ways += [Again.SAME]
    ways += [Again.AS_AGENT] if asking.can_be_agent else []
    others = asking.models[:MOST_MODELS]
    return [
        *(again(how, asking, language) for how in ways),
        *(again(Again.BY_MODEL, asking, language, model) for model in others),
    ]


def completed_text(completion: Completion, language: str) -> str:
    """The words that were searched, with signs around those that were added."""
    before, behind = text("added", language, words=_MARK).split(_MARK)
    return completion.marked(before, behind)
