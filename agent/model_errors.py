"""Which problem an error of the model's server is, or the end of its stream."""

import re
from typing import TYPE_CHECKING, Final

from agent.events import ModelProblem

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

# Words come before statuses: servers report the same fault with different ones.
_NO_TOOLS = re.compile(
    r"does not support tools|tool choice requires|enable-auto-tool-choice"
    r"|requires --jinja|tools? (?:is|are) not supported|does not support function"
    r"|unsupported.*tool|tool_calls? (?:is|are) not support",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context_length_exceeded|maximum context length|context (?:size|window|length)"
    r"|prompt is too long|too many tokens|exceed_context_size|range of input length",
    re.IGNORECASE,
)
_BY_STATUS: Final = {
    401: ModelProblem.WRONG_KEY,
    402: ModelProblem.NO_QUOTA,
    403: ModelProblem.WRONG_KEY,
    404: ModelProblem.UNKNOWN_MODEL,
    408: ModelProblem.TIMEOUT,
    429: ModelProblem.RATE_LIMIT,
}
_SERVER_ERROR: Final = 500
_BAD_ENDS: Final = {
    "length": ModelProblem.TOO_LONG_ANSWER,
    "content_filter": ModelProblem.FILTERED,
}


def problem_of(error: BaseException) -> ModelProblem:
    """The problem behind *error*; its text is read here and shown nowhere."""
    import openai  # noqa: PLC0415  heavy

    said = f"{getattr(error, 'code', '')} {error} {getattr(error, 'body', '')}"[:4_000]
    if _CONTEXT.search(said):
        return ModelProblem.CONTEXT_TOO_LONG
    if _NO_TOOLS.search(said):
        return ModelProblem.NO_TOOLS
    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        return ModelProblem.TIMEOUT
    if isinstance(error, openai.APIConnectionError):
        return ModelProblem.UNREACHABLE
    if "insufficient_quota" in said:
        return ModelProblem.NO_QUOTA
    return _by_status(error, getattr(error, "status_code", None))


def problem_at_end(message: "AIMessage | None") -> ModelProblem | None:
    """A stream that just ends raises nothing: only its last chunk tells."""
    if message is None:
        return ModelProblem.SILENT
    said = message.text.strip() or message.tool_calls or message.invalid_tool_calls
    reason = message.response_metadata.get("finish_reason")
    if reason is None:
        return ModelProblem.CUT_OFF if said else ModelProblem.SILENT
    return _BAD_ENDS.get(reason, None if said else ModelProblem.SILENT)


def _by_status(error: BaseException, status: object) -> ModelProblem:
    import openai  # noqa: PLC0415  heavy

    if not isinstance(status, int):
        # An error in the middle of the stream has no status.
        is_known = isinstance(error, openai.APIError)
        return ModelProblem.SERVER if is_known else ModelProblem.UNKNOWN
    if status >= _SERVER_ERROR:
        return ModelProblem.SERVER
    return _BY_STATUS.get(status, ModelProblem.REFUSED)
