"""Count the code that runs for a question, a report and a finished answer."""

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final
from urllib.parse import urlsplit

from agent import Resources, Session
from agent.events import Event, SearchFinished, SearchStarted, Token
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.research import Budget, as_bundle, as_html, as_markdown
from agent.settings import AgentSettings
from benchmarks.search import QUERY
from benchmarks.servers import serving
from benchmarks.servers.research import QUESTION
from citations import Source
from ui.answer.evidence import AnswerEvidence, SourceTexts, Written
from ui.answer.markup import Markup
from ui.answer.sources import AnswerSources
from websearch import (
    UNCONFIGURED,
    SearchService,
    create_reader,
    create_service,
)

Function = tuple[str, str]  # module and qualified name
Functions = Counter[Function]  # with their calls
Show = Callable[[list[Event]], Coroutine[Any, Any, None]]

# What reads a whole text: our follower of Markdown, and markdown-it.
READERS: Final = (
    ("citations.markdown.reader", "Reader.close"),
    ("markdown_it.main", "MarkdownIt.parse"),
)
_LANGUAGE: Final = "en-US"
_PAGES: Final = 2


def question_unconfigured() -> Functions:
    """Ask in Chat mode with nothing configured."""
    with serving("searxng") as search:
        service = create_service(_settings(search), plan=UNCONFIGURED)
        return asyncio.run(_asked(_models(), service, _shown))


def question() -> Functions:
    """Ask in Chat mode with a model and SearXNG; what runs in threads is left out."""
    return _with_model(_shown)


def finished_answer() -> dict[str, int]:
    """Count how often what reads a whole text reads one finished answer."""
    calls = _with_model(_finished, threads=True)
    return {f"{module}.{name}": calls[module, name] for module, name in READERS}


def report() -> Functions:
    """Write a report of two pages and its three files."""
    with serving("research") as url:
        return asyncio.run(_reported(url))


def _with_model(show: Show, *, threads: bool = False) -> Functions:
    with serving("searxng") as search, serving("model") as model:
        service = create_service(_settings(search))
        models = _models(f"{model}/50/v1")
        return asyncio.run(_asked(models, service, show, threads=threads))


def _models(url: str = "") -> Models:
    configured = {"OPENAI_BASE_URL": url, "OPENAI_MODEL": "bench"} if url else {}
    return Models(ModelSettings.model_validate(configured))


def _settings(search: str, **more: str) -> AgentSettings:
    return AgentSettings.model_validate({"SEARXNG_BASE_URL": search, **more})


async def _asked(
    models: Models, service: SearchService, show: Show, *, threads: bool = False
) -> Functions:
    """Answer and show the second question of a session; the first loads libraries."""
    resources = Resources(models, service, AgentSettings())
    session = Session(resources)
    session.choose(session.state.mode, search=True)
    for words in (QUERY, f"{QUERY} again"):
        with _called(threads=threads) as functions:
            await show([event async for event in session.ask(words)])
    await resources.aclose()
    return functions


async def _shown(events: list[Event]) -> None:
    """Link an answer as the page does."""
    _marked_up(events)


async def _finished(events: list[Event]) -> None:
    """Show a finished answer with its lists and its evidence; `ask` kept its turn."""
    markup, sources = _marked_up(events)
    written = Written("answer", markup.linked, sources, QUERY)
    found = await AnswerEvidence(SourceTexts(), _LANGUAGE, "values").find(written)
    if not (found and found.citations):
        raise RuntimeError("the answer cites nothing")


def _marked_up(events: list[Event]) -> tuple[Markup, dict[int, Source]]:
    sources = AnswerSources(_LANGUAGE)
    markup = Markup(_LANGUAGE, sources)
    for event in events:
        match event:
            case SearchStarted():
                sources.begin(event)
            case SearchFinished():
                sources.add(event)
            case Token(text):
                markup.feed(text)
    if not markup.whole("", is_notice=False):
        raise RuntimeError("there was no answer")
    return markup, dict(sources.sources)


async def _reported(url: str) -> Functions:
    """Write the second report of a process; the first loads libraries."""
    settings = _settings(url, WEB_FETCH_ALLOWED_HOSTS=urlsplit(url).netloc)
    resources = Resources(
        _models(f"{url}/v1"),
        create_service(settings),
        settings,
        reader=create_reader(settings),
    )
    session = Session(resources)
    for _ in range(2):
        with _called(threads=True) as functions:
            run = session.report(QUESTION, Budget(pages=_PAGES))
            written = await run.wait()
            if not written.answered:
                raise RuntimeError("the report is empty")
            as_markdown(written), as_html(written), as_bundle(run)
    await resources.aclose()
    return functions


@contextmanager
def _called(*, threads: bool) -> Iterator[Functions]:
    """Count the calls of each function that the block makes, in its *threads*, too."""
    functions: Functions = Counter()

    def record(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code  # comprehensions and generated methods are no functions
        if event == "call" and "<" not in code.co_name + code.co_filename:
            functions[frame.f_globals.get("__name__", ""), code.co_qualname] += 1

    if threads:
        threading.setprofile(record)  # for those that are started from now on
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
    sys.setprofile(record)
    try:
        yield functions
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
