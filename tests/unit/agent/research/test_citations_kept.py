"""A rewritten sentence keeps the numbers whose quotations say what it says."""

import pytest
from support.model_server import Turn
from support.pages_web import article, pages_web
from support.world import world

PAGES = {
    "/tower": article(
        "The tower",
        "The tower of the old town is 62 metres high.",
        "Some 120,000 visitors climbed it in 2024.",
        "The square around it was paved by hand.",
    ),
    "/tickets": article(
        "Tickets",
        "Weddings are held in the tower of the old town all year.",
        "Children pay nothing on Sundays in summer.",
        "Dogs may come along on a leash.",
    ),
}


@pytest.mark.spec("Q2")
async def test_a_number_without_a_fitting_sentence_goes() -> None:
    """A cited page that says nothing of the sentence loses its number."""

    def brain(asked: dict[str, object]) -> Turn:
        is_section = "Excerpts:" in str(asked["messages"])
        return Turn(["It is 62 metres high[1][2]." if is_section else "no plan"])

    with pages_web(PAGES) as web:
        async with world(brain, web=web) as w:
            run = w.session.report("the tower of the old town")
            async for _ in run.follow():
                pass

    section = run.report.sections[0]
    written = [one for one in section.statements if not one.is_quoted]
    assert [(one.text, one.numbers) for one in written] == [
        ("It is 62 metres high.", (1,))
    ]
