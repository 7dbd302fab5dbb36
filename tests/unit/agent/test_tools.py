"""The table of tools: what a program may call by name."""

import pytest
from support.pages.pages_web import HTML, pages_web
from support.servers.loopback import Answer
from support.world import world

from agent.tools import TOOLS, call
from websearch import InvalidInput, ToolNotFound

UNKNOWN = "web.canary"
TOWER = Answer(
    "<html><body><p>The tower is 62 metres high, and old.</p></body></html>",
    200,
    HTML,
)


@pytest.mark.spec("H1", "H10")
async def test_shared_resources() -> None:
    """Calls with the same resources use one service, and one cache of pages."""
    with pages_web({"/tower": TOWER}) as web:
        async with world(web=web) as w:
            url = web.url("/tower")
            found = await call("web.search", {"query": "q"}, w.resources)
            pages = [
                await call("web.fetch", {"url": url}, w.resources) for _ in range(2)
            ]

    assert found["provider_meta"]["provider_name"] == "searxng"
    assert [page["cached"] for page in pages] == [False, True]


@pytest.mark.spec("H9")
async def test_offline_samples() -> None:
    """Without resources and settings, the samples answer."""
    result = await call("web.search", {"query": "q"})

    assert {item["provider"] for item in result["items"]} == {"stub"}


@pytest.mark.spec("H8")
@pytest.mark.parametrize("name", [UNKNOWN, "", "web_search", "WEB.SEARCH"])
async def test_unknown(name: str) -> None:
    """An unknown tool is ToolNotFound, which lists known ones and repeats nothing."""
    with pytest.raises(ToolNotFound, match=", ".join(TOOLS)) as caught:
        await call(name, {})

    assert UNKNOWN not in str(caught.value)


@pytest.mark.spec("H8")
@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("wrong", [[1], None, {}, {"canary": 1}], ids=str)
async def test_wrong_arguments(name: str, wrong: object) -> None:
    """Each tool refuses what its schema does not allow, and repeats nothing of it."""
    with pytest.raises(InvalidInput) as caught:
        await call(name, wrong)  # type: ignore[arg-type]

    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("name", TOOLS)
def test_schemas(name: str) -> None:
    """Each schema is strict, and describes each argument."""
    schema = TOOLS[name].schema

    assert schema["additionalProperties"] is False
    assert schema["required"][0] in schema["properties"]
    assert all(field["description"] for field in schema["properties"].values())
