"""The diagnosis as start-up, doctor and page use it."""

import logging
from pathlib import Path

import pytest
from support.servers.faults import FAULTS
from support.servers.loopback import served

from websearch.config.settings import Settings
from websearch.doctor import diagnose as module
from websearch.doctor.diagnose import adiagnose


@pytest.mark.spec("B2")
async def test_start_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The finding is logged in one line with address and cause, whatever it is."""
    with served(FAULTS["json off"][0]) as server:
        monkeypatch.setenv("SEARXNG_BASE_URL", server.url)
        (await adiagnose(Settings.load())).log()

    (record,) = [r for r in caplog.records if r.name == "websearch.doctor.diagnosis"]
    assert record.levelno == logging.WARNING
    assert "JSON format is not enabled" in record.getMessage()


@pytest.mark.spec("B1", "B2", "B8")
async def test_rejected_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that was not taken is a finding of its own, before all others."""
    monkeypatch.setenv("SEARXNG_BASE_URL", "localhost:1")
    monkeypatch.setenv("WEB_SEARCH_MAX_RESULTS", "x")

    diagnosis = await adiagnose(Settings.load(), backend="stub")

    named = [str(finding.cause) for finding in diagnosis.findings]
    assert named == ["value_invalid", "value_invalid", "samples"]
    assert diagnosis.is_usable
    advice = diagnosis.findings[0].advice("zh-CN")
    assert "http://localhost:8080" in advice.cause
    assert "localhost:1" not in advice.cause


@pytest.mark.parametrize("marked", [True, False])
async def test_container_marks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, marked: bool
) -> None:
    """A container is known by the marks of its engine."""
    mark = tmp_path / "mark"
    if marked:
        mark.touch()
    monkeypatch.setattr(module, "_CONTAINER_MARKS", (mark,))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    with served(FAULTS["json off"][0]) as gone:
        settings = Settings.model_validate({"SEARXNG_BASE_URL": gone.url})

    cause = (await adiagnose(settings, backend="searxng")).main.cause

    assert cause == ("refused_in_container" if marked else "refused")
