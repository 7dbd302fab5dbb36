"""The shortest possible agent: a loop over the model's client, a GET to search."""

import asyncio
import json
from typing import Any, Final

import httpx
import openai

_RESULTS: Final = 5  # as many as ours by default
_SYSTEM: Final = "Search where you need to. Cite each result you use by its [number]."
_TOOL: Final = {
    "type": "function",
    "function": {
        "name": "web_search",
        "description": "Search the web for what is new or has to be checked.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "Keywords"}},
            "required": ["query"],
        },
    },
}


class PlainAgent:
    """A loop with pooled clients and parallel searches, without cache or numbers."""

    def __init__(self, search: str, model: str) -> None:
        self._search = httpx.AsyncClient(base_url=search)
        self._model = openai.AsyncOpenAI(base_url=model, api_key="no-key")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._search.aclose()
        await self._model.close()

    async def ask(self, question: str) -> list[str]:
        """The pieces of the answer to *question*."""
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": _SYSTEM},
            {"role": "user", "content": question},
        ]
        while True:
            pieces, calls = await self._step(messages)
            if not calls:
                return pieces
            said = {"role": "assistant", "content": "".join(pieces)}
            messages.append({**said, "tool_calls": calls})
            messages += await asyncio.gather(*(self._result(call) for call in calls))

    async def _step(
        self, messages: list[dict[str, Any]]
    ) -> tuple[list[str], list[dict[str, Any]]]:
        stream: Any = await self._model.chat.completions.create(  # type: ignore[call-overload]  # plain dicts will do
            model="bench",
            messages=messages,
            tools=[_TOOL],
            stream=True,
            stream_options={"include_usage": True},
        )
        pieces: list[str] = []
        calls: list[dict[str, Any]] = []
        async for chunk in stream:
            delta = chunk.choices[0].delta if chunk.choices else None
            if delta and delta.content:
                pieces.append(delta.content)
            for part in (delta and delta.tool_calls) or ():
                if part.id:
                    called = {"name": part.function.name, "arguments": ""}
                    kind = {"id": part.id, "type": "function"}
                    calls.append({**kind, "function": called})
                calls[part.index]["function"]["arguments"] += part.function.arguments
        return pieces, calls

    async def _result(self, call: dict[str, Any]) -> dict[str, Any]:
        query = json.loads(call["function"]["arguments"])["query"]
        params = {"q": query, "format": "json"}
        response = await self._search.get("/search", params=params)
        rows = response.json()["results"][:_RESULTS]
        text = "\n".join(
            f"[{number}] {row['title']} | {row['url']} | {row['content']}"
            for number, row in enumerate(rows, start=1)
        )
        return {"role": "tool", "tool_call_id": call["id"], "content": text}
