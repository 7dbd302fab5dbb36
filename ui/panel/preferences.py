"""Preferences in a cookie, which outlive a reload and a new chat."""

import json
from collections.abc import Mapping
from typing import Any, Final, get_args
from urllib.parse import quote, unquote

import chainlit as cl

from agent import FollowUpMode, Mode, Session
from ui.server.settings import EvidenceMode

COOKIE: Final = "websearch"
_LONGEST: Final = 1_500


async def keep(session: Session, evidence: EvidenceMode) -> None:
    """Send the session's choices to public/page.js, which stores them as a cookie."""
    chosen = {
        "mode": session.mode,
        "search": session.wants_search,
        "reading": session.wants_reading,
        "agent": session.agent.id,
        "model": session.model,
        "evidence": evidence,
        "follow_ups": session.follow_ups,
    }
    value = quote(json.dumps(chosen, ensure_ascii=False), safe="")
    if len(value) <= _LONGEST:
        await cl.send_window_message(f"websearch:keep {value}")


def restore(session: Session, environ: Mapping[str, Any]) -> None:
    """Apply the choices of the cookie that are still available."""
    chosen = _chosen(str(environ.get("HTTP_COOKIE", "")))
    modes, search = {str(mode): mode for mode in Mode}, chosen.get("search")
    reading = chosen.get("reading")
    ways: tuple[FollowUpMode, ...] = get_args(FollowUpMode)
    session.choose(
        modes.get(_text(chosen.get("mode")) or "", session.mode),
        search=search if isinstance(search, bool) else session.wants_search,
        reading=reading if isinstance(reading, bool) else None,
        agent=_text(chosen.get("agent")),
        model=_text(chosen.get("model")),
        follow_ups=next((w for w in ways if w == chosen.get("follow_ups")), None),
    )


def evidence_of(environ: Mapping[str, Any]) -> EvidenceMode | None:
    """The choice of the cookie what of the evidence is shown; None without one."""
    chosen = _chosen(str(environ.get("HTTP_COOKIE", ""))).get("evidence")
    return next((mode for mode in get_args(EvidenceMode) if mode == chosen), None)


def _chosen(header: str) -> dict[str, Any]:
    """Read the choices from a Cookie header; it is untrusted, so it is checked."""
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    value = next((value for name, _, value in pairs if name == COOKIE), "")
    if not value or len(value) > _LONGEST:
        return {}
    try:
        chosen = json.loads(unquote(value))
    except (ValueError, RecursionError):
        return {}
    return chosen if isinstance(chosen, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
