"""Diagnose the engines; used at start-up, by the `doctor` command and by the page."""

import asyncio
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from websearch.causes import Cause
from websearch.config import Rejection, Settings
from websearch.doctor.diagnosis import Diagnosis, Finding, together
from websearch.doctor.engine import examine, samples, unstarted
from websearch.doctor.searxng import SearxngDoctor
from websearch.engines import BACKENDS, Searxng
from websearch.factory import http_client_of
from websearch.network.client import HttpClient
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
    examiner = _Examiner(
        settings=settings,
        limits=limits or EngineLimits(),
        is_lone=plan.is_lone,
        in_container=_in_container() if in_container is None else in_container,
        is_thorough=is_thorough,
    )
    first = plan.names if is_thorough else plan.engines
    parts = await asyncio.gather(*(examiner.examine(name) for name in first))
    for name in plan.names[len(first) :]:
        if any(part.is_usable for part in parts):
            break
        parts.append(await examiner.examine(name))
    diagnosis = parts[0] if plan.is_lone else together(plan.title, parts)
    not_taken = [
        Finding(Cause.ENGINE_NOT_TAKEN, {**asdict(entry), "used": plan.title})
        for entry in plan.not_taken
    ]
    rejected = map(finding_of, settings.rejected)
    return replace(diagnosis, findings=[*rejected, *not_taken, *diagnosis.findings])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Examiner:
    """Runner of the checks for the kind of an engine."""

    settings: Settings
    limits: EngineLimits
    is_lone: bool
    in_container: bool
    is_thorough: bool

    async def examine(self, name: str) -> Diagnosis:
        if name == "stub":
            return samples(name)
        if name in BROWSER and not self.is_thorough:
            obstacle = self.limits.obstacle(name, self.settings)
            return unstarted(name, obstacle, seconds=self.settings.timeout_of(name))
        http = http_client_of(name, self.settings)
        processes = Processes.from_settings(self.settings)
        engine = BACKENDS[name].from_settings(self.settings, http, processes)
        try:
            if isinstance(engine, Searxng):
                return await self._searxng(engine, http)
            return await examine(
                self.limits.wrap(engine, self.settings, is_lone=self.is_lone),
                seconds=self.settings.timeout_of(name),
                is_keyed=key_variable(name) is not None,
                browser=processes.browser if name in BROWSER else None,
            )
        finally:
            await engine.aclose()
            await processes.browser.aclose()

    async def _searxng(self, searxng: Searxng, http: HttpClient) -> Diagnosis:
        doctor = SearxngDoctor(
            searxng,
            http,
            seconds=self.settings.timeout_of("searxng"),
            in_container=self.in_container,
        )
        return await doctor.examine()


def finding_of(rejected: Rejection) -> Finding:
    """The finding for a rejected entry of settings or files."""
    cause = Cause.FILE_MISTAKE if rejected.is_in_file else Cause.VALUE_INVALID
    return Finding(cause, asdict(rejected))


def _in_container() -> bool:
    marks = any(mark.exists() for mark in _CONTAINER_MARKS)
    return marks or "KUBERNETES_SERVICE_HOST" in os.environ
