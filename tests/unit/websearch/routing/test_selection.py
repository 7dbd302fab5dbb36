"""Who is asked: each combination of files, environment and keys."""

import json
import logging
from itertools import product
from pathlib import Path

import pytest

from websearch import create_service
from websearch.config.settings import Settings
from websearch.routing.selection import chosen

KEYED = {"brave": "BRAVE_API_KEY", "bocha": "BOCHA_API_KEY"}
PLACE = "agents.json: agents[0].webSearch.provider"


def configure(
    monkeypatch: pytest.MonkeyPatch,
    *,
    default: str | None = None,
    backend: str | None = None,
    key: str | None = None,
    address: bool = False,
) -> Settings:
    if default:
        entries = {"defaultProvider": default}
        data = {"tools": {"webSearch": entries}}
        Path("config.json").write_text(json.dumps(data), encoding="utf-8")
    if backend:
        monkeypatch.setenv("WEB_SEARCH_BACKEND", backend)
    if key:
        monkeypatch.setenv(KEYED[key], "k")
    if address:
        monkeypatch.setenv("SEARXNG_BASE_URL", "http://h:8080")
    return Settings.load()


def resolved(
    provider: str | None,
    default: str | None,
    backend: str | None,
    key: str | None,
    *,
    address: bool,
) -> str:
    """The rules of the table, written down a second time and more slowly."""
    first = provider or backend or default
    if first is None:
        return "searxng" if address else "searxng, ddg_html, stub"
    is_by_hand = provider is None and backend is not None
    if first not in KEYED or first == key or is_by_hand:
        return first
    # A file named an engine whose key is missing.
    if backend is not None:
        return backend
    return "searxng" if address else "ddg_html"


@pytest.mark.spec("I3")
@pytest.mark.parametrize("provider", [None, "searxng", "ddg_html", "brave", "bocha"])
@pytest.mark.parametrize("default", [None, "baidu_html", "brave"])
@pytest.mark.parametrize("backend", [None, "searxng", "stub", "brave"])
@pytest.mark.parametrize(
    ("key", "address"), [*product([None, "brave", "bocha"], [False, True])]
)
def test_every_combination(
    monkeypatch: pytest.MonkeyPatch,
    provider: str | None,
    default: str | None,
    backend: str | None,
    key: str | None,
    *,
    address: bool,
) -> None:
    """The agent's provider, else the global default, else the default backend; an
    engine that a file names without its key gives way to DuckDuckGo, or, where
    somebody has named who may hear queries, to those."""
    settings = configure(
        monkeypatch, default=default, backend=backend, key=key, address=address
    )

    plan = chosen(settings, provider=provider, place=PLACE)

    expected = resolved(provider, default, backend, key, address=address)
    assert plan.title == expected


@pytest.mark.spec("I3")
def test_missing_key_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """That an engine gives way is a line in the log: where it stands, why, for what."""
    create_service(configure(monkeypatch, default="brave"))

    warnings = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert warnings == [
        (
            "config.json: defaultProvider=brave is not taken: "
            "using ddg_html (BRAVE_API_KEY is not set)"
        )
    ]


def test_some_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several engines at once, those without a key stay out, and no other comes."""
    settings = configure(monkeypatch, default="searxng+brave")

    assert chosen(settings).engines == ("searxng",)


def test_chain_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engines of WEB_SEARCH_FALLBACK stand behind an agent's provider too."""
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "ddg_html, stub")
    settings = configure(monkeypatch, default="brave")

    assert chosen(settings, provider="bocha").title == "ddg_html, stub"
    assert chosen(settings, provider="searxng").title == "searxng, ddg_html, stub"


@pytest.mark.spec("M3")
@pytest.mark.parametrize(
    ("provider", "title"),
    [
        ("searxng", "searxng"),
        ("searxng+brve", "searxng"),
        ("serxng", "searxng"),
        ("+", "searxng"),
    ],
)
def test_a_slip_of_the_pen_opens_nothing(provider: str, title: str) -> None:
    """Where nothing else is set, a provider that is mistyped asks no other engine."""
    assert chosen(Settings.load(), provider=provider, place=PLACE).title == title


@pytest.mark.spec("M3")
def test_a_slip_in_the_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped fallback changes nothing about who is asked first."""
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "brvae")
    settings = configure(monkeypatch, backend="baidu_html")

    plan = chosen(settings, provider="searxng", place=PLACE)

    assert plan.title == "searxng"
    assert [entry.place for entry in plan.not_taken] == ["WEB_SEARCH_FALLBACK"]


def test_fallback_serves_for_a_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a chain is named, its first engine serves in the place of a keyless one."""
    monkeypatch.setenv("WEB_SEARCH_FALLBACK", "baidu_html, stub")
    settings = configure(monkeypatch, default="brave")

    assert chosen(settings).title == "baidu_html, stub"


@pytest.mark.spec("M3")
def test_missing_key_beside_a_broken_file() -> None:
    """The key may stand in the file that can't be read: then nobody else hears."""
    Path("config.json").write_text("{oops", encoding="utf-8")

    assert chosen(Settings.load(), provider="brave", place=PLACE).title == "searxng"


@pytest.mark.parametrize("blank", [{"fallback": [" "]}, {"defaultProvider": " "}])
def test_blank_names(blank: dict[str, object]) -> None:
    """A blank name is a mistake, and never opens the chain of a first run."""
    data = {"tools": {"webSearch": blank}}
    Path("config.json").write_text(json.dumps(data), encoding="utf-8")

    settings = Settings.load()

    assert len(settings.mistakes) == 1
    assert chosen(settings).title == "searxng"


def test_no_fallback_at_all() -> None:
    """An empty list is a choice: no other engine."""
    data = {"tools": {"webSearch": {"fallback": []}}}
    Path("config.json").write_text(json.dumps(data), encoding="utf-8")

    assert chosen(Settings.load()).title == "searxng"


@pytest.mark.spec("H9")
def test_nothing_gives_way_in_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the tool contract an engine that lacks its key stays, and says so."""
    settings = configure(monkeypatch, default="brave")

    assert chosen(settings, default="stub").title == "brave"


def test_unknown_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that nobody knows is told, and the global default serves."""
    settings = configure(monkeypatch, default="baidu_html")

    plan = chosen(settings, provider="brve", place=PLACE)

    assert plan.engines == ("baidu_html",)
    (told,) = plan.not_taken
    assert (told.place, told.name, told.default) == (PLACE, "brve", "baidu_html")


@pytest.mark.spec("M3")
@pytest.mark.parametrize("broken", ["{oops", '{"tools": 3}', '{"tolls": {}}'])
def test_broken_file(broken: str) -> None:
    """Beside a file with mistakes, the chain of a first run is not used."""
    Path("config.json").write_text(broken, encoding="utf-8")

    assert chosen(Settings.load()).title == "searxng"
