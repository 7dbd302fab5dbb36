"""DuckDuckGo: what it alone has."""

import pytest
from support.search.asked_engine import form, requested
from support.search.engine_pages import DDG_EMPTY, html


async def test_language() -> None:
    """A Chinese search asks for a Chinese page, too."""
    (request,) = await requested("ddg_html", html(DDG_EMPTY), "北京 天气")

    assert request.headers["accept-language"].startswith("zh-CN")


@pytest.mark.spec("I8")
@pytest.mark.parametrize("query", ["!g cats", "cats !g", "cats g!", "\\cats"])
async def test_commands(query: str) -> None:
    """A query can't make DuckDuckGo send us elsewhere."""
    (request,) = await requested("ddg_html", html(DDG_EMPTY), query)

    assert not set("!\\") & set(form(request)["q"])
