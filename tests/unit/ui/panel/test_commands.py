"""Commands that a user types instead of a question."""

import pytest

from ui.panel.commands import Command, parse


@pytest.mark.spec("A4")
@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("/search on", Command.ON),
        ("/search off", Command.OFF),
        ("/search", Command.STATE),
        ("  /SEARCH   On ", Command.ON),
        ("/search maybe", None),
        ("/searching", None),
        ("please /search on", None),
        ("/search on\nand more", None),
        ("", None),
    ],
)
def test_parse(typed: str, command: Command | None) -> None:
    """Only the commands themselves are commands; all else is a question."""
    assert parse(typed) is command
