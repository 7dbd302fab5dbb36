"""
Print the size of the code: lines, modules in a folder, modules that a question uses.

Run as `python -m benchmarks.house`. These are counts and have no goal.
"""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from agent import Resources, Session
from agent.events import SearchFinished, SearchStarted, Token
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.settings import AgentSettings
from benchmarks.search import QUERY
from benchmarks.servers import ROOT, serving
from ui.answer.markup import Markup
from ui.answer.sources import AnswerSources
from websearch import UNCONFIGURED, SearchService, create_service

BELOW_UI: Final = ("agent", "citations", "websearch", "text", "untrusted")
PRODUCT: Final = ("app.py", "ui", *BELOW_UI)


def main() -> None:
    """Print all counts."""
    logging.disable()
    for name, paths in {"product": PRODUCT, "tests": ("tests",)}.items():
        sizes = {path: _lines(path) for path in paths}
        each = ", ".join(f"{path} {size:,}" for path, size in sizes.items())
        print(f"lines of {name}: {sum(sizes.values()):,} ({each})")
    for folder, count in sorted(_folders().items(), key=lambda pair: -pair[1])[:8]:
        print(f"modules in {folder}: {count}")
    with serving("searxng") as search, serving("model") as model:
        scripted = {"OPENAI_BASE_URL": f"{model}/50/v1", "OPENAI_MODEL": "bench"}
        settings = AgentSettings.model_validate({"SEARXNG_BASE_URL": search})
        _print_walk(
            "nothing configured", {}, create_service(settings, plan=UNCONFIGURED)
        )
        _print_walk("model and SearXNG configured", scripted, create_service(settings))


def _lines(path: str) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in _modules(path))


def _folders() -> Counter[str]:
    """Modules in each folder of the product; `__init__.py` is not counted."""
    files = [file for path in PRODUCT for file in _modules(path)]
    return Counter(
        str(file.parent.relative_to(ROOT))
        for file in files
        if file.name != "__init__.py"
    )


def _modules(path: str) -> list[Path]:
    return (
        [ROOT / path] if path.endswith(".py") else sorted((ROOT / path).rglob("*.py"))
    )


def _print_walk(case: str, model: dict[str, str], service: SearchService) -> None:
    functions = asyncio.run(_walk(model, service))
    modules = sorted({module for module, _ in functions})
    print(
        f"one Chat question below ui ({case}): "
        f"{len(modules)} modules, {len(functions)} functions"
    )
    for package in BELOW_UI:
        names = [name for name in modules if name.startswith(package)]
        print(f"  {package} {len(names)}: {', '.join(names)}")


async def _walk(model: dict[str, str], service: SearchService) -> set[tuple[str, str]]:
    """The functions that answer and link the second question of a session."""
    models = Models(ModelSettings(**model))  # type: ignore[arg-type]  # parsed
    resources = Resources(models, service, AgentSettings())
    session = Session(resources)
    session.choose(session.mode, search=True)
    await _ask(session, QUERY)  # loads libraries
    with _called() as functions:
        await _ask(session, f"{QUERY} again")
    await resources.aclose()
    return functions


async def _ask(session: Session, question: str) -> None:
    """Ask, and link the answer as the page does."""
    sources = AnswerSources("en-US")
    markup = Markup("en-US", sources)
    async for event in session.ask(question):
        match event:
            case SearchStarted():
                sources.begin(event)
            case SearchFinished():
                sources.add(event)
            case Token(text):
                markup.feed(text)
    if not markup.whole("", is_notice=False):
        raise RuntimeError("there was no answer")


@contextmanager
def _called() -> Iterator[set[tuple[str, str]]]:
    """Record the functions in BELOW_UI that the block calls in this thread."""
    functions: set[tuple[str, str]] = set()

    def record(frame: FrameType, event: str, _argument: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.partition(".")[0] in BELOW_UI:
            functions.add((module, frame.f_code.co_qualname))

    sys.setprofile(record)
    try:
        yield functions
    finally:
        sys.setprofile(None)


if __name__ == "__main__":
    main()
