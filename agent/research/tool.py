"""`research_report`, a tool of the contract: JSON in, a report with its steps out."""

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from agent.events import ms_since
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.research.budget import (
    LIMITS,
    Budget,
    ResearchSettings,
    check_limit,
)
from agent.research.bundle import as_bundle
from agent.research.gather import SAMPLES_ONLY
from agent.research.markdown import as_markdown
from agent.research.report import Ended, Report, Statement
from agent.research.run import MOST_QUESTION, checked_question
from agent.resources import Resources
from agent.session import open_session
from websearch import (
    InvalidInput,
    Processes,
    SearchError,
    ToolRegistry,
    builtin_tools,
    create_reader,
    create_service,
)
from websearch.config import Settings

TOOL_NAME: Final = "research_report"
_NO_SAMPLES: Final = (
    "No search engine is set up (WEB_SEARCH_BACKEND): there are offline samples only, "
    "and no report is made of them."
)

_TOLD: Final = ("detail_codes", "ended", "budget", "spent", "steps")
INPUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "question": {
            "type": "string",
            "minLength": 1,
            "maxLength": MOST_QUESTION,
            "description": "What the report is about, in the language it is wanted in.",
        },
        **{
            f"max_{part}": {
                "type": "integer",
                "minimum": least,
                "maximum": most,
                "description": f"The most {part} to spend.",
            }
            for part, (least, most) in LIMITS.items()
        },
    },
    "required": ["question"],
    "additionalProperties": False,
}


def tools(settings: Settings | None = None) -> ToolRegistry:
    """Every tool of the contract: those of `websearch`, and the report."""
    settings = settings or Settings.load()
    registry = builtin_tools(settings)
    registry.register(TOOL_NAME, ReportProvider(settings), INPUT_SCHEMA)
    return registry


class ReportProvider:
    """
    Answers `research_report`; each call has connections of its own.

    As for every tool of the contract, an unset backend means the offline samples.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings.load()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Make a report, and wait for it; also where an event loop is running."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # so that Ctrl-C ends it
            return asyncio.run(self.acall(tool, arguments))
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, self.acall(tool, arguments)).result()

    async def acall(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Make a report without blocking the event loop."""
        del tool
        question, changes = _checked(arguments)
        settings, processes = self._settings, Processes.from_settings(self._settings)
        resources = Resources(
            Models(ModelSettings.load()),
            create_service(settings, default="stub", processes=processes),
            settings,
            reader=create_reader(settings, processes=processes),
            processes=processes,
        )
        started = time.monotonic()
        try:
            await resources.models.refresh()
            budget = Budget.of(ResearchSettings.load(), **changes)
            run = open_session(resources).report(question, budget)
            try:
                report = await run.wait()
            finally:
                await run.aclose()
        finally:
            await resources.aclose()
        bundle = as_bundle(run, log_queries=settings.log_queries)
        return _told(report, bundle, resources.search.provider, ms_since(started))

    def close(self) -> None:
        """Nothing stays open between calls."""


def _checked(arguments: object) -> tuple[str, Mapping[str, Any]]:
    """The question and the budget; InvalidInput names what is wrong, not its value."""
    if not isinstance(arguments, Mapping):
        raise InvalidInput("The arguments of a tool are an object")
    if unknown := arguments.keys() - INPUT_SCHEMA["properties"].keys():
        known = ", ".join(INPUT_SCHEMA["properties"])
        raise InvalidInput(f"{len(unknown)} arguments are unknown; known: {known}")
    changes = {part: arguments.get(f"max_{part}") for part in LIMITS}
    for part, value in changes.items():
        if value is not None:
            check_limit(part, value, f"max_{part}")
    return checked_question(arguments.get("question")), changes


def _told(
    report: Report, bundle: Mapping[str, Any], provider: str, took_ms: int
) -> dict[str, Any]:
    errors = [_error(one.error) for one in (*report.failed, *report.partly)]
    errors += [_error(one.error) for one in report.unread if one.error]
    if report.ended is Ended.SAMPLES:
        error = SearchError(_NO_SAMPLES, detail_code=SAMPLES_ONLY, provider="stub")
        errors.append(_error(error))
    return {
        "question": report.question,
        "report": as_markdown(report),
        "sections": [
            {
                "question": section.question,
                "statements": [_statement(one) for one in section.statements],
            }
            for section in report.sections
        ],
        "differences": [
            {
                "values": [*one.values],
                "statements": [_statement(side) for side in one.statements],
            }
            for one in report.differences
        ],
        "items": _items(report, provider),
        "provider_meta": {
            "provider_name": provider,
            "latency_ms": took_ms,
            **{name: bundle[name] for name in _TOLD},
        },
        "errors": errors,
    }


def _statement(one: Statement) -> dict[str, Any]:
    return {
        "text": one.text,
        "numbers": [*one.numbers],
        "quoted": one.is_quoted,
        "evidence": [one.evidence.get(number, "") for number in one.numbers],
    }


def _items(report: Report, provider: str) -> list[dict[str, Any]]:
    """The cited pages in the shape of `web.search`; the rank is the number."""
    return [
        {
            "title": one.title,
            "url": one.url,
            "snippet": one.snippet,
            "provider": provider,
            "rank": one.number,
            "source": one.domain,
            "published_at": one.published_at,
        }
        for one in report.cited
    ]


def _error(error: SearchError) -> dict[str, Any]:
    told = error.as_dict()
    return {key: told[key] for key in ("type", "message", "retryable", "detail_code")}
