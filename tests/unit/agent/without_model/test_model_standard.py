"""LangChain's standard tests of chat models, on the one that needs no model."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_tests.integration_tests import ChatModelIntegrationTests
from langchain_tests.unit_tests import ChatModelUnitTests

from agent.without_model.model import BuiltinChatModel


def lacking(reason: str) -> Callable[..., None]:
    """A standard test of something that it has not, and says that it has not."""

    @pytest.mark.xfail(reason=reason, run=False)
    def test(self: object) -> None:
        """Not run."""

    return test


def other_tools(name: str) -> Callable[..., None]:
    """A standard test that wants another tool called than the one it knows."""

    @pytest.mark.xfail(reason="it calls web_search only", strict=True)
    def test(self: object, model: BaseChatModel) -> None:
        getattr(ChatModelIntegrationTests, name)(self, model)

    return test


class _Declared:
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return BuiltinChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {}

    @property
    def has_structured_output(self) -> bool:
        return False

    @property
    def has_tool_choice(self) -> bool:
        return False

    @property
    def returns_usage_metadata(self) -> bool:
        return False

    @property
    def supports_model_override(self) -> bool:
        return True

    @property
    def model_override_value(self) -> str | None:
        return "another-name"


class TestUnit(_Declared, ChatModelUnitTests):
    """LangChain's unit tests."""

    @pytest.fixture(autouse=True)
    def untimed(self, request: pytest.FixtureRequest) -> None:
        """How long making it takes says more of the machine than of the code."""
        if "benchmark" in request.fixturenames:
            request.getfixturevalue("benchmark").disabled = True

    test_init_from_env = lacking("it has no settings")
    test_serdes = lacking("there is nothing in it to store")


class TestIntegration(_Declared, ChatModelIntegrationTests):
    """LangChain's integration tests."""

    test_tool_calling = other_tools("test_tool_calling")
    test_bind_runnables_as_tools = other_tools("test_bind_runnables_as_tools")
    test_tool_calling_with_no_arguments = other_tools(
        "test_tool_calling_with_no_arguments"
    )
    test_agent_loop = other_tools("test_agent_loop")
    test_unicode_tool_call_integration = other_tools(
        "test_unicode_tool_call_integration"
    )

    @pytest.mark.xfail(reason="it calls web_search only", strict=True)
    async def test_tool_calling_async(self, model: BaseChatModel) -> None:
        await super().test_tool_calling_async(model)

    test_tool_choice = lacking("of all choices it knows `none` alone")
    test_structured_output = lacking("it quotes, and fills in no form")
    test_structured_output_async = lacking("it quotes, and fills in no form")
    test_structured_output_pydantic_2_v1 = lacking("it quotes, and fills in no form")
    test_structured_output_optional_param = lacking("it quotes, and fills in no form")
    test_json_mode = lacking("it quotes, and fills in no form")
    test_usage_metadata = lacking("no tokens are used")
    test_usage_metadata_streaming = lacking("no tokens are used")
    test_pdf_inputs = lacking("it reads text only")
    test_audio_inputs = lacking("it reads text only")
    test_image_inputs = lacking("it reads text only")
    test_image_tool_message = lacking("it reads text only")
    test_pdf_tool_message = lacking("it reads text only")
    test_anthropic_inputs = lacking("it reads text only")
    test_stream_time = lacking("there is no traffic to record")
