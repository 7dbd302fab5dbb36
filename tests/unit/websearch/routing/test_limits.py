"""Engines are paced and left to rest by what the settings say of them."""

import asyncio
import contextlib

import pytest
from support.search.engines import Clock, FakeEngine, registry, request

from websearch import create_service
from websearch.advice import facts_of_error
from websearch.causes import Cause, advise, cause_of
from websearch.config.settings import Settings
from websearch.errors import WebBlocked
from websearch.models import SearchRequest, SearchResponse
from websearch.routing import limits as module
from websearch.routing.limits import EngineLimits


@pytest.mark.spec("I5")
async def test_scraping_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting limits how often a keyless engine is asked, over all services."""
    engine = FakeEngine("baidu_html")
    registry(monkeypatch, engine)
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "baidu_html")
    monkeypatch.setenv("WEB_SEARCH_SCRAPES_PER_MINUTE", "2")
    limits = EngineLimits(clock=Clock())
    for _ in range(2):
        await create_service(limits=limits).asearch("q")

    with pytest.raises(WebBlocked) as caught:
        await create_service(limits=limits).asearch("q")

    assert (caught.value.detail_code, caught.value.retry_after) == ("rate_limited", 60)
    assert len(engine.requests) == 2


async def test_quota_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key of an engine has a quota of its own, whatever is scraped beside it."""
    registry(monkeypatch, FakeEngine("brave"))
    monkeypatch.setattr(module, "KEYED_PER_MINUTE", 2)
    monkeypatch.setenv("WEB_SEARCH_SCRAPES_PER_MINUTE", "1")
    limits = EngineLimits(clock=Clock())
    sent = []
    for key in ("k1", "k1", "k1", "k2"):
        monkeypatch.setenv("BRAVE_API_KEY", key)
        service = create_service(Settings.load(), backend="brave", limits=limits)
        try:
            await service.asearch("q")
        except WebBlocked as error:
            sent.append(error.detail_code)
        else:
            sent.append(key)

    assert sent == ["k1", "k1", "rate_limited", "k2"]


@pytest.mark.spec("I5")
@pytest.mark.parametrize("name", ["brave", "ddg_html"])
async def test_retry_after_is_obeyed(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """After a 429 an engine is not asked before the time that it named is over."""
    refusal = WebBlocked("slow down", detail_code="http_429", retry_after=30)
    engine = FakeEngine(name, refusal, ["https://a.example/"])
    registry(monkeypatch, engine)
    clock = Clock()
    service = create_service(backend=name, limits=EngineLimits(clock=clock))
    for waited in (0, 29):
        clock.now += waited
        with pytest.raises(WebBlocked):
            await service.asearch("q")
    clock.now += 1

    found = await service.asearch("q")

    assert (len(found.items), len(engine.requests)) == (1, 2)


async def test_own_server_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own SearXNG alone never rests: he may just have mended it."""
    refusal = WebBlocked("limiter", detail_code="http_429")
    engine = FakeEngine("searxng", refusal)
    registry(monkeypatch, engine)
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng")
    service = create_service()

    for _ in range(2):
        with contextlib.suppress(WebBlocked):
            await service.asearch("q")

    assert len(engine.requests) == 2


async def test_own_server_rests_in_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a chain, a SearXNG that fails rests, and is asked again afterwards."""
    refusal = WebBlocked("limiter", detail_code="http_429")
    engine = FakeEngine("searxng", refusal)
    registry(monkeypatch, engine, FakeEngine("stub"))
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "stub")
    clock = Clock()
    service = create_service(limits=EngineLimits(clock=clock))
    for _ in range(2):
        await service.asearch("q")
    clock.now += 180

    await service.asearch("q")

    assert len(engine.requests) == 2


async def test_spacing_of_duckduckgo(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDuckGo is asked once a second, whatever the limit of the minute."""
    engine = FakeEngine("ddg_html")
    registry(monkeypatch, engine)
    service = create_service(backend="ddg_html", limits=EngineLimits(clock=Clock()))
    await service.asearch("q")

    with pytest.raises(WebBlocked) as caught:
        await service.asearch("q", budget_ms=1_000)

    assert (caught.value.retry_after, len(engine.requests)) == (1, 1)


@pytest.mark.parametrize(("name", "limit"), [("ddg_html", 1), ("brave", 2)])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
async def test_own_limit_is_told_as_ours(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: int, language: str
) -> None:
    """A search beyond our own limit names limit and setting, and blames no engine."""
    engine = FakeEngine(name)
    registry(monkeypatch, engine)
    monkeypatch.setenv("WEB_SEARCH_SCRAPES_PER_MINUTE", "1")
    monkeypatch.setattr(module, "KEYED_PER_MINUTE", 2)
    monkeypatch.setenv("BRAVE_API_KEY", "key")
    service = create_service(backend=name, limits=EngineLimits(clock=Clock()))
    for _ in range(limit):
        await service.asearch("q")

    with pytest.raises(WebBlocked) as caught:
        await service.asearch("q")

    advice = advise(cause_of(caught.value), facts_of_error(caught.value), language)
    assert cause_of(caught.value) is Cause.RATE_LIMITED
    assert f" {limit} " in advice.cause
    assert any("WEB_SEARCH_SCRAPES_PER_MINUTE" in step for step in advice.cure)
    assert "60 s" in advice.cause
    assert "…" not in f"{advice}"
    assert len(engine.requests) == limit


async def test_start_of_a_browser() -> None:
    """The time that a browser takes to start is no time of the search."""

    class Slow(FakeEngine):
        async def asearch(self, request: SearchRequest) -> SearchResponse:
            await asyncio.sleep(0.3)
            return await super().asearch(request)

    known = {"WEB_SEARCH_TIMEOUT_MS": 100}
    settings = Settings.model_validate(known)
    limited = EngineLimits().wrap(Slow("google"), settings, is_lone=True)

    assert (await limited.asearch(request(60_000))).items
