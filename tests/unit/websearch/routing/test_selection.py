"""The table of who hears a query: what is set, and who is asked (M3, SPEC L)."""

import json
import logging
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from websearch import create_service
from websearch.config import Settings
from websearch.errors import InvalidInput
from websearch.routing.selection import chosen, only

PLACE = "agents.json: agents[0].webSearch.provider"
OF_CONFIG = "config.json: tools.webSearch.defaultProvider"
OF_BACKEND, OF_FALLBACK = "WEB_SEARCH_BACKEND", "WEB_SEARCH_FALLBACK"
KEYS = ("BRAVE_API_KEY", "BOCHA_API_KEY")


class Row(NamedTuple):
    """A case: the settings, the engines used, the names not taken."""

    asked: str
    backend: str | None = None  # WEB_SEARCH_BACKEND
    address: str | None = None  # SEARXNG_BASE_URL
    fallback: str | None = None  # WEB_SEARCH_FALLBACK
    file: Any = None  # tools.webSearch of config.json, or its whole text
    agent: str | None = None  # the provider in agents.json
    key: bool = False
    told: str = ""  # the place of the name that is not taken


HERE = "http://h:8080"
BRAVE = {"defaultProvider": "brave"}
FIRST_RUN = "searxng, ddg_html, stub"

TABLE = {
    # Nobody names an engine: the chain of a first run.
    "nothing": Row(FIRST_RUN),
    "only a key": Row(FIRST_RUN, key=True),
    "an empty file": Row(FIRST_RUN, file={}),
    "other entries of the file": Row(FIRST_RUN, file={"maxResults": 7}),
    # WEB_SEARCH_BACKEND: those engines and no other, with or without a key.
    "backend": Row("ddg_html", backend="ddg_html"),
    "backend and address": Row("baidu_html", backend="baidu_html", address=HERE),
    "backend with key": Row("brave", backend="brave", key=True),
    "backend without key": Row("brave", backend="brave"),
    "backends at once": Row("brave+searxng", backend="brave + searxng"),
    "backend before file": Row("stub", backend="stub", file=BRAVE, key=True),
    "backend and fallback": Row("stub, brave", backend="stub", fallback="brave,stub"),
    "unknown backend": Row("searxng", backend="lycos", told=OF_BACKEND),
    "one unknown backend": Row("brave", backend="lycos+brave", told=OF_BACKEND),
    "blank backend": Row("searxng", backend="+"),
    # SEARXNG_BASE_URL, or a fallback: SearXNG, then the fallback.
    "address": Row("searxng", address=HERE),
    "invalid address": Row("searxng", address="h:8080"),
    "address in the file": Row(
        "searxng", file={"providers": {"searxng": {"baseUrl": HERE}}}
    ),
    "fallback": Row("searxng, brave", fallback="brave"),
    "address and fallback": Row("searxng, stub", address=HERE, fallback="stub"),
    "unknown fallback": Row("searxng", fallback="lycos", told=OF_FALLBACK),
    "fallback in the file": Row("searxng, stub", file={"fallback": ["stub"]}),
    "variable before the file": Row(
        "searxng, stub", fallback="stub", file={"fallback": ["brave"]}
    ),
    "no fallback in the file": Row("searxng", file={"fallback": []}),
    "blank fallback": Row("searxng", file={"fallback": [" "]}),
    "no name in the fallback": Row("searxng", file={"fallback": ["brave", 3]}),
    "it, agent without key": Row(
        "searxng", file={"fallback": ["brave", 3]}, agent="brave", told=PLACE
    ),
    # config.json: those that have their key.
    "file": Row("baidu_html", file={"defaultProvider": "baidu_html"}),
    "file with key": Row("brave", file=BRAVE, key=True),
    "file with its own key": Row(
        "brave", file={**BRAVE, "providers": {"brave": {"apiKey": "k"}}}
    ),
    "file without key": Row("ddg_html", file=BRAVE, told=OF_CONFIG),
    "file without key, address": Row(
        "searxng", file=BRAVE, address=HERE, told=OF_CONFIG
    ),
    "file without key, fallback": Row(
        "baidu_html, stub", file=BRAVE, fallback="baidu_html,stub", told=OF_CONFIG
    ),
    "file without key, it as fallback": Row(
        "ddg_html", file=BRAVE, fallback="brave", told=OF_CONFIG
    ),
    "file without key, invalid key": Row(
        "searxng",
        file={**BRAVE, "providers": {"brave": {"apiKey": "密"}}},
    ),
    "one of two with key": Row(
        "searxng", file={"defaultProvider": "searxng+brave"}, told=OF_CONFIG
    ),
    "unknown in the file": Row(
        "searxng", file={"defaultProvider": "lycos"}, told=OF_CONFIG
    ),
    # A broken file may have named engines: no other is asked.
    "no JSON": Row("searxng", file="{oops"),
    "duplicate": Row("searxng", file='{"tools": {}, "tools": {}}'),
    "no object": Row("searxng", file="[]"),
    "misspelt section": Row("searxng", file='{"tolls": {}}'),
    "section without entries": Row("searxng", file='{"tools": 3}'),
    "blank engine": Row("searxng", file={"defaultProvider": " "}),
    "invalid number": Row("searxng", file={"maxResults": 99}),
    "broken, backend": Row("ddg_html", file="{oops", backend="ddg_html"),
    "broken, fallback": Row("searxng, stub", file="{oops", fallback="stub"),
    # agents.json: those that have their key.
    "agent": Row("searxng", agent="searxng"),
    "agent before all": Row("stub", agent="stub", backend="brave", address=HERE),
    "agent with key": Row("brave", agent="brave", key=True),
    "agent and fallback": Row("searxng, stub", agent="searxng", fallback="stub"),
    "one of an agent's two": Row("searxng", agent="searxng+brave", told=PLACE),
    "blank provider": Row("searxng", agent="+"),
    "provider, unknown fallback": Row(
        "searxng", agent="searxng", fallback="brvae", told=OF_FALLBACK
    ),
}
# An agent's engine that lacks its key gives way to what is named, or to DuckDuckGo.
KEYLESS = {
    "": Row("ddg_html", agent="brave"),
    "backend": Row("stub", agent="bocha", backend="stub"),
    "keyed backend": Row("brave", agent="bocha", backend="brave"),
    "unknown backend": Row("searxng", agent="bocha", backend="lycos"),
    "address": Row("searxng", agent="brave", address=HERE),
    "fallback": Row("stub", agent="brave", fallback="stub"),
    "file": Row("ddg_html", agent="brave", file={"defaultProvider": "baidu_html"}),
    "broken file": Row("searxng", agent="brave", file="{oops"),
}
# A misspelt provider names nobody: as the settings choose, but no first run.
MISSPELT = {
    "": Row("searxng", agent="serxng"),
    "one of two": Row("searxng", agent="searxng+brve"),
    "backend": Row("stub", agent="brve", backend="stub"),
    "file": Row("baidu_html", agent="brve", file={"defaultProvider": "baidu_html"}),
    "fallback": Row("searxng, stub", agent="brve", fallback="stub"),
}
for title, rows in (("agent without key", KEYLESS), ("unknown provider", MISSPELT)):
    for name, row in rows.items():
        TABLE[f"{title}, {name}".strip(", ")] = row._replace(told=PLACE)


