"""Quotations are the words that a page shows, whatever its Markdown looks like."""

from collections.abc import Mapping

import pytest
from support.model.model_server import Turn
from support.pages.pages_web import HTML, article, pages_web
from support.report.research_reports import reported
from support.servers.loopback import Answer
from support.world import world

from agent.research import Report
from agent.research.plan import plan_by_rule

QUESTION = "What is known of the tower of Lintow?"
TWO = {
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
LEAD = "The tower of Lintow stands in the old harbour, and many people visit it. "


def page(*sentences: str) -> Answer:
    body = "".join(f"<p>{one}</p>" for one in (LEAD * 3, *sentences))
    return Answer(f"<title>Lintow</title><body><article>{body}</article>", 200, HTML)


async def written(pages: Mapping[str, Answer], question: str, said: str = "") -> Report:
    """A report of *pages*, of which a model writes what is *said*."""

    def brain(asked: dict[str, object]) -> Turn:
        return Turn([said if "Excerpts:" in str(asked["messages"]) else "no plan"])

    with pages_web(pages) as web:
        async with world(brain, web=web) as w:
            session = w.session if said else w.without_model()
            return (await reported(session, question)).report


async def quoted(*sentences: str, question: str = QUESTION) -> list[str]:
    report = await written({"/page": page(*sentences)}, question)
    return [one.text for one in report.statements]


@pytest.mark.spec("Q2")
async def test_markup_is_not_quoted() -> None:
    """Emphasis, escapes and footnote marks of the page's Markdown are not its words."""
    found = await quoted(
        "The <b>tower of Lintow</b> is 330 metres high.<sup>[2]</sup>",
        "The tower of Lintow costs 5*4 euros, as <i>Ada_Stone</i> says.",
    )

    assert "The tower of Lintow is 330 metres high." in found
    assert "The tower of Lintow costs 5*4 euros, as Ada_Stone says." in found


async def test_a_minus_sign_stays() -> None:
    """A value keeps its sign at the beginning of a sentence."""
    found = await quoted("-12 °C was the lowest temperature at the tower of Lintow.")

    assert "-12 °C was the lowest temperature at the tower of Lintow." in found


async def test_a_date_stays() -> None:
    """A sentence keeps the date that it begins with."""
    said = "March 31, 1889: The tower of Lintow was opened."
    found = await quoted(said, question="When was the tower of Lintow opened?")

    assert said in found


@pytest.mark.spec("Q2", "Q7")
async def test_a_translation_shares_something() -> None:
    """A sentence in other letters than its source shares a value or a name with it."""
    pages = {"/zh": article("灵托塔", *["灵托塔（Lintow）高330米，建于1889年。"] * 3)}
    said = "Aliens built it[1]. The tower is 330 metres high[1]."

    report = await written(pages, "Lintow", said)

    told = [one.text for one in report.statements if not one.is_quoted]
    assert told == ["The tower is 330 metres high."]


@pytest.mark.spec("Q2", "Q7")
async def test_a_rewritten_sentence_is_read_as_it_is_shown() -> None:
    """Its markup and markers go, and no form of markup hides a value or an address."""
    said = """
## The height

- **It is 62 metres high** [1].
- It is `999` metres high[1].
- It is 99&amp;#57; metres high[1].
- It is <b>999</b> metres high[1].
- It is [62 metres](https://evil.example/) high【1】
- See https://evil.example/ for its 62 metres[1].
"""
    report = await written(TWO, "the tower of the old town", said)

    told = [one.text for one in report.statements if not one.is_quoted]
    assert told == ["It is 62 metres high.", "It is 62 metres high"]


@pytest.mark.spec("Q2")
async def test_a_number_without_a_fitting_sentence_goes() -> None:
    """A cited page that says nothing of the rewritten sentence loses its number."""
    report = await written(
        TWO, "the tower of the old town", "It is 62 metres high[1][2]."
    )

    told = [one for one in report.sections[0].statements if not one.is_quoted]
    assert [(one.text, one.numbers) for one in told] == [
        ("It is 62 metres high.", (1,))
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Lintow tower " + ", ".join(f"thing{n}" for n in range(25)),
        "塔：" + "高和宽与长及重" * 28 + "：",
        "a's b and " * 2_000,
        "x" * 20_000,
        "Lintow Tower, " * 1_400,
        "a和" * 10_000,
    ],
    ids=["a long list", "a Chinese list", "owners", "one word", "commas", "and"],
)
def test_long_lists(question: str) -> None:
    """The plan of a long list comes: its patterns are tried in few ways."""
    lines = plan_by_rule(question).lines

    assert 1 <= len(lines) <= 8
    assert all(len(line.text) <= 200 for line in lines)


def test_words_beside_an_address() -> None:
    """Chinese words right beside an address are searched."""
    plan = plan_by_rule("请看https://a.example.org/x，林拓塔的高度是多少？")

    assert plan.given == ("https://a.example.org/x",)
    assert "林拓塔" in plan.lines[0].queries[0]
