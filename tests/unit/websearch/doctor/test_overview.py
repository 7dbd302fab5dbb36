"""The table of backends tells what stands in the way, and sends nothing."""

import json

import pytest
from support.command import run

from websearch.config.settings import Settings
from websearch.doctor.overview import overview
from websearch.engines import BACKENDS
from websearch.network.client import HttpClient


@pytest.mark.spec("H5", "H6")
def test_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every backend, chosen or not, and the key that it lacks; nothing is sent."""
    monkeypatch.setattr(HttpClient, "request", None)
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "searxng+brave")
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "bocha")
    monkeypatch.setenv("BOCHA_API_KEY", "canary")

    entries = {entry.name: entry for entry in overview(Settings.load(), "en-US")}

    assert list(entries) == list(BACKENDS)
    assert entries["brave"].as_dict() == {
        "backend": "brave",
        "title": "Brave",
        "key": "BRAVE_API_KEY",
        "chosen": True,
        "fallback": False,
        "usable": False,
        "why_not": "Brave needs a key",
    }
    assert (entries["bocha"].chosen, entries["bocha"].why_not) == ("then", "")
    assert (entries["stub"].chosen, entries["stub"].key) == ("unused", None)


def test_command() -> None:
    """The command prints the table, or JSON for scripts."""
    table = run("backends", UI_LANGUAGE="en-US", WEB_SEARCH_BACKEND="brave")
    data = run("backends", "--json", WEB_SEARCH_BACKEND="brave")

    assert (table.returncode, data.returncode) == (0, 0)
    assert "BRAVE_API_KEY" in table.stdout
    chosen = [e["backend"] for e in json.loads(data.stdout) if e["chosen"]]
    assert chosen == ["brave"]


def test_doctor_of_several() -> None:
    """`--backend a+b` examines both, and one that works is enough for exit 0."""
    done = run("doctor", "--json", "--backend", "brave+stub")

    diagnosis = json.loads(done.stdout)
    assert (done.returncode, diagnosis["backend"]) == (0, "brave+stub")
    assert [f["problem"] for f in diagnosis["findings"]] == ["missing_key", "samples"]
