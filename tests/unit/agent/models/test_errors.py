"""Problems are found by the server's own message, never by quoted words."""

from typing import Any

import httpx2
import openai
import pytest
from langchain_core.messages import AIMessage

from agent.models.errors import problem_at_end, problem_of


def error(status: int, message: str, **more: Any) -> openai.APIStatusError:
    body = {"message": message, **more}
    response = httpx2.Response(status, request=httpx2.Request("POST", "http://x"))
    return openai.APIStatusError(f"Error {body}", response=response, body=body)


@pytest.mark.parametrize(
    ("status", "message", "more", "problem"),
    [
        # what servers call a refusal of tools
        (400, "gemma:2b does not support tools", {}, "no_tools"),
        (400, "This model does not support tool calls", {}, "no_tools"),
        (400, "Function calling is not enabled for this model", {}, "no_tools"),
        (400, "Function call is not supported for this model", {}, "no_tools"),
        (400, "`tool calling` is not supported", {}, "no_tools"),
        (400, "tool_call is not supported", {}, "no_tools"),
        (
            404,
            "No endpoints found that support tool use. Try disabling web_search",
            {},
            "no_tools",
        ),
        (400, '"auto" tool choice requires --enable-auto-tool-choice', {}, "no_tools"),
        (500, "tools param requires --jinja flag", {}, "no_tools"),
        # words that a server repeats, or says of something else, do not count
        (400, "Failed", {"failed_generation": "does not support tools"}, "refused"),
        (400, "Failed", {"input": "GPT-5 context window size"}, "refused"),
        (400, "messages[3].role does not support 'tool'", {}, "refused"),
        (400, "X doesn't support tool calling without `tools=` param", {}, "refused"),
        (429, "too many tokens per minute", {}, "rate_limit"),
        (429, "quota", {"code": "insufficient_quota"}, "no_quota"),
        (401, "key of a model that does not support tools", {}, "wrong_key"),
        (400, "maximum context length is 8192 tokens", {}, "context_too_long"),
        (400, "bad stream_options", {}, "refused"),
        # without such words the status tells
        (402, "Insufficient Balance", {}, "no_quota"),
        (404, "no such model", {}, "unknown_model"),
        (500, "boom", {}, "server"),
        (503, "Loading model", {"type": "unavailable_error"}, "loading"),
        (503, "overloaded", {}, "server"),
    ],
)
def test_problems(
    status: int, message: str, more: dict[str, str], problem: str
) -> None:
    """A refusal is known by its status, its code, or what servers call it."""
    assert problem_of(error(status, message, **more)) == problem


@pytest.mark.parametrize(
    ("reason", "problem"),
    [
        ("stop", None),
        ("STOP", None),
        ("eos", None),
        ("length", "too_long_answer"),
        ("model_length", "too_long_answer"),
        ("content_filter", "filtered"),
        ("abort", "cut_off"),
        ("insufficient_system_resource", "cut_off"),
        (None, "cut_off"),
    ],
)
def test_ends(reason: str | None, problem: str | None) -> None:
    """The last chunk shows how a stream ended."""
    message = AIMessage("hello", response_metadata={"finish_reason": reason})

    assert problem_at_end(message) == problem
