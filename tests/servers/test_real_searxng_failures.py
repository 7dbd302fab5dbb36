"""Failed searches of a real SearXNG, and what the doctor says of them."""

import asyncio

import pytest
from support.servers.real_searxng import RealSearxng

from websearch.causes import Cause
from websearch.config.settings import Settings
from websearch.doctor.diagnose import adiagnose
from websearch.doctor.diagnosis import Diagnosis, Question, State
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


@pytest.mark.spec("G3", "B2")
def test_doctor_healthy(searxng_server: RealSearxng) -> None:
    """A healthy server passes every question, and its version is told."""
    diagnosis = examine(searxng_server)

    assert diagnosis.main.cause is Cause.HEALTHY
    assert [check.state for check in diagnosis.checks] == [State.PASSED] * 4
    assert diagnosis.checks[1].note
    assert str(diagnosis.main.facts["results"]) == "10"


@pytest.mark.spec("G3", "G5", "B6")
def test_doctor_names_json(searxng_html_only: RealSearxng) -> None:
    """A server without JSON is recognised, and the lines to add are given."""
    diagnosis = examine(searxng_html_only)

    assert diagnosis.main.cause is Cause.JSON_DISABLED
    assert not diagnosis.is_usable
    assert "json" in " ".join(diagnosis.main.advice("en-US").cure)


@pytest.mark.spec("G3", "B2")
def test_doctor_blocked(searxng_broken: RealSearxng) -> None:
    """Engines that refuse are told apart from a server that is wrong."""
    diagnosis = examine(searxng_broken)

    assert diagnosis.main.cause is Cause.ENGINES_BLOCKED
    assert "http429" in str(diagnosis.main.facts["engines"])
    states = {check.question: check.state for check in diagnosis.checks}
    assert states[Question.JSON] is State.PASSED
    assert states[Question.SEARCH] is State.FAILED


@pytest.mark.spec("G3")
def test_doctor_failing(searxng_failing: RealSearxng) -> None:
    """Engines that fail without refusing are named with their reasons."""
    diagnosis = examine(searxng_failing)

    assert diagnosis.main.cause is Cause.ENGINES_FAILED
    assert "slow (timeout)" in str(diagnosis.main.facts["engines"])


@pytest.mark.spec("G3", "B1")
def test_doctor_finds_the_address(searxng_server: RealSearxng) -> None:
    """A wrong path is found out, and the right address is named."""
    wrong = RealSearxng(f"{searxng_server.url}/nowhere", searxng_server.corpus)

    diagnosis = examine(wrong)

    assert diagnosis.main.cause is Cause.WRONG_ADDRESS
    assert diagnosis.main.facts["found"] == searxng_server.url


@pytest.mark.spec("B2", "G3")
def test_probe_asks_no_engine(searxng_server: RealSearxng) -> None:
    """A request without a query tells health and costs no engine a search."""
    asked = len(searxng_server.corpus.asked)

    reply = searxng_server.ask(format="json")

    assert (reply.status, reply.json()) == (400, {"error": "No query"})
    assert len(searxng_server.corpus.asked) == asked


def examine(server: RealSearxng) -> Diagnosis:
    """The doctor's diagnosis of the server."""
    settings = Settings(
        _env_file=None, SEARXNG_BASE_URL=server.url, WEB_SEARCH_BACKEND="searxng"
    )
    return asyncio.run(adiagnose(settings, in_container=False))
