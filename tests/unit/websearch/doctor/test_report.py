"""The doctor's report, as it stands in a terminal."""

import io

import pytest
from rich.console import Console
from support.doctor import report

from websearch.advice import facts_of
from websearch.causes import Cause
from websearch.config.address import BaseAddress
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State
from websearch.doctor.report import print_report

ADDRESS = BaseAddress("http://localhost:8080")
JSON_OFF = Diagnosis(
    "searxng",
    ADDRESS.url,
    [
        Check(Question.REACHABLE, State.PASSED),
        Check(Question.SEARXNG, State.PASSED),
        Check(Question.JSON, State.FAILED, "403"),
        Check(Question.SEARCH, State.SKIPPED),
    ],
    [Finding(Cause.JSON_DISABLED, facts_of(ADDRESS, 5))],
)


@pytest.mark.spec("G3")
def test_commands_copy_whole() -> None:
    """A command is never folded, however narrow the terminal."""
    command = JSON_OFF.main.advice("en-US").command

    assert command in report(JSON_OFF, "en-US", width=40)


@pytest.mark.spec("G3")
def test_colour() -> None:
    """A terminal gets colour, a file gets none."""
    terminal = io.StringIO()
    print_report(
        JSON_OFF,
        "en-US",
        Console(file=terminal, force_terminal=True, color_system="standard"),
    )

    assert "\x1b[31m" in terminal.getvalue()
    assert "\x1b[" not in report(JSON_OFF, "en-US")


def test_markup_is_text() -> None:
    """Brackets in an address or in a stranger's words are shown, not obeyed."""
    odd = Diagnosis(
        "searxng",
        "http://[::1]:8080",
        [Check(Question.SEARXNG, State.FAILED, "[red]x[/red]")],
        [Finding(Cause.NOT_SEARXNG, {"title": " “[bold]t[/bold]”"})],
    )

    text = report(odd, "en-US")

    assert "http://[::1]:8080" in text
    assert "[red]x[/red]" in text
    assert "[bold]t[/bold]" in text
