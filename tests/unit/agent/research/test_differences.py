"""Values of one thing that differ stand side by side; values of two things do not."""

from collections.abc import Sequence
from itertools import count

import pytest
from support.report.research_reports import check_report, paths, reported
from support.report.research_web import ResearchWeb
from support.world import World

from agent.research.differences import differences
from agent.research.quoting import Library
from citations import Source
from websearch import Page, SearchItem

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.spec("Q3")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "How high is the Lintow Tower and what did the Lintow Tower cost?",
            {("312 metres", "318 metres"), ("184 million euros", "203 million euros")},
        ),
        ("林拓塔有多高", {("312米", "318米")}),
        (
            "When was the Voltana H5 presented?",
            {("3 September 2024", "5 September 2024")},
        ),
        ("米拉瓦的漏损率", {("14%", "19%")}),
    ],
)
async def test_values_that_differ(
    w: World, web: ResearchWeb, question: str, expected: set[tuple[str, str]]
) -> None:
    """Each pair names two pages, which say so letter for letter."""
    run = await reported(w.without_model(), question)

    check_report(run, web)
    found = {frozenset(one.values) for one in run.report.differences}
    assert {frozenset(pair) for pair in expected} <= found
    for one in run.report.differences:
        first, second = one.statements
        assert one.values[0] in first.text
        assert one.values[1] in second.text
        ways = {paths(run.report)[side.numbers[0]] for side in one.statements}
        assert len(ways) == 2


async def library_of(*sentences: str) -> Library:
    """A library with a page for each of *sentences*."""
    library = Library()
    for number, sentence in zip(count(), sentences, strict=False):
        url = f"https://site{number}.example/"
        item = SearchItem(f"Page {number}", url, "", "")
        page = Page(
            url=url,
            final_url=url,
            title=f"Page {number}",
            text=sentence,
            content_type="text/html",
            published_at=None,
            truncated=False,
            took_ms=1,
        )
        await library.add_page(Source.of(0, item).merged(page))
    return library


async def pairs(question: str, sentences: Sequence[str]) -> list[tuple[str, str]]:
    found = differences([question], await library_of(*sentences))
    return [one.values for one in found]


# Pairs of sentences that speak of the same thing with another value.
DIFFER = [
    ("The Alto Tower is 62 metres high.", "The Alto Tower is 64 metres high."),
    ("The Alto Tower has a height of 62 metres.", "The Alto Tower is 64 metres high."),
    ("Alto sold 120 cars in 2024.", "Alto sold 140 cars in 2024."),
    ("The Alto Tower was opened in 2009.", "The Alto Tower was opened in 2011."),
    ("The Alto costs $40.", "The Alto costs $45 at Bello."),
    ("阿托塔高62米。", "阿托塔高64米，是全市最高的建筑。"),
    ("阿托塔于2009年开放。", "阿托塔于2011年开放。"),
    ("2024年阿托的销量为120万辆。", "2024年阿托的销量是140万辆。"),
]
DO_NOT_DIFFER = [
    # the same value, in other words
    ("The Alto Tower is 62 metres high.", "The Alto Tower is 62 m high."),
    ("The Alto sold 1.2 million cars.", "The Alto sold 1,200,000 cars."),
    ("Alto has about 1,400 workers.", "Alto has 1,420 workers."),
    ("The Alto Tower was opened in 2009.", "The Alto Tower was opened on 4 May 2009."),
    ("阿托塔耗资1.84亿元。", "阿托塔耗资18400万元。"),
    # another thing
    ("The Alto Tower is 62 metres high.", "The Alto Bridge is 64 metres high."),
    (
        "The Alto Tower is 62 metres high.",
        "The mast of the Alto Tower is 9 m high.",
    ),
    ("The Alto Tower is 62 metres high.", "The Alto Tower's mast is 9 metres high."),
    (
        "The Alto Tower is 62 metres high.",
        "The Alto Tower restaurant is 9 m high.",
    ),
    ("Alto tickets for adults cost $8.", "Alto tickets for children cost $4."),
    ("阿托塔高62米。", "阿托塔桅杆高9米。"),
    ("阿托塔的成人票为8元。", "阿托塔的儿童票为4元。"),
    # another year
    ("Alto sold 120 cars in 2023.", "Alto sold 140 cars in 2024."),
    ("In 2023, Alto sold 120 cars.", "In 2024, Alto sold 140 cars."),
    ("阿托2023年表现平平，阿托销量为120万辆。", "阿托2024年增长，阿托销量为140万辆。"),
    ("2023年阿托的销量为120万辆。", "2024年阿托的销量为140万辆。"),
    # another kind of value
    ("The Alto Tower is 62 metres high.", "The Alto Tower is 64 years old."),
    ("The Alto Tower weighs 62 kg.", "The Alto Tower uses 64 watts."),
    ("The Alto costs $40.", "The Alto costs 45 euros."),
    # no values
    ("The Alto Tower is high.", "The Alto Tower is low."),
]


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [*((*pair, 1) for pair in DIFFER), *((*pair, 0) for pair in DO_NOT_DIFFER)],
)
async def test_two_sentences(one: str, other: str, count: int) -> None:
    question = "阿托塔 高度 开放 阿托 销量" if "阿" in one else "Alto Tower cars cost"

    assert len(await pairs(question, [one, other])) == count


async def test_one_page_does_not_differ_from_itself() -> None:
    text = "The Alto Tower is 62 metres high.\nThe Alto Tower is 64 metres high."

    assert await pairs("Alto Tower height", [text]) == []


async def test_a_pair_of_values_is_told_once() -> None:
    low, high = "The Alto Tower is 62 metres high.", "The Alto Tower is 64 metres high."

    assert len(await pairs("Alto Tower height", [low, high, f"{low} ", high])) == 1


async def test_most_differences_of_a_report() -> None:
    sentences = [f"The Alto Tower is {60 + n} metres high." for n in range(12)]

    assert len(await pairs("Alto Tower height", sentences)) == 6
