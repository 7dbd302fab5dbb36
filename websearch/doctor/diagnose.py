"""Diagnose the engines; used at start-up, by the `doctor` command and by the page."""

import asyncio
import os
from dataclasses import asdict, replace
from pathlib import Path

from websearch.causes import Cause
from websearch.config import Rejection, Settings
from websearch.doctor.diagnosis import Diagnosis, Finding, together
from websearch.doctor.engine import examine, samples, unstarted
from websearch.doctor.searxng import SearxngDoctor
from websearch.engines import BACKENDS, Searxng
from websearch.factory import http_client_of
from websearch.processes import Processes
from websearch.routing.limits import BROWSER, EngineLimits, key_variable
from websearch.routing.selection import chosen, only

_CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))


async def adiagnose(
    settings: Settings,
    *,
    backend: str | None = None,
    in_container: bool | None = None,
    limits: EngineLimits | None = None,
    is_thorough: bool = True,
) -> Diagnosis:
    """
    Check the engines of *settings*, or of *backend*, without blocking the loop.

    With the *limits* of a process that searches too, an engine that cools down is not
    searched. A check that is not thorough starts no browser, and tries an engine of
    the chain only if those before it fail.
    """
    plan = only(backend) if backend else chosen(settings)
    limits = limits or EngineLimits()

    async def examined(name: str) -> Diagnosis:
        seconds = settings.timeout_of(name)
        if name == "stub":
            return samples(name)
        if name in BROWSER and not is_thorough:
            return unstarted(name, limits.obstacle(name, settings), seconds=seconds)
        http = http_client_of(name, settings)
        processes = Processes.from_settings(settings)
        engine = BACKENDS[name].from_settings(settings, http, processes)
        try:
            if isinstance(engine, Searxng):
                is_inside = in_container
                if is_inside is None:
                    is_inside = "KUBERNETES_SERVICE_HOST" in os.environ or any(
                        mark.exists() for mark in _CONTAINER_MARKS
                    )
                return await SearxngDoctor(
                    engine, http, seconds=seconds, in_container=is_inside
                ).examine()
            return await examine(
                limits.wrap(engine, settings, is_lone=plan.is_lone),
                seconds=seconds,
                is_keyed=key_variable(name) is not None,
                browser=processes.browser if name in BROWSER else None,
            )
        finally:
            await engine.aclose()
            await processes.browser.aclose()

    first = plan.names if is_thorough else plan.engines
    parts = await asyncio.gather(*map(examined, first))
    for name in plan.names[len(first) :]:
        if any(part.is_usable for part in parts):
            break
        parts.append(await examined(name))
    diagnosis = parts[0] if plan.is_lone else together(plan.title, parts)
    not_taken = [
        Finding(Cause.ENGINE_NOT_TAKEN, {**asdict(entry), "used": plan.title})
        for entry in plan.not_taken
    ]
    rejected = map(finding_of, settings.rejected)
    return replace(diagnosis, findings=[*rejected, *not_taken, *diagnosis.findings])


def finding_of(rejected: Rejection) -> Finding:
    """The finding for a rejected entry of settings or files."""
    cause = Cause.FILE_MISTAKE if rejected.is_in_file else Cause.VALUE_INVALID
    return Finding(cause, asdict(rejected))
