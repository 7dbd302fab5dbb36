"""The pickers in the composer: how a question is answered, by which model, of when."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, get_args

from chainlit.mode import Mode as Picker
from chainlit.mode import ModeOption

from agent import Session
from ui.panel.preferences import Preferences
from ui.texts import page_words, text
from websearch import TimeRange


class How(StrEnum):
    """The ways to answer a question."""

    QUICK = "quick"  # Chat mode, with search
    AGENT = "agent"
    REPORT = "report"  # of the next question; then it is as before
    OFFLINE = "offline"  # Chat mode, without search


ANY: Final = "any"  # time
_ICONS: Final[Mapping[How, str]] = {
    How.QUICK: "globe",
    How.AGENT: "bot",
    How.REPORT: "scroll-text",
    How.OFFLINE: "message-circle",
}


def pickers(
    how: How, chosen: Preferences, session: Session, language: str
) -> Iterator[Picker]:
    """What can be picked, with what is *chosen* now."""

    def picker(name: str, options: Sequence[ModeOption], now: str) -> Picker:
        for option in options:
            option.default = option.id == now
        return Picker(name, page_words(language)[f"picker_{name}"], [*options])

    ways = [
        ModeOption(
            way,
            text(f"how_{way}", language),
            text(f"about_{way}", language),
            icon,
        )
        for way, icon in _ICONS.items()
    ]
    yield picker("how", ways, how)
    if len(session.models) > 1:
        models = [ModeOption(name, name) for name in session.models]
        yield picker("model", models, session.model)
    if how is How.OFFLINE or (
        how is How.AGENT and not session.can_search(chosen.agent)
    ):
        return
    times = [
        ModeOption(time, text(f"time_{time}", language), icon="clock")
        for time in (ANY, *get_args(TimeRange))
    ]
    yield picker("time", times, chosen.time_range or ANY)


def picked(sent: Mapping[str, Any], offered: Sequence[Picker]) -> dict[str, str]:
    """The options that *sent* names by their ids or names; it is untrusted."""
    return {
        picker.id: option.id
        for picker in offered
        for option in picker.options
        if sent.get(picker.id) in (option.id, option.name)
    }
