"""The command line of the agent: what it prints, how it ends."""

import json

import pytest
from support.command import Done, error_of, run, start
from support.model.model_server import Brain, Turn, fails, model_server, says
from support.servers.loopback import Script, served
from support.servers.searxng_pages import LIMITED, healthy, page, row

MODEL = {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}


def ask(*words: str, brain: Brain, pages: Script = healthy, **more: str) -> Done:
    """The end of `ask` with a scripted engine and model."""
    with served(pages) as engine, model_server(brain) as model:
        urls = {"SEARXNG_BASE_URL": engine.url, "OPENAI_BASE_URL": model.base_url}
        return run("ask", *words, module="agent", **MODEL, **urls, **more)


@pytest.mark.spec("C5", "D2", "D4")
def test_ask() -> None:
    """An answer is printed with links, and with the list of its sources."""
    done = ask("天气", brain=says("晴[2]"))

    address = "https://site2.example.org/page"
    assert done.returncode == 0
    assert done.stdout.startswith(f"晴[[2]]({address})\n\n#### 参考文献\n\n- **[2]**")


def test_ask_in_agent_mode() -> None:
    """In Agent mode the model decides; without a search there is no list."""
    brain = lambda asked: Turn(["你好"] if "tools" in asked else ["?"])  # noqa: E731
    done = ask("你好", "--mode", "agent", brain=brain)

    assert (done.returncode, done.stdout) == (0, "你好\n")
    assert "own knowledge" not in done.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("塔高 62 米。", "Nothing was searched"),
        ("[7] 塔 | https://made-up.example", "your own words were searched"),
    ],
)
def test_a_model_that_does_not_search(text: str, told: str) -> None:
    """Standard error tells that an answer has no source, or what was searched."""
    brain = lambda asked: Turn([text] if "tools" in asked else ["62[1]"])  # noqa: E731
    done = ask("塔有多高？", "--mode", "agent", brain=brain)

    assert done.returncode == 0
    assert told in done.stderr
    assert "made-up" not in done.stdout


@pytest.mark.spec("M4")
def test_a_model_that_fails_at_once() -> None:
    """Nothing was written, so that the error is printed as JSON."""
    done = ask("q", brain=fails(401, "canary"))

    error = error_of(done)
    assert (done.returncode, error["detail_code"]) == (1, "wrong_key")
    assert error["message"] in done.stderr
    assert "canary" not in done.stdout + done.stderr


def test_a_model_that_fails_in_the_middle() -> None:
    """The words that came are printed with their links, and the exit code is 1."""
    half = Turn(["晴[2]", "，", "雨"], cut_after=2)
    done = ask("天气", brain=lambda _: half)

    assert done.returncode == 1
    assert done.stdout.startswith("晴[[2]](https://site2.example.org/page)")
    assert "the answer is incomplete" in done.stderr


@pytest.mark.parametrize("question", ["", " \u200b\n"])
def test_an_empty_question(question: str) -> None:
    """An empty question is an error, and nothing is asked."""
    done = run("ask", question, module="agent")

    assert (done.returncode, error_of(done)["type"]) == (1, "InvalidInput")


@pytest.mark.parametrize("mode", ["chat", "agent"])
def test_a_failed_search_without_a_model(mode: str) -> None:
    """Without results there is nothing to quote: the search's error is printed."""
    with served(lambda _: LIMITED) as engine:
        done = run(
            "ask", "weather in Oslo", "--mode", mode, module="agent",
            SEARXNG_BASE_URL=engine.url, OLLAMA_BASE_URL="http://127.0.0.1:9",
        )  # fmt: skip

    assert (done.returncode, error_of(done)["type"]) == (1, "WebBlocked")


def test_a_reader_that_has_gone() -> None:
    """A closed pipe ends the command without a traceback."""
    with served(healthy) as engine:
        process = start(
            "ask", "weather", module="agent",
            SEARXNG_BASE_URL=engine.url, OLLAMA_BASE_URL="http://127.0.0.1:9",
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        with process.stderr as stderr:
            words = stderr.read()

    assert (process.wait(), words) == (1, "")


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
    assert diagnosis["reading"]["findings"][0]["problem"] == "reading_off"


def test_evidence() -> None:
    """With --evidence the sentences of the sources stand below the list, as text."""
    snippet = "The tower is 62 metres high. <b>It</b> *opened* in 1904."
    done = ask(
        "How high is the tower?", "--evidence", WEB_FETCH_ENABLED="false",
        brain=says("It is 62 metres high[1], and opened in 1904[1]."),
        pages=lambda _: page(row(1, content=snippet)),
    )  # fmt: skip

    evidence = done.stdout.partition("#### Evidence\n")[2]
    assert "  - [1] snippet: “The tower is 62 metres high.”" in evidence
    assert "*opened*" not in evidence
