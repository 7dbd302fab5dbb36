"""A minimal app with search and streaming: no panel, steps, links or history."""

import os

import chainlit as cl
import httpx
import openai

client = httpx.AsyncClient(base_url=os.environ["SEARXNG_BASE_URL"])
model = openai.AsyncOpenAI(base_url=os.environ["OPENAI_BASE_URL"], api_key="no-key")


@cl.on_message
async def receive(message: cl.Message) -> None:
    """Search once, put the results into the prompt, stream the model's answer."""
    found = await client.get("/search", params={"q": message.content, "format": "json"})
    results = "\n".join(
        f"[{number}] {row['title']}\n{row['content']}"
        for number, row in enumerate(found.json()["results"][:5], start=1)
    )
    stream = await model.chat.completions.create(
        model="bench",
        messages=[{"role": "user", "content": f"{results}\n\n{message.content}"}],
        stream=True,
    )
    answer = cl.Message("")
    async for chunk in stream:
        if chunk.choices and (token := chunk.choices[0].delta.content):
            await answer.stream_token(token)
    await answer.update()  # type: ignore[no-untyped-call]  # Chainlit's
