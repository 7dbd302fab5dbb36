"""The doctor at work on one server."""

from websearch.config.address import BaseAddress
from websearch.doctor.diagnosis import Diagnosis
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
    return str(diagnosis.main.problem)