def settings_of(monkeypatch: pytest.MonkeyPatch, row: Row) -> Settings:
    variables = {
        OF_BACKEND: row.backend,
        "SEARXNG_BASE_URL": row.address,
        OF_FALLBACK: row.fallback,
        **dict.fromkeys(KEYS, "k" if row.key else None),
    }
    for name, value in variables.items():
        if value is not None:
            monkeypatch.setenv(name, value)
    if row.file is not None:
        whole = {"tools": {"webSearch": row.file}}
        text = row.file if isinstance(row.file, str) else json.dumps(whole)
        Path("config.json").write_text(text, encoding="utf-8")
    return Settings.load()


@pytest.mark.spec("M3", "I3")
@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_table(monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    """Each row: these engines hear a query and no other, and these names do not
    count."""
    settings = settings_of(monkeypatch, row)

    plan = chosen(settings, provider=row.agent, place=PLACE)

    assert plan.title == row.asked
    assert "".join(entry.place for entry in plan.not_taken) == row.told


CONTRACT = {
    "nothing": Row("stub"),
    "address": Row("stub", address=HERE),
    "broken file": Row("stub", file="{oops"),
    "unknown": Row("stub", backend="lycos", told=OF_BACKEND),
    "backend": Row("brave", backend="brave"),
    "file without key": Row("brave", file=BRAVE),
    "fallback": Row("stub, brave", fallback="brave"),
}


@pytest.mark.spec("H9", "M3")
@pytest.mark.parametrize("row", CONTRACT.values(), ids=CONTRACT.keys())
def test_tool_contract(monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    """In the tool contract the default is stub, and no engine gives way."""
    plan = chosen(settings_of(monkeypatch, row), default="stub")

    assert plan.title == row.asked
    assert "".join(entry.place for entry in plan.not_taken) == row.told


@pytest.mark.spec("M3")
def test_named_on_the_command_line() -> None:
    """Engines named by hand are asked alone; an unknown name is an error."""
    assert only("brave+searxng").title == "brave+searxng"
    for name in ("altavista", "brave+altavista", "+"):
        with pytest.raises(InvalidInput, match="known are"):
            only(name)


@pytest.mark.spec("I3")
def test_missing_key_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log tells which engine gives way, where it is named, why, and for which."""
    create_service(settings_of(monkeypatch, Row("ddg_html", file=BRAVE)))

    warnings = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert warnings == [
        f"{OF_CONFIG}=brave is not taken: using ddg_html (BRAVE_API_KEY is not set)"
    ]


@pytest.mark.spec("I6")
def test_a_key_in_the_wrong_variable_is_not_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unknown name that can be a key is not repeated."""
    create_service(settings_of(monkeypatch, Row("searxng", backend="canary-key-7f3a")))

    warnings = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert "WEB_SEARCH_BACKEND=… is not taken" in warnings[0]
    assert "canary" not in " ".join(warnings)
