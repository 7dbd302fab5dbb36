"""A report begins with its best sentences, and says where none of them answers."""

import pytest
from support.report.research_models import rewritten, writer
from support.report.research_reports import check_report, reported
from support.report.research_web import ResearchWeb
from support.world import World

from agent.research import Budget, Report, as_html, as_markdown, file_name
from agent.research.report import Difference, Section, Statement

pytestmark = pytest.mark.asyncio(loop_scope="module")

ASKED = (
    "How high is the Lintow Tower, when was it opened, what did it cost, "
    "and how many visitors does it have?"
)
PLAN = (
    "How high is the Lintow Tower",
    "When was the Lintow Tower opened",
    "What did the Lintow Tower cost",
)


def told(text: str, number: int = 1) -> Statement:
    return Statement(text, (number,), {number: text})


def section(name: str, *sentences: str, answers: int) -> Section:
    return Section(name, tuple(map(told, sentences)), sentences[:answers])


@pytest.mark.spec("Q2")
async def test_begins_with_key_points(w: World, web: ResearchWeb) -> None:
    """The best quotation of each part is first, and where sources differ is said."""
    run = await reported(w.without_model(), ASKED)

    check_report(run, web)
    for words in (as_markdown(run.report), as_html(run.report)):
        head = words[: words.index("Lintow Tower: when")]
        assert head.index("how many visitors") < head.index("Key points")
        for said in ("312 metres high", "14 May 2009", "184 million", "1.42 million"):
            assert said in head
        assert "(sources differ, see below)" in head


@pytest.mark.spec("Q2")
async def test_rewritten_key_points(w: World, web: ResearchWeb) -> None:
    """With a model they are its sentences that passed, of the best quotations."""
    w.model.brain = writer(rewritten, *PLAN)
    run = await reported(w.session, ASKED)

    check_report(run, web)
    points = run.report.key_points
    assert len(points) == len(PLAN)
    assert not any(point.is_quoted for point in points)
    for point, own in zip(points, run.report.sections, strict=True):
        assert own.answers[0] in point.evidence.values()


CASES = {
    "a best sentence of each, in turn": (
        [section("A", "a1", "a2", answers=2), section("B", "b1", "b2", answers=2)],
        ["a1", "b1", "a2"],
    ),
    "a sentence once": (
        [section("A", "x", "a2", answers=2), section("B", "x", "b2", "b3", answers=2)],
        ["x", "a2", "b2"],
    ),
    "five at most": (
        [section(name, f"{name}1", f"{name}2", answers=1) for name in "ABCDEF"],
        ["A1", "B1", "C1", "D1", "E1"],
    ),
    "none of a part that only speaks of the subject": (
        [section(name, f"{name}1", answers=1) for name in "ABC"]
        + [section("D", "d1", "d2", answers=0)],
        ["A1", "B1", "C1"],
    ),
    "none of one part alone": ([section("A", *"abcde", answers=5)], []),
    "none that would be the whole report": (
        [section(name, f"{name}1", answers=1) for name in "ABC"],
        [],
    ),
    "none of nothing": ([Section("A"), Section("B")], []),
}


@pytest.mark.parametrize("name", CASES)
async def test_key_points(name: str) -> None:
    """Up to five sentences of the sections, where these say more."""
    sections, expected = CASES[name]
    points = Report("q", Budget(), sections=sections).key_points

    assert [one.text for one in points] == expected


async def test_says_that_no_sentence_answers(w: World, web: ResearchWeb) -> None:
    """Sentences without what is asked for are shown as the closest."""
    asked = "米拉瓦的水费什么时候上涨？米拉瓦的供水量是多少？"
    run = await reported(w.without_model(), asked)

    check_report(run, web)
    answers = {one.question: bool(one.answers) for one in run.report.answered}
    assert set(answers.values()) == {True, False}
    for question, is_answered in answers.items():
        words = as_markdown(run.report).partition(f"## {question}")[2].strip()
        assert words.startswith("没有找到直接的回答") is not is_answered


async def test_disputed() -> None:
    """Only a key point that has one of the differing values bears the remark."""
    sides = (told("It is 62 km long."), told("It is 64 km long.", 2))
    sections = [
        section("A", "It has 162 km.", "a2", answers=1),
        section("B", "It is 62 km long.", "b2", answers=1),
        section("C", "c1", "c2", answers=1),
    ]
    report = Report(
        "How long?",
        Budget(),
        sections=sections,
        differences=[Difference(("62 km", "64 km"), sides)],
    )

    lines = as_markdown(report).splitlines()
    assert [line for line in lines if "see below" in line] == [
        "- “It is 62 km long.”[1] (sources differ, see below)"
    ]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("北城地铁有多长？有多少座车站？", "北城地铁有多长-有多少座车站"),
        ("How long is it: a/b\\c*?", "How-long-is-it-a-b-c"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "report-CON"),
        ("北城地铁", "北城地铁"),
        ("？！", "report"),
        ("\u202etxt.exe", "txt-exe"),
        ("长" * 500, "长" * 59),
    ],
)
async def test_file_name(question: str, name: str) -> None:
    """Files have the words of the question, and nothing that a system may refuse."""
    assert file_name(question) == name
