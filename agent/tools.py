"""The tools of the contract: the command line and other programs call them by name."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from agent.events import ms_since
from agent.research.bundle import as_bundle
from agent.research.tool import INPUT_SCHEMA as REPORT_SCHEMA
from agent.research.tool import as_result, checked
from agent.resources import Resources
from agent.session import open_session
from websearch import (
    FETCH_SCHEMA,
    SEARCH_SCHEMA,
    InvalidInput,
    ToolNotFound,
    WebProvider,
    web_fetch,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """The JSON schema of a tool's arguments, and the function that answers a call."""

    schema: Mapping[str, Any]
    answer: Callable[[Resources, Mapping[str, Any]], Awaitable[dict[str, Any]]]


async def _research_report(
    resources: Resources, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    question, changes = checked(arguments)
    started = time.monotonic()
    await resources.models.refresh()
    budget = resources.research.budget(**changes)
    run = open_session(resources).report(question, budget)
    try:
        report = await run.wait()
    finally:
        await run.aclose()
    bundle = as_bundle(run, log_queries=resources.settings.log_queries)
    return as_result(report, bundle, resources.search.provider, ms_since(started))


TOOLS: Final[Mapping[str, Tool]] = MappingProxyType(
    {
        "web.search": Tool(
            SEARCH_SCHEMA, lambda made, asked: WebProvider(made.search).acall(asked)
        ),
        "web.fetch": Tool(
            FETCH_SCHEMA, lambda made, given: web_fetch(made.reader, given)
        ),
        "research_report": Tool(REPORT_SCHEMA, _research_report),
    }
)


async def call(
    name: str, arguments: Mapping[str, Any], resources: Resources | None = None
) -> dict[str, Any]:
    """
    Answer a call of the tool *name*; raises only SearchError.

    Without *resources* they are made for this call from the settings; where those name
    no engine, the offline samples answer.
    """
    if (tool := TOOLS.get(name)) is None:
        known = ", ".join(TOOLS)
        raise ToolNotFound(f"There is no tool of that name; known are: {known}")
    if not isinstance(arguments, Mapping):
        raise InvalidInput("The arguments of a tool are an object")
    if resources is not None:
        return await tool.answer(resources, arguments)
    made = Resources.load(default="stub")
    try:
        return await tool.answer(made, arguments)
    finally:
        await made.aclose()
