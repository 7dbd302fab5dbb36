"""The doctor of engines and pages that need a browser."""

import os
import sys
from functools import partial
from pathlib import Path

import pytest
from support.browser.browser_processes import running
from support.doctor import problems, told
from support.search.engines import FakeEngine, registered

from websearch import processes
from websearch.browser.browser import Browser
from websearch.config.settings import Settings
from websearch.doctor import adiagnose, adiagnose_reading
from websearch.doctor import diagnose as module
from websearch.errors import WebBlocked
from websearch.routing.limits import EngineLimits

CAPTCHA = WebBlocked("robot?", detail_code="captcha_required")
# As root a browser has no sandbox.
UNBOXED = ["browser_no_sandbox"] if os.geteuid() == 0 else []


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time to start a browser."""
    monkeypatch.setattr(processes, "Browser", partial(Browser, start_seconds=60))


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without a browser; programs in this folder are found."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    return tmp_path / "bin"


def chromium(folder: Path) -> Path:
    """A program named chromium, which notes that it was run, and fails."""
    folder.mkdir(exist_ok=True)
    program, mark = folder / "chromium", folder / "was-run"
    program.write_text(f"#!/bin/sh\n: > '{mark}'\nexit 1\n")
    program.chmod(0o755)
    return mark


def settings(**values: str) -> Settings:
    return Settings.model_validate({"WEB_SEARCH_BACKEND": "google", **values})


def fake(monkeypatch: pytest.MonkeyPatch, *outcomes: Exception) -> FakeEngine:
    """No test asks Google: an engine of its name, with the real browser."""
    engine = FakeEngine("google", *outcomes)
    known = {"google": registered("Google", lambda *_: engine)}
    monkeypatch.setattr(module, "BACKENDS", known)
    return engine


async def test_only_looked_for(bare: Path) -> None:
    """At the start a browser that is there is enough, and is not started."""
    mark = chromium(bare)

    diagnosis = await adiagnose(settings(), is_thorough=False)

    assert problems(diagnosis) == ["browser_ready"]
    assert diagnosis.is_usable
    assert told(diagnosis) == [
        *("browser passed", "reachable skipped", "admitted skipped", "search skipped")
    ]
    assert not mark.exists()


@pytest.mark.parametrize("is_thorough", [True, False])
@pytest.mark.parametrize(
    ("path", "problem"), [("", "browser_missing"), ("/none/chrome", "browser_path")]
)
async def test_no_browser(path: str, problem: str, is_thorough: bool) -> None:
    """Without a browser, or with a wrong path to it, neither Google can be searched nor
    a page be rendered."""
    chosen = settings(WEB_FETCH_BROWSER="true", CHROME_PATH=path)

    diagnosis = await adiagnose(chosen, is_thorough=is_thorough)
    reading = await adiagnose_reading(chosen, resolve=lambda *_: ["93.184.216.34"])

    assert problems(diagnosis) == problems(reading) == [problem]
    assert not diagnosis.is_usable
    assert told(diagnosis)[0] == "browser failed"
    assert {check.state for check in diagnosis.checks[1:]} == {"skipped"}
    assert told(reading)[:3] == ["page passed", "pdf passed", "browser failed"]


async def test_no_driver(monkeypatch: pytest.MonkeyPatch, bare: Path) -> None:
    """Without the optional package, the cure names the word that installs it."""
    chromium(bare)
    monkeypatch.setitem(sys.modules, "playwright", None)

    diagnosis = await adiagnose(settings(), is_thorough=False)

    assert problems(diagnosis) == ["browser_driver_missing"]
    assert "`make browser`" in diagnosis.main.advice("en-US").cure[0]


async def test_does_not_start(monkeypatch: pytest.MonkeyPatch, bare: Path) -> None:
    """A browser that ends at once is told, and the engine is not asked."""
    engine = fake(monkeypatch)
    mark = chromium(bare)

    diagnosis = await adiagnose(settings())

    assert problems(diagnosis) == ["browser_failed"]
    assert told(diagnosis)[:2] == ["browser failed", "reachable skipped"]
    assert mark.exists()
    assert engine.requests == []


async def test_cooling_down(bare: Path) -> None:
    """An engine that cools down is told as it is, without a start."""
    chromium(bare)
    limits = EngineLimits()
    limits.cooldowns.failed("google", CAPTCHA)

    diagnosis = await adiagnose(settings(), limits=limits, is_thorough=False)

    assert problems(diagnosis) == ["captcha_required"]
    assert told(diagnosis) == [
        *("browser passed", "reachable skipped", "admitted skipped", "search failed")
    ]


async def test_our_own_pace(bare: Path) -> None:
    """A search that was made a moment ago is no fault of the engine."""
    chromium(bare)
    chosen, limits = settings(), EngineLimits()
    await limits.rate_limit("google", chosen).turn(0)

    diagnosis = await adiagnose(chosen, limits=limits, is_thorough=False)

    assert problems(diagnosis) == ["browser_ready"]


class TestRealBrowser:
    """A thorough check starts the browser of this machine."""

    @pytest.fixture(autouse=True)
    def real(self, monkeypatch: pytest.MonkeyPatch, bare: Path) -> None:
        monkeypatch.setenv("PATH", os.defpath)
        # Root's browser has no sandbox; others may have one.
        monkeypatch.setattr(os, "geteuid", lambda: 0)

    @pytest.mark.parametrize(
        ("outcomes", "problem", "last"),
        [((), "engine_works", "search passed"), ((CAPTCHA,), "captcha_required", None)],
        ids=["works", "blocked"],
    )
    async def test_started_and_ended(
        self,
        monkeypatch: pytest.MonkeyPatch,
        outcomes: tuple[Exception, ...],
        problem: str,
        last: str | None,
    ) -> None:
        """It is started for one search and ended; to have no sandbox is harmless."""
        engine = fake(monkeypatch, *outcomes)

        others = running()
        diagnosis = await adiagnose(settings())

        assert problems(diagnosis) == [*UNBOXED, problem]
        assert diagnosis.main.cause == problem
        assert diagnosis.is_usable is (last is not None)
        assert told(diagnosis)[0] == "browser passed"
        assert len(engine.requests) == 1
        assert running() <= others

    async def test_reading(self) -> None:
        """A page of its own that is empty without its script is rendered."""
        chosen = settings(WEB_FETCH_BROWSER="true")

        others = running()
        diagnosis = await adiagnose_reading(
            chosen, resolve=lambda *_: ["93.184.216.34"]
        )

        assert problems(diagnosis) == [*UNBOXED, "reading_works"]
        assert told(diagnosis) == [
            *("page passed", "pdf passed", "browser passed", "names passed")
        ]
        assert running() <= others
