"""Print a diagnosis in a terminal."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from websearch.causes import label
from websearch.doctor.diagnosis import Diagnosis, State
from websearch.doctor.overview import Entry

_MARGIN: Final = (0, 0, 0, 4)
_STYLES: Final = dict(zip(State, ("green", "yellow", "red", "dim"), strict=True))


def print_report(
    diagnosis: Diagnosis, language: str, console: Console | None = None
) -> None:
    """Draw *diagnosis*: its checks as a table, then each finding with its cure."""
    console = console or Console()
    where = f"  {escape(diagnosis.address)}" if diagnosis.address else ""
    console.print(f"[bold]{escape(diagnosis.backend)}[/bold]{where}", highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 2))
    for check in diagnosis.checks:
        style = _STYLES[check.state]
        table.add_row(
            Text(check.state.sign, style),
            Text(label(check.question, language)),
            Text(label(check.state, language), style),
            Text(check.note, "dim"),
        )
    console.print(table)
    for finding in diagnosis.findings:
        advice = finding.advice(language)
        console.print()
        style = "bold green" if finding.is_harmless else "bold red"
        console.print(Text(advice.title, style))
        steps = Table.grid(padding=(0, 1, 0, 0))
        for number, step in enumerate(advice.cure, start=1):
            steps.add_row(*([f"{number}."] if len(advice.cure) > 1 else []), Text(step))
        parts: Mapping[str, RenderableType] = {
            "cause": Padding(Text(advice.cause), _MARGIN, expand=False),
            "cure": Padding(steps, _MARGIN, expand=False) if advice.cure else "",
            "check": Text(f"    {advice.command}", "cyan") if advice.command else "",
            "more": Text(f"    {advice.link}", "cyan") if advice.cure else "",
        }
        for name, part in parts.items():
            if part:
                console.print(Text(f"  {label(name, language)}", "bold"))
                # Commands are never folded, so that they copy whole.
                console.print(part, soft_wrap=isinstance(part, Text))


def print_backends(entries: Sequence[Entry], language: str, console: Console) -> None:
    """Draw the table of backends."""
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="bold")
    for column in ("backend", "needs_key", "chosen", "usable"):
        table.add_column(label(column, language))
    for entry in entries:
        state = State.FAILED if entry.why_not else State.PASSED
        table.add_row(
            Text(entry.name, "" if entry.chosen == "unused" else "bold"),
            Text(entry.key or label("unused", language)),
            Text(label(entry.chosen, language)),
            Text(
                f"{state.sign} {entry.why_not or label(state, language)}",
                _STYLES[state],
            ),
        )
    console.print(table)
