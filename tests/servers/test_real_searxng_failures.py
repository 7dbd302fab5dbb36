"""Failed searches of a real SearXNG, and what the doctor says of them."""

import asyncio

import pytest
from support.servers.real_searxng import RealSearxng

from websearch.config.settings import Settings
from websearch.doctor.diagnose import adiagnose
from websearch.errors import AuthError, BadGateway, WebBlocked

pytestmark = pytest.mark.slow  # each fault is a server of its own


@pytest.mark.spec("B5", "H8")
def test_refusing_engines(searxng_broken: RealSearxng) -> None:
    """If engines refuse, the search is blocked, and each is named, also where SearXNG
    asks it no more."""
    for _ in range(2):
        with pytest.raises(WebBlocked) as failure:
            searxng_broken.search("weather")
        reasons = dict(failure.value.engines)
        assert set(reasons) == {"badjson", "refused", "slow", "http403", "http429"}
        assert failure.value.detail_code == "http_403"
        assert "http429 (" in str(failure.value)

    assert reasons["http403"] == "Suspended: access denied"


@pytest.mark.spec("B5", "H8")
def test_failing_engines(searxng_failing: RealSearxng) -> None:
    """If engines fail without refusing, the error is BadGateway with reasons."""
    with pytest.raises(BadGateway) as failure:
        searxng_failing.search("weather")

    assert failure.value.detail_code == "engines_failed"
    assert dict(failure.value.engines) == {
        "badjson": "parsing error",
        "refused": "HTTP connection error",
        "slow": "timeout",
    }


@pytest.mark.spec("B5")
def test_reasons_in_english(searxng_failing: RealSearxng) -> None:
    """A Chinese question gets its engines' reasons in English all the same."""
    with pytest.raises(BadGateway) as failure:
        searxng_failing.search("人工智能", locale="zh-CN")

    assert str(failure.value).isascii()


@pytest.mark.spec("B7")
def test_engine_that_gives_up(searxng_server: RealSearxng) -> None:
    """Results of an engine that fails later are used, and its error is listed."""
    response = searxng_server.search("aborting")

    assert [item.title for item in response.items] == ["plain"]
    assert dict(response.errors[0].engines) == {"corpus": "unexpected crash"}


@pytest.mark.spec("B4")
def test_slow_engine(searxng_server: RealSearxng) -> None:
    """The server is told our limit, and answers before it with the reason."""
    with pytest.raises(BadGateway) as failure:
        searxng_server.search("slow", timeout=1.0)

    assert dict(failure.value.engines) == {"corpus": "timeout"}


@pytest.mark.spec("B6")
def test_json_disabled(searxng_html_only: RealSearxng) -> None:
    """A server without JSON says so by name, whatever is searched."""
    with pytest.raises(AuthError) as failure:
        searxng_html_only.search("weather")

    assert failure.value.detail_code == "json_disabled"


# The server of a fixture, a path below it, and what the doctor says: its cause, the
# states of its checks, a fact, and a word of the cure.
DIAGNOSES = {
    "healthy": ("searxng_server", "", "healthy", "passed", ("results", "10"), ""),
    "no JSON": ("searxng_html_only", "", "json_disabled", "skipped", None, "json"),
    "refusing": (
        "searxng_broken",
        "",
        "engines_blocked",
        "failed",
        ("engines", "http429"),
        "",
    ),
    "failing": (
        "searxng_failing",
        "",
        "engines_failed",
        "failed",
        ("engines", "slow (timeout)"),
        "",
    ),
    "wrong path": (
        "searxng_server",
        "/nowhere",
        "wrong_address",
        "skipped",
        ("found", "http"),
        "SEARXNG_BASE_URL",
    ),
}


@pytest.mark.spec("G3", "G5", "B1", "B2", "B6")
@pytest.mark.parametrize("case", DIAGNOSES)
def test_doctor(request: pytest.FixtureRequest, case: str) -> None:
    """The doctor tells a healthy server, a server that is wrong, engines that refuse
    and engines that fail, and finds the right address."""
    fixture, path, cause, search, fact, word = DIAGNOSES[case]
    server: RealSearxng = request.getfixturevalue(fixture)
    settings = Settings.model_validate({"SEARXNG_BASE_URL": server.url + path})

    diagnosis = asyncio.run(adiagnose(settings, backend="searxng", in_container=False))

    assert diagnosis.main.cause == cause
    assert diagnosis.checks[-1].state == search
    assert diagnosis.is_usable is (cause == "healthy")
    assert word in " ".join(diagnosis.main.advice("en-US").cure)
    if fact:
        assert fact[1] in str(diagnosis.main.facts[fact[0]])
    if cause == "healthy":
        assert diagnosis.checks[1].note  # its version
    if path:
        assert diagnosis.main.facts["found"] == server.url


@pytest.mark.spec("B2", "G3")
def test_probe_asks_no_engine(searxng_server: RealSearxng) -> None:
    """A request without a query tells health and costs no engine a search."""
    asked = len(searxng_server.corpus.asked)

    reply = searxng_server.ask(format="json")

    assert (reply.status, reply.json()) == (400, {"error": "No query"})
    assert len(searxng_server.corpus.asked) == asked
