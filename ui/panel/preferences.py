"""The choices of a user, and the cookie that keeps them for a reload and a new chat."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, Self, get_args
from urllib.parse import quote, unquote

import chainlit as cl

from agent import FollowUpMode, Mode, Session
from ui.server.settings import EvidenceMode
from websearch import TimeRange

COOKIE: Final = "websearch"
_LONGEST: Final = 1_500


@dataclass(frozen=True, slots=True)
class Preferences:
    """All that the settings panel and the pickers offer to choose."""

    mode: Mode
    search: bool
    reading: bool
    agent: str
    model: str  # '' is the default model, which may change later
    follow_ups: FollowUpMode
    evidence: EvidenceMode
    time_range: TimeRange | Literal[""] = ""  # '': any

    @classmethod
    def of(cls, session: Session, evidence: EvidenceMode) -> Self:
        """The choices in effect."""
        return cls(
            session.state.mode,
            session.state.search,
            session.state.reading,
            session.agent.id,
            session.state.model,
            session.follow_ups,
            evidence,
            session.state.time_range or "",
        )

    def changed(self, sent: Mapping[str, Any], session: Session) -> Self:
        """Take the values of *sent* that can be chosen; it is untrusted."""
        offered: Mapping[str, Collection[Any]] = {
            "mode": [*Mode],
            "search": [False, True],
            "reading": [False, True],
            "agent": [one.id for one in session.agents],
            "model": ["", *session.models],
            "follow_ups": get_args(FollowUpMode),
            "evidence": get_args(EvidenceMode),
            "time_range": ["", *get_args(TimeRange)],
        }
        taken = {
            name: value
            for name, values in offered.items()
            for value in values
            if isinstance(sent.get(name), str | bool) and sent[name] == value
        }
        return replace(self, **taken)

    def apply(self, session: Session) -> None:
        """Put the choices into effect, but for that of the evidence."""
        session.choose(
            self.mode,
            search=self.search,
            reading=self.reading,
            agent=self.agent,
            model=self.model,
            follow_ups=self.follow_ups,
            time_range=self.time_range,
        )

    async def keep(self) -> None:
        """Send the choices to public/page.js, which stores them as a cookie."""
        chosen = asdict(self)
        # A time limit that another conversation has forgotten would hide sources.
        del chosen["time_range"]
        value = quote(json.dumps(chosen, ensure_ascii=False), safe="")
        if len(value) <= _LONGEST:
            await cl.send_window_message(f"websearch:keep {value}")


def kept(environ: Mapping[str, Any]) -> dict[str, Any]:
    """Read the cookie of a connection; its values are untrusted."""
    pairs = str(environ.get("HTTP_COOKIE", "")).split(";")
    found = (pair.strip().partition("=") for pair in pairs)
    value = next((value for name, _, value in found if name == COOKIE), "")
    if not value or len(value) > _LONGEST:
        return {}
    try:
        chosen = json.loads(unquote(value))
    except (ValueError, RecursionError):
        return {}
    return chosen if isinstance(chosen, dict) else {}
