"""Chat mode: search with the user's words, put the results into the prompt, answer."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from agent.answering import Asked, Material, failed, gather, quoted
from agent.causes import ModelProblem
from agent.events import Answer, Event, PromptCut, SearchStarted
from agent.follow_up import FollowUps
from agent.history import recent
from agent.models.context import count_tokens, fitting
from agent.models.stream import Written, stream
from agent.prompts import go_on_prompt, question_prompt, system_prompt
from citations import Source
from text.passages import pick
from text.rank import Passage
from websearch import SearchResponse

_MOST_TRIES: Final = 4  # a refusal takes the server milliseconds
_LEAST_SNIPPET: Final = 40  # characters of a source


async def answer(
    asked: Asked, follow_ups: FollowUps | None = None
) -> AsyncGenerator[Event, None]:
    """
    Yield the events of an answer.

    *follow_ups* complete the question from the turns before; without them it is
    searched as typed.
    """
    for notice in asked.notices:
        yield notice
    material = Material(topic=asked.question)
    if asked.search is not None:
        queries = _queries(asked, material, follow_ups)
        async with aclosing(gather(asked, material, queries)) as events:
            async for event in events:
                yield event
    by_model = not asked.model.is_built_in
    writing = go_on(asked, material) if by_model else quoted(asked, material)
    async with aclosing(writing) as events:
        async for event in events:
            yield event


async def go_on(
    asked: Asked, material: Material, begun: str = ""
) -> AsyncGenerator[Event, None]:
    """
    Let the model write the answer, or what follows where it broke off after *begun*.

    Where it fails before its first word, quotations of the *material* stand in.
    """
    written, told = Written(), None
    rest = [("assistant", begun), ("user", go_on_prompt(asked.question))]
    for _ in range(_MOST_TRIES):  # a refused prompt teaches how long one may be
        # In a thread: ranking the passages of long pages would block the event loop.
        messages, cut = await asyncio.to_thread(_messages, asked, material)
        if cut and cut != told:
            yield (told := cut)
        messages += rest if begun else []
        written = Written()
        async with aclosing(stream(asked.model, messages, written)) as events:
            async for event in events:
                yield event
        if written.problem is not ModelProblem.CONTEXT_TOO_LONG or written.text:
            break
    if written.problem is None:
        text = begun + written.text
        yield Answer(text, dict(asked.citations.sources), written.usage)
        return
    async with aclosing(failed(asked, material, written, begun)) as ending:
        async for last in ending:
            yield last


async def _queries(
    asked: Asked,
    material: Material,
    follow_ups: FollowUps | None,
) -> AsyncGenerator[SearchStarted, None]:
    """Yield the start of the search; once more, where a model completes the query."""
    if not (question := asked.query):
        return
    if follow_ups is None:
        yield SearchStarted(question)
        return
    asking = question, asked.history, asked.model
    if follow_ups.asks_model(*asking):
        yield SearchStarted(question)  # shown while the model writes
    completion = await follow_ups.complete(*asking)
    material.topic = completion.query
    added = completion if completion.added else None
    yield SearchStarted(completion.query, completion=added)


def _messages(
    asked: Asked, material: Material
) -> tuple[list[tuple[str, str]], PromptCut | None]:
    """
    The prompt, with as much of history and pages as the model has room for.

    History gets a third of the room where there are pages, which get the rest. Where
    the pages don't fit even as short snippets, the last ones are left out.
    """
    context, settings = asked.model.context, asked.settings
    sources, width = [*material.sources.values()], settings.snippet_length
    system = system_prompt(asked.question, asked.instructions)
    alone = _prompt(asked, material, (), width, 0)
    room = context.room - count_tokens(system) - count_tokens(alone)
    usual = recent(asked.history)
    history = recent(asked.history, room // 3 if sources else room)
    earlier = [message for turn in history for message in turn.messages()]
    room = context.room - count_tokens(system)
    room -= sum(count_tokens(text) for _, text in earlier)
    texts = (one.markdown or one.snippet[:width] for one in sources)
    given = whole = min(sum(map(len, texts)), settings.read_chars)
    prompt = _prompt(asked, material, sources, width, given)
    while sources and (excess := count_tokens(prompt) - room) > 0:
        least = _LEAST_SNIPPET * len(sources)
        if given > least:
            given = max(given - max(fitting(prompt, excess), given // 8), least)
            width = min(width, given // len(sources))
        elif len(sources) > 1:
            sources.pop()
        else:
            break
        prompt = _prompt(asked, material, sources, width, given)
    cut = PromptCut(context.tokens or 0, given, whole, len(usual) - len(history))
    is_cut = cut.turns or given < whole or len(sources) < len(material.sources)
    return [("system", system), *earlier, ("user", prompt)], cut if is_cut else None


def _prompt(
    asked: Asked, material: Material, sources: Sequence[Source], width: int, most: int
) -> str:
    """The question, behind *most* characters of its sources; alone without any."""
    if not sources and not isinstance(material.outcome, SearchResponse):
        return asked.question
    read = {source.number: source for source in sources if source.is_read}
    pages = [
        Passage(one.number, one.title, one.markdown, one.url) for one in read.values()
    ]
    snippets = sum(min(len(s.snippet), width) for s in sources if not s.is_read)
    excerpts = {
        excerpt.number: replace(
            excerpt,
            is_whole=excerpt.is_whole and not read[excerpt.number].truncated,
        )
        for excerpt in pick(material.topic, pages, max(most - snippets, 0))
        if excerpt.text
    }
    return question_prompt(asked.question, sources, width, excerpts, asked.fence)
