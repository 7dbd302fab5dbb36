"""The diagnosis of chains, and of several engines at once."""

import asyncio

import pytest
from support.doctor import problems, told
from support.search.engines import Clock, FakeEngine, registered
from support.servers.loopback import served
from support.servers.searxng_pages import healthy

from websearch.config.settings import Settings
from websearch.doctor import diagnose as module
from websearch.doctor.diagnose import adiagnose
from websearch.engines import Searxng, Stub
from websearch.errors import AuthError, BadGateway, NetworkError, WebBlocked
from websearch.routing.limits import EngineLimits

DOWN = NetworkError("down", detail_code="refused")
NO_KEY = AuthError("x", detail_code="missing_key", facts={"variable": "BRAVE_API_KEY"})
CAPTCHA = WebBlocked("robot?", detail_code="captcha_required")


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch):
    """Choose a backend and a chain among these engines."""

    def choose(backend: str, fallback: str, *engines: FakeEngine) -> Settings:
        known = {e.name: registered(e.name, lambda *_, e=e: e) for e in engines}
        monkeypatch.setattr(
            module, "BACKENDS", {"searxng": Searxng, "stub": Stub} | known
        )
        monkeypatch.setenv("WEB_SEARCH_BACKEND", backend)
        monkeypatch.setenv("WEB_SEARCH_FALLBACK", fallback)
        return Settings.load()

    return choose


@pytest.mark.spec("G3", "B2")
async def test_chain(chosen) -> None:
    """Each engine of a chain has its check and finding; one that works is enough."""
    engines = FakeEngine("brave", NO_KEY), FakeEngine("ddg_html")

    diagnosis = await adiagnose(chosen("brave", "ddg_html, stub", *engines))

    assert diagnosis.backend == "brave, ddg_html, stub"
    assert problems(diagnosis) == ["missing_key", "engine_works", "samples"]
    assert [(c.state, c.note) for c in diagnosis.checks] == [
        ("failed", "brave missing_key"),
        ("passed", "ddg_html 1"),
        ("passed", "stub 3"),
    ]
    assert diagnosis.is_usable
    assert diagnosis.as_dict("en-US")["ok"] is True


@pytest.mark.spec("G3")
async def test_beside_searxng(chosen, monkeypatch: pytest.MonkeyPatch) -> None:
    """SearXNG among several has its own doctor; `a+b` is no unknown name."""
    with served(healthy) as server:
        monkeypatch.setenv("SEARXNG_BASE_URL", server.url)
        settings = chosen("searxng+ddg_html", "", FakeEngine("ddg_html", CAPTCHA))
        diagnosis = await adiagnose(settings)

    assert diagnosis.backend == "searxng+ddg_html"
    assert problems(diagnosis) == ["healthy", "captcha_required"]
    assert diagnosis.is_usable


@pytest.mark.parametrize(
    ("first", "second", "cause"),
    [
        (DOWN, NO_KEY, "missing_key"),
        (NO_KEY, CAPTCHA, "missing_key"),
        (CAPTCHA, NO_KEY, "captcha_required"),
        (DOWN, DOWN, "engine_fails"),
    ],
)
async def test_most_telling(chosen, first, second, cause) -> None:
    """If no engine works, the problem with a cure is reported first."""
    engines = FakeEngine("brave", first), FakeEngine("bocha", second)

    diagnosis = await adiagnose(chosen("brave", "bocha", *engines))

    assert not diagnosis.is_usable
    assert diagnosis.main.cause == cause


async def test_named_alone(chosen) -> None:
    """A backend that the caller names is examined alone, without the chain."""
    engines = FakeEngine("brave"), FakeEngine("ddg_html")

    diagnosis = await adiagnose(chosen("brave", "brave", *engines), backend="ddg_html")

    assert (diagnosis.backend, engines[0].requests) == ("ddg_html", [])
    assert [e.closed for e in engines] == [0, 1]


async def test_unknown_in_chain(chosen) -> None:
    """An unknown name in a chain is a finding, and the others are examined."""
    settings = chosen("brave+lycos", "altavista", FakeEngine("brave"))

    diagnosis = await adiagnose(settings)

    assert problems(diagnosis) == ["engine_not_taken"] * 2 + ["engine_works"]
    titles = [f.advice("en-US").title for f in diagnosis.findings[:2]]
    assert "WEB_SEARCH_BACKEND" in titles[0]
    assert "WEB_SEARCH_FALLBACK" in titles[1]


@pytest.mark.spec("I5")
async def test_limits_are_shared(chosen) -> None:
    """An engine that rests in this process is not asked by its doctor either."""
    engine = FakeEngine("ddg_html", CAPTCHA)
    settings, limits = chosen("ddg_html", "", engine), EngineLimits(clock=Clock())

    for _ in range(3):
        diagnosis = await adiagnose(settings, limits=limits)

    assert len(engine.requests) == 1
    assert diagnosis.main.cause == "captcha_required"
    assert told(diagnosis) == ["reachable skipped", "admitted skipped", "search failed"]


@pytest.mark.spec("B4")
async def test_at_once(chosen) -> None:
    """Engines are examined at the same time: the last begins before the first ends."""
    slow = [FakeEngine(name, "hangs") for name in ("brave", "bocha", "ddg_html")]
    settings = chosen("brave", "bocha, ddg_html", *slow)
    settings = settings.model_copy(update={"timeout_ms": 1_000})

    examining = asyncio.create_task(adiagnose(settings))
    while not all(engine.requests for engine in slow):  # noqa: ASYNC110  a fake's list
        await asyncio.sleep(0)
    assert [engine.cancelled for engine in slow] == [0, 0, 0]
    diagnosis = await examining

    assert problems(diagnosis) == ["engine_fails"] * 3


@pytest.mark.parametrize(
    ("first", "asked"), [(["https://a.example/"], []), (BadGateway("x"), ["brave"])]
)
async def test_no_more_than_needed(chosen, first, asked: list[str]) -> None:
    """At a glance, an engine of the chain is asked only where those before it fail."""
    engines = [FakeEngine("ddg_html", first), FakeEngine("brave")]
    settings = chosen("ddg_html", "brave, stub", *engines)

    diagnosis = await adiagnose(settings, is_thorough=False)

    assert [engine.name for engine in engines[1:] if engine.requests] == asked
    assert diagnosis.is_usable
    assert diagnosis.backend == "ddg_html, brave, stub"
