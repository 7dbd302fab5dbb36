"""What a user types instead of a question."""

import re
from enum import StrEnum


class Command(StrEnum):
    """The commands of the search switch."""

    ON = "on"
    OFF = "off"
    STATE = ""


_SEARCH = re.compile(r"/search(?:\s+(on|off))?", re.IGNORECASE)


def parse(message: str) -> Command | None:
    """The command that *message* is; None where it is a question."""
    match = _SEARCH.fullmatch(message.strip())
    return Command((match[1] or "").lower()) if match else None
