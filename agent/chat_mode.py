"""Chat mode: search with the user's words, put the results into the prompt, answer."""

import asyncio
import logging
import time
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeAlias

from agent.events import (
    Answer,
    Event,
    Failed,
    Notice,
    NoticeKind,
    ReadingStarted,
    SearchFailed,
    SearchFinished,
    SearchStarted,
    Thought,
    Token,
    ms_since,
)
from agent.follow_up import FollowUps
from agent.history import Turn, recent
from agent.models.catalog import Model
from agent.models.errors import problem_at_end, problem_of
from agent.prompts import question_prompt, system_prompt
from agent.reading import MOST_GIVEN, Found, Material, Reading, excerpts
from agent.settings import AgentSettings
from agent.without_model.answer import answer_text, stream
from citations import Source
from untrusted.urls import addresses_in, page_key
from websearch import (
    PageReader,
    SearchError,
    SearchItem,
    SearchResponse,
    SearchService,
)

logger = logging.getLogger(__name__)

Find: TypeAlias = Callable[[str], Awaitable[Found]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what may answer it, and what was said before."""

    question: str
    model: Model
    search: SearchService | None  # None: search is off
    reader: PageReader
    settings: AgentSettings
    history: Sequence[Turn] = ()
    instructions: str = ""

    @property
    def can_read(self) -> bool:
        """Tell if pages may be read for the answer."""
        return self.search is not None and self.reader.is_enabled

    @property
    def addresses(self) -> list[str]:
        """The addresses in the question that are read."""
        return addresses_in(self.question, MOST_GIVEN) if self.can_read else []

    @property
    def notices(self) -> list[Event]:
        """The reason why the addresses in the question are not read, if any."""
        if self.can_read or not addresses_in(self.question, 1):
            return []
        is_off = NoticeKind.ADDRESS_READING_OFF
        return [Notice(is_off if self.search else NoticeKind.ADDRESS_SEARCH_OFF)]


class Written:
    """The text of a model's answer while it comes, and the tokens that it counted."""

    def __init__(self) -> None:
        self.usage: dict[str, int] = {}
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def add(self, chunk: Any) -> Iterator[Event]:
        """Take in a chunk of the model's stream, and yield its events."""
        if thought := chunk.additional_kwargs.get("reasoning_content"):
            yield Thought(thought)
        if text := chunk.text:
            self.pieces.append(text)
            yield Token(text)
        if counted := chunk.usage_metadata:
            for name in ("input_tokens", "output_tokens"):
                self.usage[name] = self.usage.get(name, 0) + counted[name]


async def answer(
    asked: Asked, follow_ups: FollowUps | None = None
) -> AsyncGenerator[Event, None]:
    """
    Yield the events of an answer.

    Without *follow_ups* the question is searched as typed.
    """
    for notice in asked.notices:
        yield notice
    material = Material(topic=asked.question)
    if (search := asked.search) is not None:

        async def find(query: str) -> Found:
            response = await search.asearch(query)
            items = response.items[: asked.settings.max_results]
            return Found(response, _numbered(items, material))

        given = enumerate(asked.addresses, start=1)
        material.add(Source(number, "", url) for number, url in given)
        queries = _queries(asked, material, follow_ups)
        async with aclosing(gather(asked, material, queries, find)) as events:
            async for event in events:
                yield event
    if asked.model.is_built_in:
        writing = quoted(asked.question, material, material.sources)
    else:
        writing = _written(asked, material)
    async with aclosing(writing) as events:
        async for event in events:
            yield event


async def gather(
    asked: Asked,
    material: Material,
    queries: AsyncGenerator[SearchStarted, None],
    find: Find,
) -> AsyncGenerator[Event, None]:
    """Search for the last of *queries*, and read the pages given and found."""
    search: SearchStarted | None = None
    async with Reading.of(asked.reader) as reading:
        reading.begin([source.url for source in material.sources.values()])
        async with aclosing(queries) as started:
            async for search in started:
                yield search
        if search is not None:
            yield await _search(search, material, find)
        if asked.can_read and (pages := material.pages):
            call = search.call if search else ""
            yield ReadingStarted(pages, call)
            finished = await reading.finish(pages, call)
            material.add(finished.sources.values())
            yield finished


async def quoted(
    question: str, material: Material, sources: Mapping[int, Source]
) -> AsyncGenerator[Event, None]:
    """Answer without a model, by quotations; the answer may cite *sources*."""
    # In a thread: ranking the sentences of long pages would block the event loop.
    text = await asyncio.to_thread(
        answer_text,
        question,
        material.found,
        [*material.sources.values()],
        topic=material.topic,
    )
    async with aclosing(stream(text, sources)) as events:
        async for event in events:
            yield event


async def _queries(
    asked: Asked, material: Material, follow_ups: FollowUps | None
) -> AsyncGenerator[SearchStarted, None]:
    """Yield the start of the search; once more, where a model completes the query."""
    question, model = asked.question, asked.model
    if follow_ups is None:
        yield SearchStarted(question)
        return
    if follow_ups.asks_model(model):
        yield SearchStarted(question)  # shown while the model writes
    completion = await follow_ups.complete(question, model)
    material.topic = completion.query
    is_changed = completion.is_changed
    yield SearchStarted(completion.query, completion=completion if is_changed else None)


async def _search(search: SearchStarted, material: Material, find: Find) -> Event:
    """Search, and return the event of the outcome."""
    started = time.monotonic()
    try:
        found = await find(search.query)
    except SearchError as error:
        material.found = error
        return SearchFailed(search.query, error, ms_since(started), search.call)
    material.found = found.response
    material.add(found.sources)
    return SearchFinished.of(search.query, found.response, found.sources, search.call)


def _numbered(items: Iterable[SearchItem], material: Material) -> list[Source]:
    """Number the results; one whose address was given keeps that number."""
    given = {page_key(one.url): one.number for one in material.sources.values()}
    numbered: dict[int, Source] = {}
    for item in items:
        new = len({*material.sources, *numbered}) + 1
        number = given.get(page_key(item.url), new)
        numbered[number] = Source.of(number, item)
    return list(numbered.values())


async def _written(asked: Asked, material: Material) -> AsyncGenerator[Event, None]:
    """Yield what the model writes about the question and its material."""
    # In a thread: ranking the passages of long pages would block the event loop.
    prompt = await asyncio.to_thread(_prompt, asked, material)
    messages = [
        ("system", system_prompt(asked.question, asked.instructions)),
        *((turn.role, turn.text) for turn in recent(asked.history)),
        ("user", prompt),
    ]
    written = Written()
    whole: Any = None
    try:
        chunks: Any = (await asked.model.load()).astream(messages)
        async with aclosing(chunks):  # else the connection stays open
            async for chunk in chunks:
                whole = chunk if whole is None else whole + chunk
                for event in written.add(chunk):
                    yield event
    except Exception as error:  # noqa: BLE001  servers can cause any exception
        problem = problem_of(error, has_begun=bool(written.pieces))
        logger.warning("The model failed: %s (%s)", problem, type(error).__name__)
        yield Failed(problem)
        return
    if bad := problem_at_end(whole):
        logger.warning("The model's answer ended badly: %s", bad)
        yield Failed(bad)
        return
    yield Answer(written.text, material.sources, written.usage)


def _prompt(asked: Asked, material: Material) -> str:
    """The question, behind its sources; alone if there are none to speak of."""
    settings = asked.settings
    sources, width = material.sources.values(), settings.snippet_length
    if not sources and not isinstance(material.found, SearchResponse):
        return asked.question
    snippets = sum(min(len(s.snippet), width) for s in sources if not s.is_read)
    pages = excerpts(material.topic, sources, max(settings.read_chars - snippets, 0))
    return question_prompt(asked.question, sources, width, pages)
