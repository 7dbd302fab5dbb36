"""The command line: what it prints, how it ends."""

import json
import signal
import time

import pytest
from support.command import error_of, run, run_process, start
from support.servers.faults import FAULTS
from support.servers.loopback import Answer, served
from support.servers.searxng_pages import healthy, page, row


@pytest.mark.spec("E3", "B3")
def test_text() -> None:
    """A search prints five numbered results, a line each."""
    with served(healthy) as server:
        done = run_process("search", "北京", SEARXNG_BASE_URL=server.url)

    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 5
    assert done.stdout.startswith("[1] Title 1 | https://site1.example.org/page | ")
    assert server.queries == ["北京"]


@pytest.mark.spec("H1", "J1", "J2", "I7")
@pytest.mark.parametrize(
    ("form", "key"),
    [("items", "items"), ("results", "results"), ("provider", "results")],
)
def test_json_forms(form: str, key: str) -> None:
    """The JSON forms give all ten results."""
    with served(healthy) as server:
        done = run("search", "q", "--format", form, SEARXNG_BASE_URL=server.url)

    assert len(json.loads(done.stdout)[key]) == 10


@pytest.mark.spec("H8", "J4")
@pytest.mark.parametrize("words", [[""], ["q", "--max-results", "11"]])
def test_bad_input(words: list[str]) -> None:
    """Bad input is an error object and exit 1, never a traceback."""
    done = run("search", *words)

    assert done.returncode == 1
    assert error_of(done)["type"] == "InvalidInput"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["search", "q", "--max-results", "x"],
        ["search", "q", "--backend", "altavista"],
        ["call", "web.search"],
    ],
    ids=" ".join,
)
def test_wrong_usage(words: list[str]) -> None:
    """Wrong usage is exit 2 with a usage line."""
    done = run(*words)

    assert done.returncode == 2
    assert "usage:" in done.stderr
    assert "Traceback" not in done.stderr


FAILURES = {
    "json off": "AuthError json_disabled",
    "limiter": "WebBlocked http_429",
    "engines blocked": "WebBlocked captcha_required",
    "another web page": "WebParseError not_searxng",
    "bad gateway": "BadGateway http_502",
    "hangs up": "NetworkError disconnected",
}


@pytest.mark.spec("B5", "H8", "J5")
@pytest.mark.parametrize("fault", FAULTS)
def test_faults(fault: str) -> None:
    """A failed search is an error object, with the cause and next step in words that
    have no gap where a fact should stand."""
    script, expected = FAULTS[fault]
    with served(script) as server:
        done = run("search", "q", SEARXNG_BASE_URL=server.url, UI_LANGUAGE="en-US")

    assert (done.returncode == 0) is (expected in {"healthy", "degraded", "no_results"})
    advice = done.stderr.partition("\n")[2]
    assert "…" not in advice.replace("mojeek, …", "")
    assert "not_searxng" not in advice
    assert "{" not in advice
    if fault in FAILURES:
        error = error_of(done)
        assert f"{error['type']} {error['detail_code']}" == FAILURES[fault]
        assert error["provider"] == "searxng"
        assert "make doctor" in done.stderr


@pytest.mark.spec("B8")
def test_invalid_setting() -> None:
    """An invalid setting is told on standard error and does not spoil the JSON."""
    done = run_process(
        "search", "q", "--backend", "stub", "--format", "items",
        WEB_SEARCH_TIMEOUT_MS="soon",
    )  # fmt: skip

    assert len(json.loads(done.stdout)["items"]) == 3
    assert "WEB_SEARCH_TIMEOUT_MS is not usable" in done.stderr


def test_invalid_setting_of_a_call() -> None:
    """A tool that is called tells an invalid setting once."""
    done = run_process("call", "web.search", '{"query": "q"}', BRAVE_API_KEY="密")

    assert done.returncode == 0
    assert done.stderr.count("BRAVE_API_KEY is not usable") == 1


@pytest.mark.spec("C3")
def test_nothing_found() -> None:
    """Nothing found is an answer, and said in words."""
    with served(lambda _: page()) as server:
        done = run("search", "q", SEARXNG_BASE_URL=server.url)

    assert (done.returncode, done.stdout) == (0, "")
    assert "Nothing was found" in done.stderr


