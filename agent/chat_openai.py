"""ChatOpenAI for every OpenAI-compatible server: it also hands on the reasoning."""

from typing import Any

from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI


class CompatChatOpenAI(ChatOpenAI):
    """
    Keeps `reasoning_content` (DeepSeek, Qwen, vLLM), which ChatOpenAI drops.

    It overrides a private method, so a contract test stands beside it.
    """

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        generation = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        thought = _reasoning(chunk)
        if thought and generation and isinstance(generation.message, AIMessageChunk):
            generation.message.additional_kwargs["reasoning_content"] = thought
        return generation


def _reasoning(chunk: dict[str, Any]) -> str:
    choices = chunk.get("choices") or [{}]
    delta = choices[0].get("delta") or {}
    thought = delta.get("reasoning_content") or delta.get("reasoning")
    return thought if isinstance(thought, str) else ""
