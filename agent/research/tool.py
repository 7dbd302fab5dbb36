"""`research_report`, a tool of the contract: JSON in, a report with its steps out."""

from collections.abc import Mapping
from typing import Any, Final

from agent.research.budget import LIMITS, check_limit
from agent.research.gather import SAMPLES_ONLY
from agent.research.markdown import as_markdown
from agent.research.report import Ended, Report, Statement
from agent.research.run import MOST_QUESTION, checked_question
from websearch import InvalidInput, SearchError

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


def checked(arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The question and the budget; InvalidInput names what is wrong, not its value."""
    if unknown := arguments.keys() - INPUT_SCHEMA["properties"].keys():
        known = ", ".join(INPUT_SCHEMA["properties"])
        raise InvalidInput(f"{len(unknown)} arguments are unknown; known: {known}")
    changes = {part: arguments.get(f"max_{part}") for part in LIMITS}
    for part, value in changes.items():
        if value is not None:
            check_limit(part, value, f"max_{part}")
    return checked_question(arguments.get("question")), changes


def as_result(
    report: Report, bundle: Mapping[str, Any], provider: str, took_ms: int
) -> dict[str, Any]:
    """The result of a call: the report as data, with the steps of its *bundle*."""
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
