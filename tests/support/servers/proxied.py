"""Searches through a proxy, which alone knows where the hosts are."""

import pytest
from support.search.engine_pages import baidu_card, baidu_page, ddg_page, ddg_row, html
from support.servers.loopback import Answer, Request

from websearch.config.settings import Settings
from websearch.errors import SearchError
from websearch.factory import create_service
from websearch.models import SearchResponse

DDG = "html.duckduckgo.com"
BAIDU = "www.baidu.com"


def pages(request: Request) -> Answer:
    """DuckDuckGo and Baidu, by the host that is asked for."""
    if request.headers["host"] == BAIDU:
        return html(baidu_page(baidu_card()))
    return html(ddg_page(ddg_row()))


async def search(
    proxy: str, backend: str = "ddg_html", **settings: str
) -> SearchResponse:
    """A search as a user makes it who has set WEB_FETCH_PROXY."""
    known = Settings.model_validate({"WEB_FETCH_PROXY": proxy, **settings})
    service = create_service(known, backend=backend)
    try:
        return await service.asearch("weather")
    finally:
        await service.aclose()


async def failure(proxy: str, **settings: str) -> SearchError:
    """The error of such a search."""
    with pytest.raises(SearchError) as caught:
        await search(proxy, **settings)
    assert caught.value.provider == "ddg_html"
    return caught.value
