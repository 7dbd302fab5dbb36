"""The doctor at work on one server, and its report as text."""

import io

from rich.console import Console

from websearch.config.address import BaseAddress
from websearch.doctor.diagnosis import Diagnosis
from websearch.doctor.report import print_report
from websearch.doctor.searxng import SearxngDoctor
from websearch.engines import Searxng
from websearch.network.client import HttpClient


async def examine(
    url: str,
    *,
    seconds: float = 5.0,
    in_container: bool = False,
    usual_ports: tuple[int, ...] = (),
) -> Diagnosis:
    http = HttpClient()
    doctor = SearxngDoctor(
        Searxng(http, BaseAddress.parse(url)),
        http,
        seconds=seconds,
        in_container=in_container,
        usual_ports=usual_ports,
    )
    try:
        return await doctor.examine()
    finally:
        await http.aclose()


def problem(diagnosis: Diagnosis) -> str:
    return str(diagnosis.main.cause)


def problems(diagnosis: Diagnosis) -> list[str]:
    return [str(finding.cause) for finding in diagnosis.findings]


def told(diagnosis: Diagnosis) -> list[str]:
    """Each check with its state."""
    return [f"{check.question} {check.state}" for check in diagnosis.checks]


def report(diagnosis: Diagnosis, language: str, width: int = 100) -> str:
    """The report of a diagnosis as plain text."""
    out = io.StringIO()
    print_report(diagnosis, language, Console(file=out, width=width, color_system=None))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
