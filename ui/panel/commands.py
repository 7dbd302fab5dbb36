"""Commands that a user can type instead of a question."""

import re
from enum import StrEnum


class Command(StrEnum):
    """Commands for the search switch and the doctor."""

    ON = "search on"
    OFF = "search off"
    STATE = "search"
    DOCTOR = "doctor"


def report_question(message: str) -> str | None:
    """The question after `/report`; '' without one, None if it is no such command."""
    found = re.match(r"\s*/report(?:\s+|$)", message, re.IGNORECASE)
    return message[found.end() :].strip() if found else None


def parse(message: str) -> Command | None:
    """The command in *message*; None if it is a question."""
    words = message.strip().lower()
    if not words.startswith("/") or "\n" in words:
        return None
    name = re.sub(r"\s+", " ", words[1:])
    return Command(name) if name in {*Command} else None
