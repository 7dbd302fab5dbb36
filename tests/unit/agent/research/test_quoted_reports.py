"""Reports without a model: every sentence is a quotation that can be looked up."""

from collections.abc import Sequence

import pytest
from support.report.research_reports import check_report, paths, read, reported, texts
from support.report.research_web import MadePage, ResearchWeb, research_web
from support.world import World, world

from agent.research import Ended

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTIONS = (
    "How high is the Lintow Tower, who designed it and what did it cost?",
    "林拓塔有多高？什么时候开放？门票多少钱？",
    "Voltana H5 vs Norvik Cell 6",
    "沃坦纳 H5 电池的价格和效率如何",
    "Tell me about the water supply of Mirava",
    "米拉瓦的供水量、漏损率和水价",
)
JUNK = ("Home", "All pages", "cookies", "Add to cart", "Apply now", "rights reserved")


@pytest.mark.spec("Q2", "Q7")
@pytest.mark.parametrize("question", QUESTIONS)
async def test_every_sentence_is_a_quotation(
    w: World, web: ResearchWeb, question: str
) -> None:
    """Each stands letter for letter in the page of its number, which was read."""
    run = await reported(w.without_model(), question)

    check_report(run, web)
    report = run.report
    assert len(report.answered) == len(report.sections) > 0
    assert report.ended is Ended.COMPLETE
    assert all(one.is_quoted for one in report.statements)
    assert not [one for one in texts(report) if any(junk in one for junk in JUNK)]
    assert all(source.is_read for source in report.sources.values())
    assert report.spent.tokens == 0
    numbers = [n for one in report.statements for n in one.numbers]
    assert {*numbers} == {*report.sources} == {*range(1, len(report.sources) + 1)}


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        (
            QUESTIONS[0],
            ("312 metres high", "architect", "184 million euros"),
            ("euros", "96 piles", "metres"),
        ),
        (
            QUESTIONS[1],
            ("312米", "2009年5月14日", "成人门票为18欧元"),
            ("门票", "312米", "312米"),
        ),
        (
            QUESTIONS[5],
            ("48万立方米", "14%", "3.10美元"),
            ("美元", "美元", "漏损率"),
        ),
    ],
)
async def test_sections_say_what_was_asked(
    w: World, question: str, said: Sequence[str], not_said: Sequence[str]
) -> None:
    run = await reported(w.without_model(), question)

    sections = [
        " ".join(one.text for one in section.statements)
        for section in run.report.sections
    ]
    assert len(sections) == len(said)
    for told, there, elsewhere in zip(sections, said, not_said, strict=True):
        assert there in told
        assert elsewhere not in told


async def test_labels_of_links_are_no_sentences() -> None:
    """Though they have more words of the question than the sentence that answers."""
    lines = ("Alto Tower: 400 photos", "- Alto Tower high 30", "Height Alto Tower 7")
    said = "The Alto Tower is 62 metres high."
    pages = [MadePage("/alto", "Alto", "2025-01-01", "article", (*lines, said))]
    with research_web(pages) as web:
        async with world(web=web) as w:
            run = await reported(w.without_model(), "How high is the Alto Tower?")

    check_report(run, web)
    assert texts(run.report) == [said]


async def test_a_fact_that_stands_in_a_table_only(w: World, web: ResearchWeb) -> None:
    """Its row is quoted where no sentence answers."""
    run = await reported(w.without_model(), "What is the output of the Voltana H5?")

    check_report(run, web)
    assert "Output | 3.3 kW" in texts(run.report)


async def test_the_same_text_twice_is_one_source(w: World) -> None:
    """Copies are told as such, and never cited beside the page they copy."""
    run = await reported(w.without_model(), "How many visitors had the Lintow Tower?")

    assert any(page.is_double for page in read(run))
    copies = {"/tower/visitors-copy", "/tower/visitors-again"}
    assert len(copies & {*paths(run.report).values()}) <= 1


async def test_pages_that_agree_are_cited_together(w: World) -> None:
    question = "How much drinking water do the Mirava Waterworks deliver a day?"
    run = await reported(w.without_model(), question)

    (both,) = [one for one in run.report.statements if "480,000" in one.text]
    assert {paths(run.report)[n] for n in both.numbers} == {
        "/water/utility",
        "/water/report.pdf",
    }


async def test_equal_runs_give_equal_reports(w: World) -> None:
    """The order in which pages come changes nothing."""
    runs = [await reported(w.without_model(), QUESTIONS[0]) for _ in range(3)]

    first, *others = [(run.report.sections, paths(run.report)) for run in runs]
    assert all(other == first for other in others)
