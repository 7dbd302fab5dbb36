"""Passages and quotations are chosen by the completed question."""

import pytest
from support.follow_ups import Talk, found
from support.pages.pages_web import article, pages_web
from support.world import answer_of, world

from websearch import SearchItem, SearchResponse

COLOURS = {
    "Ravens": "black",
    "Swans": "white",
    "Frogs": "green",
    "Foxes": "red",
    "Lions": "yellow",
    "Mice": "grey",
    "Bears": "brown",
    "Flamingos": "pink",
    "Starfish": "orange",
}
LONG = article(
    "Animals",
    *(
        f"{name} are of this colour: {colour}. " + "Ships come to the old harbour. " * 9
        for name, colour in COLOURS.items()
    ),
)


@pytest.mark.spec("R1")
@pytest.mark.parametrize("animal", ["Bears", "Flamingos", "Lions"])
async def test_passages_of_pages(animal: str) -> None:
    """The model gets the passage on what the question refers to, of many alike."""
    with pages_web({"/animals": LONG}) as web:
        async with world(web=web, WEB_READ_CHARS=1_000) as w:
            await w.ask(f"Tell me about {animal}.")
            await w.ask("What colour are they?")

    assert f"{animal} are of this colour: {COLOURS[animal]}" in w.model.prompts[-1]
    assert w.model.prompts[-1].count("are of this colour") < len(COLOURS) / 2


@pytest.mark.spec("R1", "R2")
@pytest.mark.parametrize("disease", ["肺癌", "胃癌"])
async def test_quotations(disease: str) -> None:
    """Without a model the sentence on what the question refers to comes first."""
    texts = [
        "肺癌的早期症状是刺激性咳嗽和胸痛。",
        "胃癌的早期症状是上腹不适和食欲下降。",
    ]
    items = [
        SearchItem(f"页面{n}", f"https://site{n}.example/", text, "google", n)
        for n, text in enumerate(texts, start=1)
    ]
    talk = Talk(found("Page"), SearchResponse("q", "google", items))
    await talk.ask(f"{disease}是什么？")

    events = [event async for event in talk.session.ask("它的早期症状是什么？")]

    first = next(
        line for line in answer_of(events).text.splitlines() if line.startswith("- ")
    )
    assert disease in first
