"""Budgets of a report end its gathering and its writing, and never the report."""

from collections.abc import Iterator
from typing import Any

import pytest
from support.report.research_models import bad_models
from support.report.research_reports import (
    check_report,
    opened,
    read,
    reported,
    searches,
)
from support.report.research_web import ResearchWeb
from support.world import World

from agent.research import Budget, Ended
from agent.research.budget import ResearchSettings
from websearch import InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "How high is the Lintow Tower, who designed it and what did it cost?"
PLAN = [f"{what} of the Lintow Tower" for what in ("Height", "Cost", "Architect")]


@pytest.fixture(autouse=True)
def no_page_is_held(web: ResearchWeb) -> Iterator[None]:
    yield
    web.slow.set()
    web.held = frozenset()


@pytest.mark.spec("Q1")
async def test_searches(w: World, web: ResearchWeb) -> None:
    run = await reported(w.without_model(), QUESTION, budget=Budget(searches=2))

    check_report(run, web)
    assert len(searches(run)) == run.report.spent.searches == 2
    assert run.report.ended is Ended.SEARCHES
    assert run.report.answered


@pytest.mark.parametrize("pages", [1, 5])
async def test_pages(w: World, web: ResearchWeb, pages: int) -> None:
    run = await reported(w.without_model(), QUESTION, budget=Budget(pages=pages))

    check_report(run, web)
    assert len(opened(run)) == run.report.spent.pages == pages
    assert run.report.ended is Ended.PAGES
    assert run.report.answered


async def test_addresses_of_the_question_count_too(w: World, web: ResearchWeb) -> None:
    addresses = [web.url(f"/tower/{name}") for name in ("guide", "audit", "official")]

    run = await reported(
        w.without_model(), f"Lintow Tower {' '.join(addresses)}", budget=Budget(pages=1)
    )

    check_report(run, web)
    assert opened(run) == addresses[:1]


@pytest.mark.spec("Q2")
async def test_no_pages(w: World, web: ResearchWeb) -> None:
    """Snippets of the search are quoted, and marked as such."""
    asked = len(web.asked)

    run = await reported(w.without_model(), QUESTION, budget=Budget(pages=0))

    check_report(run, web)
    assert len(web.asked) == asked
    assert run.report.answered
    assert not any(source.is_read for source in run.report.sources.values())


async def test_seconds(w: World, web: ResearchWeb) -> None:
    """Pages that did not come in time are told; their snippets may be quoted."""
    web.held = frozenset({"/tower/encyclopedia", "/tower/news-opening"})
    web.slow.clear()

    run = await reported(w.without_model(), QUESTION, budget=Budget(seconds=1))

    check_report(run, web)
    assert run.report.ended is Ended.SECONDS
    unread = run.report.unread
    late = {p.source.url for p in unread if p.error and p.error.code == "Timeout"}
    assert {web.url(path) for path in web.held} <= late
    assert {one.source.url for one in read(run)} == {*opened(run)}
    assert run.report.answered


async def test_tokens(w: World, web: ResearchWeb) -> None:
    """The sections that are left stay quotations."""
    w.model.brain = bad_models(*PLAN)["obedient"]

    rich = await reported(w.another().session, QUESTION)
    poor = await reported(w.another().session, QUESTION, budget=Budget(tokens=700))

    check_report(poor, web)
    assert all(section.is_rewritten for section in rich.report.answered)
    assert not all(section.is_rewritten for section in poor.report.answered)
    assert len(poor.report.answered) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"searches": 0},
        {"pages": 101},
        {"seconds": float("nan")},
        {"tokens": -1},
        {"pages": "5"},
        {"pages": None},
        {"pages": True},
        {"tokens": 0.5},
    ],
    ids=str,
)
async def test_an_absurd_budget_is_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(InvalidInput, match=name):
        Budget(**wrong)


async def test_the_budget_of_the_settings() -> None:
    """Changes that are not given leave the setting; wrong ones are refused."""
    settings = ResearchSettings(RESEARCH_PAGES=7)  # type: ignore[call-arg]

    assert settings.budget(searches=3, pages=None) == Budget(searches=3, pages=7)
    with pytest.raises(InvalidInput):
        settings.budget(searches=0)
