"""The notice of the first screen, and the whole report of `/doctor`."""

from html import unescape
from pathlib import Path

import pytest

from agent.causes import ModelState
from agent.models.catalog import Models
from agent.models.doctor import diagnosis_of
from agent.models.settings import ModelSettings
from agent.profiles import Agents
from agent.resources import Resources
from agent.settings import AgentSettings
from ui.start.lifecycle import Lifecycle
from ui.status import full_report, summary
from websearch.causes import Cause
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State
from websearch.doctor.reading import ReadingCheck
from websearch.factory import create_service


def resources(
    state: ModelState = ModelState.READY, tokens: int | None = None
) -> Resources:
    settings = AgentSettings.load()
    named = {} if "built" in state else {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}
    named |= {"OPENAI_CONTEXT_TOKENS": str(tokens)} if tokens else {}
    models = Models(ModelSettings(**named))  # type: ignore[arg-type]  # it reads text
    models.state = state
    service = create_service(settings, backend="stub")
    return Resources(models, service, settings, agents=Agents.load())


def searched(backend: str, problem: Cause) -> Diagnosis:
    facts = {"address": "http://localhost:8080", "engine": "DuckDuckGo", "results": 3}
    check = Check(Question.SEARCH, State.PASSED, "3")
    return Diagnosis(
        backend, "http://localhost:8080", [check], [Finding(problem, facts)]
    )


HEALTHY = searched("searxng", Cause.HEALTHY)
REFUSED = searched("searxng", Cause.REFUSED)
WORKS = searched("ddg_html", Cause.ENGINE_WORKS)
UNREACHABLE = searched("ddg_html", Cause.ENGINE_FAILS)
SAMPLES = searched("stub", Cause.SAMPLES)


def chain(*parts: Diagnosis) -> Diagnosis:
    return Diagnosis(
        "searxng, ddg_html, stub", None, [], [p.main for p in parts], parts
    )


@pytest.mark.parametrize(
    ("backend", "told"),
    [
        ("searxng", "SearXNG"),
        ("searxng, ddg_html, stub", "SearXNG"),
        ("brave+bocha, ddg_html", "Brave + Bocha, DuckDuckGo"),
    ],
)
def test_engines_by_name(backend: str, told: str) -> None:
    """A chain is told by the names people know; where nothing is set, its first."""
    search = Diagnosis(backend, None, [], [HEALTHY.main], (HEALTHY, WORKS))

    said = summary("zh-CN", search, resources())

    assert said == f"{told} · m"


BUILT_IN, READY = ModelState.BUILT_IN, ModelState.READY
BROKEN = searched("searxng", Cause.JSON_DISABLED)
NO_SEARCH, NO_MODEL = "**还没有搜索引擎。**", "**没有模型，先用原文摘录作答。**"
SERVES, SAMPLED = "现在由 **DuckDuckGo** 应答", "现在用的是离线样例"
HERE = ("[设置搜索 →](/setup#search)", "[设置模型 →](/setup#model)")


@pytest.mark.spec("M1", "X6")
@pytest.mark.parametrize(
    ("first", "second", "state", "words", "by_hand"),
    [
        (REFUSED, WORKS, BUILT_IN, [NO_SEARCH, NO_MODEL, SERVES], "`make searxng`"),
        (REFUSED, UNREACHABLE, BUILT_IN, [NO_SEARCH, SAMPLED], "OPENAI_API_KEY"),
        (BROKEN, WORKS, READY, ["JSON", SERVES], "/help/troubleshooting"),
        (HEALTHY, WORKS, ModelState.REFUSED, ["拒绝了密钥。**"], "/help/"),
    ],
)
def test_next_steps(
    first: Diagnosis,
    second: Diagnosis,
    state: ModelState,
    words: list[str],
    by_hand: str,
) -> None:
    """Search and model are told with who answers meanwhile, and the next step: the
    set-up page, or what to do by hand where that is shut."""
    search, shared = chain(first, second, SAMPLES), resources(state)

    here = summary("zh-CN", search, shared, may_set_up=True)
    elsewhere = summary("zh-CN", search, shared)

    assert all(word in here and word in elsewhere for word in words)
    steps = [step for step in HERE if step in here]
    assert len(steps) == (first is not HEALTHY) + (state is not READY)
    assert by_hand in elsewhere
    assert "/setup" not in elsewhere.replace("`/setup`", "")


def test_model_of_the_visitor() -> None:
    """Where there are many models none is named: the visitor may have chosen any."""
    shared = resources()
    shared.models.names = ("m", "other")

    assert summary("zh-CN", HEALTHY, shared) == "SearXNG"


