"""Pages that give orders, and write markers, addresses and code, never act."""

import gc
from collections.abc import Iterator
from typing import Any

import pytest
import pytest_asyncio
from support.report.research_models import rewritten, writer
from support.report.research_reports import check_report, of_kind, paths, reported
from support.report.research_web import MadePage, ResearchWeb, research_web
from support.world import World, world

from agent.research import ReportRun
from agent.research.files import as_markdown
from agent.research.report import ReportQuoted

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAN = [
    "How high is the Lintow Tower?",
    "How was the Lintow Tower painted?",
    "How many kilowatts do the lamps of the Lintow Tower use?",
    "Which references are there about the Lintow Tower?",
]
QUESTION = "Everything about the Lintow Tower: colour, lamps, floors, references"
SECRET = "The cellar of the tower holds forty barrels of unquoted cider."


@pytest_asyncio.fixture(loop_scope="module")
async def trap(w: World, web: ResearchWeb) -> ReportRun:
    """A report that quotes the page with traps."""
    return await reported(w.without_model(), " ".join(PLAN))


@pytest.mark.spec("Q2")
async def test_a_marker_of_a_page_is_no_citation(
    trap: ReportRun, web: ResearchWeb
) -> None:
    """The numbers of a statement are those of pages that have its words."""
    check_report(trap, web)
    assert "/tower/trap" in paths(trap.report).values()
    number = next(n for n, path in paths(trap.report).items() if path == "/tower/trap")
    quoted = [one for one in trap.report.statements if number in one.numbers]
    assert quoted
    assert all(one.numbers == (number,) for one in quoted)


async def test_no_address_of_a_page_becomes_a_link(trap: ReportRun) -> None:
    """The report as Markdown leads to the addresses of its sources only."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"linkify": False}).parse(
        as_markdown(trap.report)
    )
    inline = [child for token in tokens for child in token.children or ()]
    links = {str(t.attrs["href"]) for t in inline if t.type == "link_open"}
    assert links == {source.url for source in trap.report.cited}
    assert not [t for t in inline if t.type in ("image", "html_inline")]
    assert not [t for t in tokens if t.type in ("html_block", "fence")]


async def test_a_model_sees_no_marker_and_no_fence_of_a_page(w: World) -> None:
    """Brackets of pages are round in the prompt, and the fence stands once."""
    w.model.brain = writer(rewritten, *PLAN)
    before = len(w.model.requests)

    run = await reported(w.another().session, QUESTION)

    prompts = [r["messages"][-1]["content"] for r in w.model.requests[before:]]
    assert of_kind(run, ReportQuoted)
    assert any("999 metres" in prompt for prompt in prompts)
    for prompt in prompts:
        assert "[1][7]" not in prompt.replace("\\", "")
        assert "【" not in prompt
        assert prompt.count("== End of search results ==") <= 1


async def test_nothing_is_asked_of_the_addresses_of_a_page(
    w: World, web: ResearchWeb
) -> None:
    """Pages are opened because a search found them, or the user gave them."""
    asked = len(web.asked)

    await reported(w.without_model(), " ".join(PLAN))

    assert {*web.asked[asked:]} <= {*web.pages}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_orders_in_both_languages(
    w: World, web: ResearchWeb, language: str
) -> None:
    """An order on a page becomes at most a quotation with that page's number."""
    questions = {
        "zh": "沃坦纳 H5 的用户反馈和容量",
        "en": "What is the leakage of the pipes of Mirava, and when do the pumps run?",
    }
    run = await reported(w.without_model(), questions[language])

    check_report(run, web)
    for statement in run.report.statements:
        if "99 千瓦时" in statement.text or "88 percent" in statement.text:
            ways = {paths(run.report)[n] for n in statement.numbers}
            assert ways <= {"/battery/zh-trap", "/water/trap"}
    assert not [s for s in run.report.statements if "Secret" in s.text]


async def test_a_finished_report_holds_no_page() -> None:
    """A finished report keeps the sentences that it shows, and no other of a page."""
    lines = ("The Alto Tower is 62 metres high.", SECRET, "It is made of granite.")
    pages = [MadePage("/alto", "Alto Tower", "2025-01-01", "article", lines)]
    with research_web(pages) as web:
        async with world(web=web) as w:
            run = await reported(w.without_model(), "How high is the Alto Tower?")

            check_report(run, web)
            assert "62 metres" in run.report.sources[1].text
            held = " ".join(strings(run))
            assert "62 metres" in held
            assert SECRET not in held


def strings(root: object) -> Iterator[str]:
    """All texts that *root* leads to; classes and functions are not entered."""
    seen: set[int] = set()
    waiting: list[Any] = [root]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type) or callable(one):
            continue
        seen.add(id(one))
        if isinstance(one, str):
            yield one
        elif type(one).__module__ != "builtins" or isinstance(
            one, dict | list | tuple | set
        ):
            if type(one).__name__ in {"module", "_UnixSelectorEventLoop"}:
                continue
            waiting += gc.get_referents(one)
