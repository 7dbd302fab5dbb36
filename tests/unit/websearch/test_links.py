"""An engine's own redirect is kept beside the address that is better for the reader."""

import pytest
from support.search.asked_engine import answered
from support.search.engine_pages import baidu_card, baidu_page, html
from support.servers.loopback import served

from websearch import SearchItem, SearchService
from websearch.engines import Baidu
from websearch.network.client import HttpClient
from websearch.results import normalize
from websearch.routing.parallel import fuse

LINK = "http://www.baidu.com/link?url=k1"


def item(url: str, link: str | None = None) -> SearchItem:
    return SearchItem("t", url, "s", "baidu_html", link=link)


async def test_way_of_a_link() -> None:
    """Baidu's `/link?url=` reaches provider_meta, by the address that replaced it."""
    page = baidu_page(baidu_card(1, mu="https://A.example/x"), baidu_card(2))
    with served(lambda _: html(page)) as server:
        async with SearchService(Baidu(HttpClient(), url=f"{server.url}/s")) as service:
            response = await service.asearch("q")

    view = response.as_items()
    assert [i["url"] for i in view["items"]] == [
        "https://a.example/x",
        "http://www.baidu.com/link?url=k2",
    ]
    assert view["provider_meta"]["links"] == {"https://a.example/x": LINK}
    assert all("link" not in i for i in view["items"])


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://u:p@x.example/", ""])
def test_unsafe_link(link: str) -> None:
    """A redirect that is no safe address is not kept."""
    (clean,) = normalize([item("https://a.example/", link)], 10)

    assert not clean.link


async def test_direct_link() -> None:
    """A heading that links to the page itself is no redirect."""
    card = baidu_card(1, mu="https://a.example/").replace(LINK, "https://b.example/")
    found = (await answered("baidu_html", html(baidu_page(card)))).items

    assert [(i.url, i.link) for i in found] == [("https://a.example/", None)]


@pytest.mark.parametrize("links", [(LINK, None), (None, LINK)])
def test_twins(links: tuple[str | None, str | None]) -> None:
    """Merging duplicates keeps the redirect, whichever of them has it."""
    twins = [item("https://a.example/", link) for link in links]

    (clean,) = normalize(twins, 10)
    (fused,) = fuse([[twin] for twin in twins])

    assert clean.link == fused.link == LINK
