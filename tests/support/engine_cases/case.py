"""An engine for the tests of the contract: its pages, and their content."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from support.search.engine_pages import html
from support.servers.loopback import Answer

from websearch.models import SearchItem

# The query, the options of the search, and parameters that are sent for them.
Asked = tuple[str, Mapping[str, Any], Mapping[str, Any]]
# What a row holds: its snippet and its date.
Details = tuple[str, str, str | None]
# Each status of a page, and its error.
PAGE_STATUSES: Mapping[int, str] = {
    401: "WebProviderError http_401",
    403: "WebBlocked http_403",
    404: "WebProviderError http_404",
    414: "InvalidInput http_414",
    422: "WebParseError http_422",
    429: "WebBlocked http_429",
    302: "WebProviderError redirect",
    204: "WebParseError http_204",
    500: "BadGateway http_500",
}


def of_pages(statuses: Mapping[int, str] = PAGE_STATUSES) -> dict[str, Any]:
    """Answers of these statuses, each with a page that must not be repeated."""
    return {
        str(status): (
            html("<title>canary</title>", status, Location="https://[canary"),
            error,
        )
        for status, error in statuses.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An engine: *page* makes an answer of rows, *row* the row of a number."""

    page: Callable[..., str]
    row: Callable[..., Any]
    first: SearchItem  # of a page of ten rows
    method: str = "GET"
    form: Mapping[str, Any]  # all that is sent for the query `q`
    headers: Mapping[str, str] = field(default_factory=dict)  # their beginnings
    asked: Iterable[Asked]
    too_long: Iterable[str] = ()
    names: Iterable[str]  # what we know the page by, and a redesign changes
    empty: Mapping[str, str]
    unexpected: Mapping[str, str]
    statuses: Mapping[str, tuple[Answer, str]]
    blocked: Mapping[str, tuple[Answer, str]] = field(default_factory=dict)
    # Pages or whole answers, and the numbers of their results.
    results: Mapping[str, tuple[str | Answer, Iterable[int]]] = field(
        default_factory=dict
    )
    links: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # row, address
    details: Mapping[str, Details] = field(default_factory=dict)

    @property
    def ten(self) -> str:
        """A page of ten results."""
        return self.page(*map(self.row, range(1, 11)))
