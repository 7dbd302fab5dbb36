"""Reports are kept for their browser, bounded, and freed."""

from collections.abc import AsyncIterator

import pytest
from support.sessions import offline_session

from agent import Session
from agent.research import Ended, ReportRun
from ui.report import registry
from ui.report.registry import Reports


@pytest.fixture
async def reports() -> AsyncIterator[Reports]:
    kept = Reports()
    yield kept
    await kept.aclose()


@pytest.fixture
def session() -> Session:
    return offline_session()


def waiting(session: Session, reports: Reports, owner: str) -> ReportRun:
    """A report whose plan waits for its user."""
    run = session.report("What is known?", plan_seconds=60)
    reports.add(owner, run)
    return run


async def test_each_browser_has_its_own(session: Session, reports: Reports) -> None:
    one = waiting(session, reports, "a")
    other = waiting(session, reports, "b")

    assert reports.of("a") is one
    assert reports.of("b") is other
    assert reports.of("c") is None


async def test_a_new_report_stops_the_old_one(
    session: Session, reports: Reports
) -> None:
    old = waiting(session, reports, "a")
    new = waiting(session, reports, "a")
    await old.wait()

    assert old.report.ended is Ended.STOPPED
    assert reports.of("a") is new
    assert not new.is_over


async def test_finished_reports_go_after_a_time(
    session: Session, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = waiting(session, reports, "a")
    report.stop()
    await report.wait()
    assert reports.of("a") is report

    monkeypatch.setattr(registry, "KEPT_SECONDS", 0)

    assert reports.of("a") is None


async def test_the_oldest_go_when_they_are_many(
    session: Session, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "MOST_KEPT", 2)
    for owner in "abc":
        report = waiting(session, reports, owner)
        report.stop()
        await report.wait()
    running = waiting(session, reports, "d")

    assert [owner for owner in "abcd" if reports.of(owner)] == ["b", "c", "d"]
    assert reports.of("d") is running


async def test_all_end_with_the_server(session: Session) -> None:
    reports = Reports()
    replaced = waiting(session, reports, "a")
    newest = waiting(session, reports, "a")

    await reports.aclose()

    assert replaced.is_over
    assert newest.is_over
    assert reports.of("a") is None


@pytest.mark.spec("N2")
async def test_full(
    session: Session, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many reports run at once; a browser may always replace its own."""
    monkeypatch.setattr(registry, "MOST_RUNNING", 2)
    waiting(session, reports, "a")
    assert not reports.is_full("b")
    other = waiting(session, reports, "b")

    assert reports.is_full("c")
    assert not reports.is_full("a")
    await other.aclose()
    assert not reports.is_full("c")
