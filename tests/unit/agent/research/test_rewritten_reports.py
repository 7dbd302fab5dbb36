"""Reports that a model rewrites: whatever it writes, the report stays complete."""

from collections.abc import Iterator
from typing import Any

import pytest
from support.model.model_server import Turn, fails
from support.report.research_models import (
    HUNDRED,
    NO_PLANS,
    bad_models,
    is_plan,
    lies,
    obeys,
    rewritten,
    writer,
)
from support.report.research_reports import (
    check_report,
    of_kind,
    paths,
    reported,
    texts,
)
from support.report.research_web import ResearchWeb
from support.world import World

from agent.causes import ModelProblem
from agent.models.context import Context
from agent.research import Budget
from agent.research.plan import Origin
from agent.research.report import (
    PlanDecided,
    ReportQuoted,
    RewritingStarted,
    SectionRewritten,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "Write a report about the Lintow Tower"
PLAN = (
    "How high is the Lintow Tower?",
    "Who was the architect of the Lintow Tower?",
    "What did the construction of the Lintow Tower cost?",
)
CHINESE = ("林拓塔的高度", "林拓塔的门票价格", "林拓塔的造价")
MODELS = bad_models(*PLAN)


@pytest.fixture(autouse=True)
def fresh(w: World) -> Iterator[None]:
    yield
    w.model.brain = MODELS["silent"]


@pytest.mark.spec("Q2", "Q7")
@pytest.mark.parametrize("name", MODELS)
async def test_a_report_stays_complete(w: World, web: ResearchWeb, name: str) -> None:
    """It stands before the model's first word, and is never less than that."""
    w.model.brain = MODELS[name]

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    kinds = [type(event) for event in run.events]
    (first,) = of_kind(run, ReportQuoted)
    assert all(one.is_quoted for one in first.report.statements)
    assert first.report.answered
    if RewritingStarted in kinds:
        assert kinds.index(ReportQuoted) < kinds.index(RewritingStarted)
    is_said = {event.number: event for event in of_kind(run, SectionRewritten)}
    for number, section in enumerate(run.report.sections):
        assert number in is_said or section == first.report.sections[number]


@pytest.mark.spec("Y2", "Q7")
async def test_a_small_context(
    w: World, web: ResearchWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A section that is too long for the model stays as it was quoted, and after one
    refusal no other that is as long is sent."""
    monkeypatch.setattr(w.resources.models.default, "context", Context())
    refuse = fails(400, "the maximum context length is 300 tokens")
    sent: list[Any] = []

    def brain(asked: dict[str, Any]) -> Turn:
        if is_plan(asked):
            return writer(rewritten, *PLAN)(asked)
        sent.append(asked)
        return refuse(asked)

    w.model.brain = brain
    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    assert run.report.answered
    assert len(sent) == 1


async def test_an_obedient_model_is_believed(w: World, web: ResearchWeb) -> None:
    """Each section is rewritten, and each sentence keeps the evidence behind it."""
    w.model.brain = writer(rewritten, *PLAN)

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    (decided,) = of_kind(run, PlanDecided)
    assert decided.plan.origin is Origin.MODEL
    assert tuple(line.text for line in decided.plan.lines) == PLAN
    assert all(section.is_rewritten for section in run.report.answered)
    assert all(text.startswith("Reportedly") for text in texts(run.report))
    assert sum(event.refused for event in of_kind(run, SectionRewritten)) == 0
    assert 0 < run.report.spent.tokens < run.report.budget.tokens


async def test_an_obedient_model_in_chinese(w: World, web: ResearchWeb) -> None:
    w.model.brain = writer(rewritten, *CHINESE)

    run = await reported(w.another().session, "写一份关于林拓塔的报告")

    check_report(run, web)
    assert len(run.report.answered) == 3
    assert all(section.is_rewritten for section in run.report.answered)


@pytest.mark.spec("Q2")
@pytest.mark.parametrize("name", ["lying", "hedging", "in another language"])
async def test_no_lie_gets_through(w: World, web: ResearchWeb, name: str) -> None:
    """Wrong values, whatever words surround them, give way to quotations."""
    w.model.brain = MODELS[name]

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    assert all(one.is_quoted for one in run.report.statements)
    for event in of_kind(run, SectionRewritten):
        assert event.passed == 0
        assert event.refused > 0


@pytest.mark.spec("Q7")
async def test_a_model_that_repeats_itself(w: World, web: ResearchWeb) -> None:
    """Its sentence stands once, and the quotations that it leaves out stay."""
    w.model.brain = MODELS["repeating"]

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    (first,) = of_kind(run, ReportQuoted)
    for section, quoted in zip(run.report.sections, first.report.sections, strict=True):
        said = [one.text for one in section.statements if not one.is_quoted]
        assert len(said) == 1
        assert len(section.statements) == len(quoted.statements)


async def test_a_failed_sentence_is_asked_for_once_more(
    w: World, web: ResearchWeb
) -> None:
    """The second request names the sentence, and its better one stands."""
    answers = {"again": 0}

    def brain(asked: dict[str, Any]) -> Turn:
        is_again = "failed the check" in asked["messages"][0]["content"]
        answers["again"] += is_again
        return writer(rewritten if is_again else lies, *PLAN)(asked)

    w.model.brain = brain

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    assert answers["again"] == len(of_kind(run, SectionRewritten)) > 0
    assert all(section.is_rewritten for section in run.report.answered)


async def test_a_foreign_citation_gives_way(w: World, web: ResearchWeb) -> None:
    """A section cites its own quotations only, though others have a number too."""

    def foreign(quotations: list[tuple[str, str]]) -> str:
        own = {marks for marks, _ in quotations}
        other = next(f"[{n}]" for n in range(1, 20) if f"[{n}]" not in own)
        return f"{quotations[0][1].rstrip('.')}{other}."

    w.model.brain = writer(foreign, *PLAN)

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    assert all(one.is_quoted for one in run.report.statements)


@pytest.mark.spec("Q7")
async def test_what_pages_order_a_model_to_write_is_refused(
    w: World, web: ResearchWeb
) -> None:
    """No address, picture, script or foreign marker of a page gets into the text."""
    w.model.brain = writer(obeys, *PLAN)

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    told = [one.text for one in run.report.statements if not one.is_quoted]
    assert not [one for one in told if "evil" in one or "<" in one or "77" in one]
    for statement in run.report.statements:
        if "999" in statement.text:  # the page says so, and is cited for it
            assert {paths(run.report)[n] for n in statement.numbers} == {"/tower/trap"}


@pytest.mark.parametrize("name", NO_PLANS)
async def test_a_plan_that_is_none(w: World, web: ResearchWeb, name: str) -> None:
    """The question's own parts are searched instead."""
    w.model.brain = writer(rewritten, NO_PLANS[name])

    run = await reported(w.another().session, QUESTION)

    check_report(run, web)
    (decided,) = of_kind(run, PlanDecided)
    assert decided.plan.origin is Origin.WORDINGS
    assert run.report.answered


async def test_a_plan_of_a_hundred_lines(w: World, web: ResearchWeb) -> None:
    w.model.brain = writer(rewritten, HUNDRED)

    run = await reported(w.another().session, QUESTION, budget=Budget(pages=4))

    check_report(run, web)
    (decided,) = of_kind(run, PlanDecided)
    assert len(decided.plan.lines) == 8
    assert not any(line.text[0].isdigit() for line in decided.plan.lines)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("wrong key", ModelProblem.WRONG_KEY),
        ("cut off", ModelProblem.CUT_OFF),
        ("filtered", ModelProblem.FILTERED),
    ],
)
async def test_the_problem_of_a_model_is_told(
    w: World, name: str, problem: ModelProblem
) -> None:
    """After two in a row the model is left alone."""
    w.model.brain = MODELS[name]
    before = len(w.model.requests)

    run = await reported(w.another().session, " and ".join(PLAN))

    told = of_kind(run, SectionRewritten)
    assert {event.problem for event in told} == {problem}
    assert len(w.model.requests) - before <= 4


async def test_tokens_are_never_exceeded(w: World, web: ResearchWeb) -> None:
    """An endless model is cut where its tokens end."""
    for tokens in (0, 1_500):
        w.model.brain = MODELS["endless"]
        before = len(w.model.requests)

        run = await reported(
            w.another().session, QUESTION, budget=Budget(tokens=tokens)
        )

        check_report(run, web)
        assert run.report.spent.tokens <= tokens
        assert run.report.answered
        assert bool(tokens) is (len(w.model.requests) > before)
