"""The command line of the agent, run as a user runs it: a process of its own."""

import json

import pytest
from support.command import run
from support.loopback import served
from support.model_server import fails, model_server, says
from support.searxng_pages import healthy

MODEL = {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}


@pytest.mark.spec("C5", "D2", "D4")
def test_ask() -> None:
    """An answer is printed with links, and with the list of its sources."""
    with served(healthy) as engine, model_server(says("晴[2]")) as model:
        done = run(
            "ask", "天气", module="agent", **MODEL,
            SEARXNG_BASE_URL=engine.url, OPENAI_BASE_URL=model.base_url,
        )  # fmt: skip

    address = "https://site2.example.org/page"
    assert done.returncode == 0
    assert done.stdout.startswith(f"晴[[2]]({address})\n\n#### 参考文献\n\n- **[2]**")
    assert engine.queries == ["天气"]


def test_ask_in_agent_mode() -> None:
    """In Agent mode the model decides; without a search there is no list."""
    with served(healthy) as engine, model_server(says("你好")) as model:
        done = run(
            "ask", "你好", "--mode", "agent", module="agent", **MODEL,
            SEARXNG_BASE_URL=engine.url, OPENAI_BASE_URL=model.base_url,
        )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, "你好\n")
    assert "web_search" in str(model.requests[0]["tools"])


@pytest.mark.spec("M4")
def test_failed_model() -> None:
    """A failed model is exit 1, and named on standard error."""
    with served(healthy) as engine, model_server(fails(401, "canary")) as model:
        done = run(
            "ask", "q", module="agent", **MODEL,
            SEARXNG_BASE_URL=engine.url, OPENAI_BASE_URL=model.base_url,
        )  # fmt: skip

    assert done.returncode == 1
    assert "wrong_key" in done.stderr
    assert "canary" not in done.stdout + done.stderr


@pytest.mark.spec("G3")
def test_doctor() -> None:
    """The doctor reports on search and model, also as JSON."""
    words = {"OLLAMA_BASE_URL": "http://127.0.0.1:9", "UI_LANGUAGE": "en-US"}
    with served(healthy) as engine:
        known = {"module": "agent", "SEARXNG_BASE_URL": engine.url, **words}
        table, report = run("doctor", **known), run("doctor", "--json", **known)

    assert (table.returncode, report.returncode) == (0, 0)
    assert "Search works" in table.stdout
    assert "No model is set up" in table.stdout
    diagnosis = json.loads(report.stdout)
    assert diagnosis["findings"][0]["problem"] == "healthy"
    assert diagnosis["model"]["findings"][0]["problem"] == "model_built_in"
    assert [check["check"] for check in diagnosis["model"]["checks"]] == ["model"]
