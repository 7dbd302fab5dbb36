"""Map errors of a model's server, and bad ends of its stream, to ModelProblem."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from agent.causes import ModelProblem

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

# Tools, functions, tool calling, `function_call`, tool use …
_TOOLS = r"[`'\"]?(?:tools?|functions?)(?:[ _-](?:use|calls?|calling|choice))?\b[`'\"]?"
_NO_TOOLS = re.compile(
    # But not a message about a role, or about a conversation without a list of tools.
    rf"(?<!role )(?:does not|doesn't|do not) support {_TOOLS}(?! (?:calling )?without)"
    rf"|{_TOOLS} (?:is|are) (?:not|currently not) (?:supported|enabled|available)"
    r"|support tool use|tool choice requires|enable-auto-tool-choice|requires --jinja",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    # Gemini, vLLM, TGI, Bedrock, Zhipu, xAI and others each have their own words.
    r"context_length_exceeded|exceed_context_size|context (?:size|window|length)"
    r"|(?:maximum|max) (?:context|prompt|model) len|too many tokens"
    r"|(?:prompt|input) (?:is too long|exceeds max)|range of input length"
    r"|input token count.{0,20} exceeds|`inputs` tokens.{0,40} must be",
    re.IGNORECASE,
)
_LOADING = re.compile(r"loading (?:the )?model|model (?:is|being) load", re.IGNORECASE)
# These statuses are clear. For others the message counts first, because servers report
# the same fault with different statuses.
_CLEAR_STATUSES: Final = frozenset({401, 402, 429})
_BY_STATUS: Final[Mapping[object, ModelProblem]] = {
    401: ModelProblem.WRONG_KEY,
    402: ModelProblem.NO_QUOTA,
    403: ModelProblem.WRONG_KEY,
    404: ModelProblem.UNKNOWN_MODEL,
    408: ModelProblem.TIMEOUT,
    429: ModelProblem.RATE_LIMIT,
}
_LONGEST: Final = 4_000  # characters of a message
HALF_CALL: Final = "half_call"  # our reason: half a call was written as text
_BAD_ENDS: Final = {
    HALF_CALL: ModelProblem.SILENT,
    "length": ModelProblem.TOO_LONG_ANSWER,
    "model_length": ModelProblem.TOO_LONG_ANSWER,
    "max_tokens": ModelProblem.TOO_LONG_ANSWER,
    "content_filter": ModelProblem.FILTERED,
    "sensitive": ModelProblem.FILTERED,
    "abort": ModelProblem.CUT_OFF,
    "error": ModelProblem.CUT_OFF,
    "network_error": ModelProblem.CUT_OFF,
    "insufficient_system_resource": ModelProblem.CUT_OFF,
}


class BadEnd(Exception):
    """The model's stream ended badly; its tool calls must not be run."""

    def __init__(self, problem: ModelProblem) -> None:
        super().__init__(problem)
        self.problem = problem


def problem_of(error: BaseException, *, has_begun: bool = False) -> ModelProblem:
    """
    Classify *error*; its text is read here and never shown.

    An answer that *has_begun* and loses its server is cut off.
    """
    import openai  # noqa: PLC0415  heavy

    if isinstance(error, BadEnd):
        return error.problem
    status = getattr(error, "status_code", None)
    # Other fields may repeat the user's words.
    fields = fields_of(error) or {"message": str(error)}
    named = (fields.get(name) for name in ("code", "type", "message", "detail"))
    message = " ".join(str(part) for part in named if part)[:_LONGEST]
    if "insufficient_quota" in message:
        return ModelProblem.NO_QUOTA
    if status not in _CLEAR_STATUSES and _CONTEXT.search(message):
        return ModelProblem.CONTEXT_TOO_LONG
    if status not in _CLEAR_STATUSES and _NO_TOOLS.search(message):
        return ModelProblem.NO_TOOLS
    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        return ModelProblem.TIMEOUT
    if isinstance(error, openai.APIConnectionError):
        return ModelProblem.CUT_OFF if has_begun else ModelProblem.UNREACHABLE
    if not isinstance(error, openai.APIError):
        return ModelProblem.UNKNOWN
    if status == HTTPStatus.SERVICE_UNAVAILABLE and _LOADING.search(message):
        return ModelProblem.LOADING
    # An error in the middle of the stream has no status.
    if status is None or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ModelProblem.SERVER
    return _BY_STATUS.get(status, ModelProblem.REFUSED)


def fields_of(error: BaseException) -> Mapping[str, Any]:
    """The fields of an error as its server sent them."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    known = inner if isinstance(inner, dict) else body
    return known if isinstance(known, dict) else {}


def problem_at_end(message: "AIMessage | None") -> ModelProblem | None:
    """The problem of a stream that ended without an error, by its last chunk."""
    if message is None:
        return ModelProblem.SILENT
    content = message.text.strip() or message.tool_calls or message.invalid_tool_calls
    reason = message.response_metadata.get("finish_reason")
    if reason is None:
        return ModelProblem.CUT_OFF if content else ModelProblem.SILENT
    bad = _BAD_ENDS.get(str(reason).lower())
    return bad or (None if content else ModelProblem.SILENT)
