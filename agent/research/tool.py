"""`research_report`, a tool of the contract: JSON in, a report with its steps out."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, aclosing
from typing import Any, Final

from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.research.budget import (
    MOST_PAGES,
    MOST_SEARCHES,
    MOST_SECONDS,
    MOST_TOKENS,
    Budget,
    ResearchSettings,
)
from agent.research.bundle import as_bundle
from agent.research.gather import SAMPLES_ONLY
from agent.research.markdown import as_markdown
from agent.research.report import Ended, Report, Statement
from agent.research.run import MOST_QUESTION, ReportRun, checked_question
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

_LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "max_searches": (1, MOST_SEARCHES),
    "max_pages": (0, MOST_PAGES),
    "max_seconds": (1, MOST_SECONDS),
    "max_tokens": (0, MOST_TOKENS),
}
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
            name: {
                "type": "integer",
                "minimum": least,
                "maximum": most,
                "description": f"The most {name.removeprefix('max_')} to spend.",
            }
            for name, (least, most) in _LIMITS.items()
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
        question, budget = _checked(arguments)
        settings = self._settings
        processes, models = (
            Processes.from_settings(settings),
            Models(ModelSettings.load()),
        )
        search = create_service(settings, default="stub", processes=processes)
        reader = create_reader(settings, processes=processes)
        async with AsyncExitStack() as closing:
            closing.push_async_callback(models.aclose)
            closing.push_async_callback(processes.browser.aclose)
            closing.push_async_callback(reader.aclose)
            closing.push_async_callback(search.aclose)
            await models.refresh()
            run = ReportRun(
                question,
                model=models.default,
                search=search,
                reader=reader,
                budget=budget,
            )
            closing.push_async_callback(run.aclose)
            run.start()
            async with aclosing(run.follow()) as events:
                async for _ in events:
                    pass
            return _told(run, search.provider, log_queries=settings.log_queries)

    def close(self) -> None:
        """Nothing stays open between calls."""


def _checked(arguments: object) -> tuple[str, Budget]:
    """The question and the budget; InvalidInput names what is wrong, not its value."""
    if not isinstance(arguments, Mapping):
        raise InvalidInput("The arguments of a tool are an object")
    if unknown := arguments.keys() - INPUT_SCHEMA["properties"].keys():
        known = ", ".join(INPUT_SCHEMA["properties"])
        raise InvalidInput(f"{len(unknown)} arguments are unknown; known: {known}")
    for name, (least, most) in _LIMITS.items():
        value = arguments.get(name)
        is_count = isinstance(value, int) and not isinstance(value, bool)
        if value is not None and not (is_count and least <= value <= most):
            raise InvalidInput(f"{name} must be a whole number from {least} to {most}")
    changes = {name.removeprefix("max_"): arguments.get(name) for name in _LIMITS}
    budget = Budget.of(ResearchSettings.load(), **changes)
    return checked_question(arguments.get("question")), budget


def _told(run: ReportRun, provider: str, *, log_queries: bool) -> dict[str, Any]:
    report = run.report
    bundle = as_bundle(report, run.events, log_queries=log_queries)
    errors = [_error(one.error) for one in report.failed]
    errors += [_error(one.error) for one in report.unread]
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
            "latency_ms": run.elapsed_ms,
            **{
                key: bundle[key] for key in ("detail_codes", "ended", "budget", "spent")
            },
            "steps": bundle["steps"],
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