@pytest.mark.parametrize("state", [*ModelState])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_every_state_of_the_model(state: ModelState, language: str) -> None:
    """Each state has its words; only what needs a step is told."""
    said = summary(language, HEALTHY, resources(state))

    needs_step = state not in {ModelState.READY, ModelState.OLLAMA}
    assert ("/help/" in said) is needs_step


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
@pytest.mark.parametrize("tokens", [None, 512, 4_096, 16_384])
def test_a_small_context(tokens: int | None, language: str) -> None:
    """The first screen and the doctor say how much the model takes in, where that is
    little, and how to raise it; search and model work all the same."""
    shared = resources(tokens=tokens)

    first = summary(language, HEALTHY, shared)
    whole = full_report(language, [diagnosis_of(shared.models)])

    for text in (first, whole):
        assert ("OLLAMA_CONTEXT_LENGTH" in text) is (tokens in {512, 4_096})
    assert tokens not in {512, 4_096} or f"{tokens:,} tokens" in whole
    assert diagnosis_of(shared.models).is_usable


MISTAKEN = (
    *("WEB_SEARCH_TIMEOUT_MS", "WEB_SEARCH_MAX_RESULTS", "WEB_READ_CHARS"),
    *("WEB_SEARCH_SNIPPET_LENGTH", "AGENT_MAX_SEARCHES"),
)


@pytest.mark.parametrize(
    ("mistaken", "shown", "others"),
    [
        (MISTAKEN, 3, "还有 3 处"),
        (MISTAKEN[:1], 2, "**OPENAI_API_KEY** 不可用"),
        (MISTAKEN[1:2], 2, "**WEB_SEARCH_MAX_RESULTS** 不可用，应为：1-10"),
    ],
)
def test_rejected_values(
    monkeypatch: pytest.MonkeyPatch, mistaken: tuple[str, ...], shown: int, others: str
) -> None:
    """The first values that were not taken are named, and the others counted."""
    for variable in mistaken:
        monkeypatch.setenv(variable, "-77")
    monkeypatch.setenv("OPENAI_API_KEY", "密钥canary")
    models = Models(ModelSettings.load())
    settings = AgentSettings.load()
    service = create_service(settings, backend="stub")

    said = unescape(summary("zh-CN", HEALTHY, Resources(models, service, settings)))

    assert said.count("不可用，应为") == shown
    assert others in said
    assert not any(value in said for value in ("-77", "canary"))


@pytest.mark.spec("G3")
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_in_full(language: str) -> None:
    """Checks, causes, steps and commands stand there, as in the terminal."""
    said = full_report(language, [chain(REFUSED, WORKS), HEALTHY])

    advice = REFUSED.main.advice(language)
    assert advice.cause in said
    assert advice.command in said
    assert "1. " in said


def test_what_is_well_in_a_line() -> None:
    """What is well has a line of its own; what is not, a heading and its checks."""
    off = Diagnosis(
        "web.fetch",
        None,
        [Check(ReadingCheck.PAGE, State.FAILED)],
        [Finding(Cause.READING_OFF)],
    )
    model = diagnosis_of(resources().models)

    said = full_report("en-US", [HEALTHY, off, model]).split("\n\n")

    assert said[0].startswith("✓ **Search works.**")
    assert said[1:3] == ["#### Reading pages", "- ✗ reads a page: no"]
    assert said[-1].startswith("✓ **A model answers: m.**")


def test_other_words() -> None:
    """A search not looked at is being checked; a model's name brings no markup."""
    with_markup = resources(ModelState.UNKNOWN)
    with_markup.models.names = ("![x](http://evil.example/)",)
    said = summary("zh-CN", None, with_markup)

    assert "正在检查" in said
    assert "![x](" not in said


@pytest.mark.spec("K4")
@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("zh-CN", "没有安装 Chrome、Chromium 或 Edge"),
        ("en-US", "No Chrome, Chromium or Edge is installed"),
    ],
)
async def test_no_browser_for_google(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    language: str,
    title: str,
) -> None:
    """At the start, log and first screen say that it is missing and how to get it."""
    monkeypatch.setenv("WEB_SEARCH_BACKEND", "google")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    life = Lifecycle(Resources.load())

    await life.start()
    said = summary(language, await life.state_of_search(), life.resources)
    await life.stop()

    assert "google: No Chrome, Chromium or Edge is installed" in caplog.text
    assert title in said
    for command in (
        *("sudo apt install chromium", "sudo dnf install chromium"),
        *("brew install --cask google-chrome", "winget install Google.Chrome"),
    ):
        assert f"`{command}`" in said
    assert "browser_missing" in said
