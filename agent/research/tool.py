"""`research_report`, a tool of the contract: JSON in, a report with its steps out."""

from collections.abc import Mapping
from typing import Any, Final

from agent.research.budget import LIMITS, check_limit
from agent.research.files import as_markdown
from agent.research.report import Ended, NoReport, Report, Statement
from agent.research.run import MOST_QUESTION, checked_question
from websearch import InvalidInput

_ERROR_FIELDS: Final = ("type", "message", "retryable", "detail_code")
_STEP_FIELDS: Final = ("detail_codes", "ended", "budget", "spent", "steps")
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
    """The report as data, with the steps of its *bundle*; NoReport of samples."""
    if report.ended is Ended.SAMPLES:
        raise NoReport
    errors = [search.error for search in (*report.failed, *report.partly)]
    errors += [page.error for page in report.unread if page.error]
    return {
        "question": report.question,
        "report": as_markdown(report),
        "sections": [
            {
                "question": section.question,
                "statements": [*map(_statement, section.statements)],
            }
            for section in report.sections
        ],
        "differences": [
            {
                "values": [*pair.values],
                "statements": [*map(_statement, pair.statements)],
            }
            for pair in report.differences
        ],
        # The cited pages in the shape of `web.search`; the rank is the number.
        "items": [
            {
                "title": source.title,
                "url": source.url,
                "snippet": source.snippet,
                "provider": provider,
                "rank": source.number,
                "source": source.domain,
                "published_at": source.published_at,
            }
            for source in report.cited
        ],
        "provider_meta": {
            "provider_name": provider,
            "latency_ms": took_ms,
            **{name: bundle[name] for name in _STEP_FIELDS},
        },
        "errors": [
            {name: fields[name] for name in _ERROR_FIELDS}
            for fields in (error.as_dict() for error in errors)
        ],
    }


def _statement(statement: Statement) -> dict[str, Any]:
    return {
        "text": statement.text,
        "numbers": [*statement.numbers],
        "quoted": statement.is_quoted,
        "evidence": [statement.evidence.get(n, "") for n in statement.numbers],
    }