@pytest.mark.spec("H1", "H9")
def test_call() -> None:
    """The contract is called with JSON and answers with JSON, through stub if unset."""
    done = run("call", "web.search", '{"query": "q", "max_results": 1}')

    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert [item["rank"] for item in result["items"]] == [1]
    assert result["provider_meta"]["provider_name"] == "stub"


@pytest.mark.spec("G3")
@pytest.mark.parametrize(
    ("fault", "status"),
    [("healthy", 0), ("some engines failed", 0), ("json off", 1), ("limiter", 1)],
)
def test_doctor(fault: str, status: int) -> None:
    """The doctor's exit code tells scripts whether searches work."""
    script, expected = FAULTS[fault]
    with served(script) as server:
        done = run("doctor", "--json", SEARXNG_BASE_URL=server.url)

    diagnosis = json.loads(done.stdout)
    assert done.returncode == status
    assert diagnosis["ok"] is (status == 0)
    assert [found["problem"] for found in diagnosis["findings"]] == [expected]


def test_doctor_reads() -> None:
    """The doctor examines reading too, but not where it is asked for one engine."""
    with served(FAULTS["healthy"][0]) as server:
        known = {"SEARXNG_BASE_URL": server.url, "UI_LANGUAGE": "en-US"}
        table, report = run("doctor", **known), run("doctor", "--json", **known)
        lone = run("doctor", "--json", "--backend", "searxng", **known)

    reading = json.loads(report.stdout)["reading"]
    assert [check["state"] for check in reading["checks"][:2]] == ["passed"] * 2
    assert "reads a PDF" in table.stdout
    assert "reading" not in json.loads(lone.stdout)


@pytest.mark.spec("G3")
@pytest.mark.parametrize(
    ("environment", "word"),
    [
        ({}, "未启用 JSON"),
        ({"UI_LANGUAGE": "en-US"}, "not enabled"),
        ({"LC_ALL": "xx_YY.UTF-8"}, "not enabled"),
        ({"LANG": "zh_TW.UTF-8"}, "未启用 JSON"),
        ({"LANG": "C.UTF-8"}, "未启用 JSON"),
    ],
)
def test_doctor_language(environment: dict[str, str], word: str) -> None:
    """The doctor speaks Chinese, or English where the user or the locale does, or
    names another language."""
    with served(FAULTS["json off"][0]) as server:
        done = run("doctor", SEARXNG_BASE_URL=server.url, **environment)

    assert word in done.stdout


@pytest.mark.spec("N3")
def test_verbose_tells_no_secrets() -> None:
    """At the most talkative level, no key, password or query is printed."""
    with served(lambda _: Answer("{}", 401)) as server:
        done = run_process(
            "-v", "search", "canary-query",
            SEARXNG_BASE_URL=server.url.replace("//", "//u:canary-password@"),
            SEARXNG_API_KEY="canary-key",
        )  # fmt: skip

    assert done.returncode == 1
    assert "DEBUG" in done.stderr
    assert "canary" not in done.stdout + done.stderr


def test_interrupt() -> None:
    """Ctrl-C ends a search without a traceback, as a shell expects."""
    with served(lambda _: lambda: iter([30.0])) as server:
        process = start("search", "q", SEARXNG_BASE_URL=server.url)
        while not server.requests:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)

    assert process.returncode == 130
    assert "Traceback" not in said


def test_ascii_json() -> None:
    """JSON stays JSON on a terminal that knows no Chinese."""
    with served(lambda _: page(row(title="北京 😀"))) as server:
        done = run_process(
            "search", "q", "--format", "results",
            SEARXNG_BASE_URL=server.url, PYTHONUTF8="0", PYTHONIOENCODING="ascii",
        )  # fmt: skip

    assert json.loads(done.stdout)["results"][0]["title"] == "北京 😀"


def test_ascii_terminal() -> None:
    """A terminal that knows no Chinese gets escapes instead of a crash."""
    done = run_process(
        "search", "q", "--backend", "stub", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )

    assert done.returncode == 0
