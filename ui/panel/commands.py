"""What a user types instead of a question."""

import re
from enum import StrEnum


class Command(StrEnum):
    """The commands of the search switch, and the one for the doctor."""

    ON = "search on"
    OFF = "search off"
    STATE = "search"
    DOCTOR = "doctor"


def parse(message: str) -> Command | None:
    """The command that *message* is; None where it is a question."""
    words = message.strip().lower()
    if not words.startswith("/") or "\n" in words:
        return None
    said = re.sub(r"\s+", " ", words[1:])
    return Command(said) if said in {*Command} else None
