"""Find out what is wrong with search; used at start-up, by doctor and by the page."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

from websearch.advice import Problem
from websearch.backends import BACKENDS, Searxng
from websearch.create import DEFAULT_BACKEND
from websearch.findings import Check, Diagnosis, Finding, Question, State
from websearch.http import Http
from websearch.searxng_doctor import SearxngDoctor
from websearch.settings import Settings
from websearch.text import short

_CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))


def diagnose(settings: Settings, *, backend: str | None = None) -> Diagnosis:
    """Check the backend of *settings*, or *backend*, and wait for the findings."""
    return asyncio.run(adiagnose(settings, backend=backend))


async def adiagnose(
    settings: Settings,
    *,
    backend: str | None = None,
    in_container: bool | None = None,
) -> Diagnosis:
    """Check the backend of *settings*, or *backend*, without blocking the loop."""
    named = backend or settings.backend or DEFAULT_BACKEND
    name = named if named in BACKENDS else DEFAULT_BACKEND
    if name == "stub":
        checks = [Check(Question.SEARCH, State.PASSED, "3")]
        diagnosis = Diagnosis(name, None, checks, [Finding(Problem.SAMPLES)])
    else:
        diagnosis = await _examine(
            settings, _in_container() if in_container is None else in_container
        )
    unknown = [] if name == named else [_unknown_backend(named)]
    return replace(
        diagnosis, findings=[*_rejected(settings), *unknown, *diagnosis.findings]
    )


async def _examine(settings: Settings, in_container: bool) -> Diagnosis:
    http = Http()
    doctor = SearxngDoctor(
        Searxng.from_settings(settings, http),
        http,
        seconds=settings.timeout,
        in_container=in_container,
    )
    try:
        return await doctor.examine()
    finally:
        await http.aclose()


def _rejected(settings: Settings) -> list[Finding]:
    """Settings that were not taken, so that nobody wonders why they have no effect."""
    return [
        Finding(
            Problem.ADDRESS_INVALID
            if rejected.variable == "SEARXNG_BASE_URL"
            else Problem.VALUE_INVALID,
            {
                "variable": rejected.variable,
                "value": rejected.shown,
                "reason": rejected.reason,
                "default": rejected.default,
            },
        )
        for rejected in settings.rejected
    ]


def _unknown_backend(named: str) -> Finding:
    facts = {
        "variable": "WEB_SEARCH_BACKEND",
        "value": short(named),
        "reason": f"known are {', '.join(BACKENDS)}",
        "default": DEFAULT_BACKEND,
    }
    return Finding(Problem.VALUE_INVALID, facts)


def _in_container() -> bool:
    marks = any(mark.exists() for mark in _CONTAINER_MARKS)
    return marks or "KUBERNETES_SERVICE_HOST" in os.environ
