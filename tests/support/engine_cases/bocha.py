"""Bocha's answers."""

import json

from support.engine_cases.case import Case
from support.search.engine_pages import bocha_page, bocha_row, sent
from support.servers.searxng_pages import site

from websearch.models import SearchItem

DAY = "2024-07-22T09:00:00"
STATUSES = {
    400: "InvalidInput http_400",
    401: "AuthError bad_key",
    403: "AuthError quota_exhausted",
    404: "WebProviderError http_404",
    429: "WebBlocked http_429",
    500: "BadGateway http_500",
}
ODD = [
    [],
    {},
    {"code": 200},
    {"code": None, "data": {}},
    {"code": 200, "data": {}},
    {"code": 200, "data": {"webPages": []}},
    {"code": 200, "data": {"webPages": {"value": None}}},
    bocha_page(1, None, {"url": 3}),
]


def page(*rows: object) -> str:
    return json.dumps(bocha_page(*rows))


def dated(name: str, day: object) -> str:
    return page(bocha_row(**{"dateLastCrawled": None, name: day}))


BOCHA = Case(
    page=page,
    row=bocha_row,
    first=SearchItem(
        "标题 1", site(1), "摘要 1", "bocha", published_at="2026-03-01T10:00:00+08:00"
    ),
    method="POST",
    form={"query": "q", "freshness": "noLimit", "summary": False, "count": 10},
    headers={
        "authorization": "Bearer canary-key",
        "content-type": "application/json",
    },
    asked=[
        ("北京 天气", {}, {"query": "北京 天气"}),
        ("q", {"time_range": "week"}, {"freshness": "oneWeek"}),
        ("q", {"site_filter": "a.example"}, {"query": "q", "include": "a.example"}),
        ("q", {"need_summary": True}, {"summary": True}),
    ],
    names=["webPages"],
    empty={
        "no rows": page(),
        "null": json.dumps({"code": 200, "data": {"webPages": None}}),
    },
    unexpected={data: data for data in map(json.dumps, ODD)},
    statuses={
        f"{status} in the {place}": (
            sent(
                {"code": code, "message": "canary"},
                status if place == "status" else 200,
            ),
            error,
        )
        for status, error in STATUSES.items()
        for place, code in {
            "status": status,
            "body": status,
            "body as text": str(status),
        }.items()
    },
    details={
        # The Z of the day of crawling stands for UTC+8, as Bocha's document says.
        "crawled, Z": (
            dated("dateLastCrawled", f"{DAY}Z"),
            "摘要 1",
            f"{DAY}+08:00",
        ),
        "crawled": (dated("dateLastCrawled", DAY), "摘要 1", DAY),
        "no date": (dated("dateLastCrawled", 5), "摘要 1", None),
        "Z": (dated("datePublished", f"{DAY}Z"), "摘要 1", f"{DAY}+00:00"),
        "zone": (dated("datePublished", f"{DAY}+08:00"), "摘要 1", f"{DAY}+08:00"),
        "summary": (
            page(bocha_row(summary="长摘要")),
            "长摘要",
            "2026-03-01T10:00:00+08:00",
        ),
    },
)
