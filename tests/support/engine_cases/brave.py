"""Brave's answers."""

import json

from support.engine_cases.case import Case
from support.search.engine_pages import brave_error, brave_page, brave_row, sent
from support.servers.searxng_pages import site

from websearch.models import SearchItem

FORM = {
    "q": "q",
    "count": "10",
    "text_decorations": "false",
    "result_filter": "web",
    "country": "ALL",
}
STATUSES = [
    (401, "X", "AuthError bad_key"),
    (403, "X", "AuthError bad_key"),
    (404, "SUBSCRIPTION_NOT_FOUND", "AuthError bad_key"),
    (404, "X", "WebProviderError http_404"),
    (422, "SUBSCRIPTION_TOKEN_INVALID", "AuthError bad_key"),
    (422, "VALIDATION", "InvalidInput http_422"),
    (429, "RATE_LIMITED", "WebBlocked http_429"),
    (429, "QUOTA_LIMITED", "WebBlocked quota_exhausted"),
    (500, "X", "BadGateway http_500"),
    (302, "X", "WebProviderError redirect"),
]
ODD = [
    [],
    {},
    None,
    {"type": "search", "web": []},
    {"type": "search", "web": {}},
    {"type": "search", "web": {"results": {}}},
    brave_page(1, None, {"url": 3}),
]


def page(*rows: object) -> str:
    return json.dumps(brave_page(*rows))


BRAVE = Case(
    page=page,
    row=brave_row,
    first=SearchItem(
        "Title 1",
        site(1),
        "About <strong>page</strong> 1.",  # the normaliser's work
        "brave",
        published_at="2026-03-01T10:00:00",
    ),
    form=FORM,
    headers={"x-subscription-token": "canary-key"},
    asked=[
        ("北京天气", {}, {"q": "北京天气", "country": "CN", "search_lang": "zh-hans"}),
        ("q", {"locale": "zh-TW"}, {"country": "TW", "search_lang": "zh-hant"}),
        ("q", {"locale": "zh"}, {"country": "ALL", "search_lang": "zh-hans"}),
        ("q", {"locale": "ja"}, {"country": "ALL", "search_lang": "jp"}),
        ("q", {"locale": "pt-BR"}, {"country": "BR", "search_lang": "pt-br"}),
        ("q", {"locale": "en-GB"}, {"country": "GB", "search_lang": "en-gb"}),
        ("q", {"locale": "fa"}, {"country": "ALL", "search_lang": None}),
        ("q", {"country": "AQ"}, {"country": "ALL", "search_lang": None}),
        (
            "q",
            {"locale": "all", "country": "US"},
            {"country": "US", "search_lang": None},
        ),
        ("q", {"time_range": "year"}, {"freshness": "py"}),
        ("q", {"site_filter": "a.example"}, {"q": "q site:a.example"}),
    ],
    too_long=["x" * 401, "x " * 51],
    names=["results"],
    empty={
        "no rows": page(),
        "no web": json.dumps({"type": "search"}),
        "null": json.dumps({"type": "search", "web": None}),
    },
    unexpected={data: data for data in map(json.dumps, ODD)},
    statuses={
        f"{status} {word} {key}": (sent(brave_error(word, key=key), status), error)
        for status, word, error in STATUSES
        for key in ("error", "errors")  # answers, and Brave's reference
    },
)
