"""Google: what it alone has."""

from collections.abc import Callable

import pytest
from support.engine_cases.google import ADVERT
from support.search.asked_engine import answered
from support.search.engine_pages import html
from support.search.google_pages import ROWS, google_page


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
async def test_only_result(row: Callable[..., str]) -> None:
    """The only result of a page does not take its text from elsewhere."""
    page = google_page(row(1, snippet=""), top=ADVERT, bottom="<p>Other searches</p>")

    (item,) = (await answered("google", html(page))).items

    assert item.snippet not in {"Cheap things.", "Other searches"}
