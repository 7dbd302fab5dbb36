"""A research report before a real SearXNG: its pages are found, read and quoted."""

import pytest
from support.report.research_reports import check_report, of_kind, reported
from support.report.research_web import research_web, settings_of_engine
from support.servers.searxng_fixtures import Start
from support.world import world

from agent.events import SearchFinished


@pytest.mark.slow
@pytest.mark.spec("Q2", "Q3", "Q7")
@pytest.mark.parametrize(
    ("question", "said", "values"),
    [
        (
            "How high is the Lintow Tower, who designed it and what did it cost?",
            ("312 metres", "Mara Velling", "184 million euros"),
            {"312 metres", "318 metres"},
        ),
        (
            "米拉瓦的供水量、漏损率和水价",
            ("48万立方米", "14%", "3.10美元"),
            {"14%", "19%"},
        ),
    ],
)
async def test_report(
    start_searxng: Start, question: str, said: tuple[str, ...], values: set[str]
) -> None:
    """Each part has the quotation that answers it, and what differs is told."""
    with research_web() as web, start_searxng(settings_of_engine(web)) as server:
        async with world(web=web, SEARXNG_BASE_URL=server.url) as w:
            run = await reported(w.without_model(), question)
        check_report(run, web)

    assert not run.report.failed
    assert {one.provider for one in of_kind(run, SearchFinished)} == {"searxng"}
    for section, words in zip(run.report.sections, said, strict=True):
        assert words in " ".join(one.text for one in section.statements)
    assert values in [{*one.values} for one in run.report.differences]
