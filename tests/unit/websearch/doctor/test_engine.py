"""The doctor of engines other than SearXNG: one search tells what is wrong."""

import pytest
from support.doctor import told
from support.search.asked_engine import KEY, engine_at
from support.search.engine_pages import (
    BAIDU_BLOCK,
    BAIDU_NO_PAGE,
    BAIDU_REFUSAL,
    DDG_BLOCK,
    DDG_EMPTY,
    baidu_card,
    baidu_page,
    bocha_page,
    bocha_row,
    brave_error,
    brave_page,
    brave_row,
    ddg_page,
    ddg_row,
    html,
    sent,
)
from support.search.engines import HANGS, FakeEngine
from support.servers.loopback import Answer, served

from websearch.doctor.diagnosis import Diagnosis
from websearch.doctor.engine import examine
from websearch.errors import NetworkError

NO_QUOTA = brave_error("QUOTA_LIMITED")
KEYED = {"brave", "bocha"}
GOOD = {
    "ddg_html": html(ddg_page(ddg_row())),
    "baidu_html": html(baidu_page(baidu_card())),
    "brave": sent(brave_page(brave_row())),
    "bocha": sent(bocha_page(bocha_row())),
}


async def examined(name: str, answer: Answer, key: str | None = KEY) -> Diagnosis:
    with served(lambda _: answer) as server:
        backend = engine_at(name, server.url, key=key)
        try:
            return await examine(backend, seconds=5, is_keyed=name in KEYED)
        finally:
            await backend.aclose()


def states(name: str, **changed: str) -> list[str]:
    """Every check of an engine passes but those that are *changed*."""
    checks = ("key",) * (name in KEYED) + ("reachable", "admitted", "search")
    return [f"{check} {changed.get(check, 'passed')}" for check in checks]


@pytest.mark.spec("G3")
@pytest.mark.parametrize("name", GOOD)
async def test_works(name: str) -> None:
    """An engine that gives results is healthy; the keyed ones have a key to check."""
    diagnosis = await examined(name, GOOD[name])

    assert diagnosis.is_usable
    assert diagnosis.main.cause == "engine_works"
    assert told(diagnosis) == states(name)
    assert diagnosis.checks[-1].note == "1"


FAULTS = [
    ("ddg_html", html(DDG_BLOCK, 202), "captcha_required", "admitted"),
    ("ddg_html", html("<p>new page</p>"), "unexpected_page", "search"),
    ("ddg_html", html("", 429), "engine_refuses", "admitted"),
    ("ddg_html", html("", 500), "engine_fails", "search"),
    ("ddg_html", html(DDG_EMPTY), "engine_finds_nothing", "search"),
    ("baidu_html", html(BAIDU_BLOCK), "captcha_required", "admitted"),
    ("baidu_html", html(BAIDU_REFUSAL), "user_agent_refused", "admitted"),
    ("baidu_html", html(BAIDU_NO_PAGE), "no_such_page", "search"),
    ("brave", sent({}, 401), "bad_key", "admitted"),
    ("brave", sent(NO_QUOTA, 429), "quota_exhausted", "admitted"),
    ("brave", None, "missing_key", "key"),
    ("bocha", sent({}, 401), "bad_key", "admitted"),
    ("bocha", sent({}, 403), "quota_exhausted", "admitted"),
    ("bocha", None, "missing_key", "key"),
]


@pytest.mark.spec("G3", "B5", "H6")
@pytest.mark.parametrize(("name", "answer", "problem", "failed"), FAULTS)
async def test_faults(
    name: str, answer: Answer | None, problem: str, failed: str
) -> None:
    """A block, a changed page, a missing key: each by its name, in both languages."""
    key = KEY if answer else None
    diagnosis = await examined(name, answer or GOOD[name], key=key)

    assert not diagnosis.is_usable
    assert diagnosis.main.cause == problem
    assert [t for t in told(diagnosis) if t.endswith("failed")] == [f"{failed} failed"]
    for language in ("zh-CN", "en-US"):
        advice = diagnosis.main.advice(language)
        assert "…" not in advice.title + advice.cause
        assert "canary" not in advice.cause
        assert answer or f"{name.upper()}_API_KEY" in advice.cause


@pytest.mark.spec("G3", "B4")
@pytest.mark.parametrize(
    "outcome", [NetworkError("x", detail_code="refused"), HANGS], ids=["down", "slow"]
)
async def test_unreachable(outcome: NetworkError | str) -> None:
    """An engine that is down, or silent until the deadline, is not reachable."""
    engine = FakeEngine("ddg_html", outcome)

    diagnosis = await examine(engine, seconds=0.1, is_keyed=False)

    assert diagnosis.main.cause == "engine_fails"
    assert "0.1 s" in diagnosis.main.advice("en-US").cause
    skipped = {"admitted": "skipped", "search": "skipped"}
    assert told(diagnosis) == states("ddg_html", reachable="failed", **skipped)
