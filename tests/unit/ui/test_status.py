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
from untrusted.text import escaped
from websearch.causes import Cause
from websearch.doctor.diagnosis import Check, Diagnosis, Finding, Question, State
from websearch.doctor.reading import ReadingCheck
from websearch.factory import create_service


def resources(state: ModelState = ModelState.READY) -> Resources:
    settings = AgentSettings.load()
    named = {} if "built" in state else {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}
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

    assert said == f"搜索可用：{told} · 模型：m"


@pytest.mark.spec("M1")
@pytest.mark.parametrize(
    ("second", "serving"), [(WORKS, "DuckDuckGo"), (UNREACHABLE, "离线演示")]
)
def test_nothing_configured(second: Diagnosis, serving: str) -> None:
    """Search and model are told, each with its next step, and who answers meanwhile."""
    search = chain(REFUSED, second, SAMPLES)

    said = summary("zh-CN", search, resources(ModelState.BUILT_IN))

    assert "搜索：还没有连接 SearXNG" in said
    assert "`make searxng`" in said
    assert f"现在由 **{serving}** 应答" in said
    assert "模型：未配置模型" in said
    assert "OPENAI_API_KEY" in said


def test_broken_searxng() -> None:
    """A SearXNG that is there and fails is told of, not that there is none."""
    broken = searched("searxng", Cause.JSON_DISABLED)

    said = summary("zh-CN", chain(broken, WORKS, SAMPLES), resources())

    assert "JSON" in said
    assert "还没有连接" not in said
    assert "现在由 **DuckDuckGo** 应答" in said


@pytest.mark.parametrize("state", [*ModelState])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_every_state_of_the_model(state: ModelState, language: str) -> None:
    """Each state has its words; only what needs a step is told."""
    said = summary(language, HEALTHY, resources(state))

    needs_step = state not in {ModelState.READY, ModelState.OLLAMA}
    assert ("/help/" in said) is needs_step


def test_checking() -> None:
    """Before search was looked at, the screen says that it is being checked."""
    assert "正在检查" in summary("zh-CN", None, resources())


MISTAKEN = (
    *("WEB_SEARCH_TIMEOUT_MS", "WEB_SEARCH_MAX_RESULTS", "WEB_READ_CHARS"),
    *("AGENT_MAX_PAGES", "AGENT_MAX_SEARCHES"),
)


def test_many_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many mistakes the first are listed, with the number of the others."""
    for variable in MISTAKEN:
        monkeypatch.setenv(variable, "-1")

    said = summary("zh-CN", HEALTHY, resources())

    assert sum(escaped(variable) in said for variable in MISTAKEN) == 3
    assert "还有 2 处" in said


@pytest.mark.spec("G3")
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_in_full(language: str) -> None:
    """Checks, causes, steps and commands stand there, as in the terminal."""
    said = full_report(language, [chain(REFUSED, WORKS), HEALTHY])

    advice = REFUSED.main.advice(language)
    assert advice.cause in said
    assert advice.command in said
    assert "1. " in said


def test_each_under_its_heading() -> None:
    """Search, reading and model stand each under a heading of its own."""
    off = Diagnosis(
        "web.fetch",
        None,
        [Check(ReadingCheck.PAGE, State.SKIPPED)],
        [Finding(Cause.READING_OFF)],
    )
    model = diagnosis_of(resources().models)

    said = full_report("en-US", [HEALTHY, off, model])

    headings = [line for line in said.splitlines() if line.startswith("####")]
    assert [heading.split(" · ")[0] for heading in headings] == [
        "#### Web search",
        "#### Reading pages",
        "#### Model",
    ]
    assert "Reading pages is switched off" in said


def test_rejected_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that was not taken is told, of search and of the model; no key is."""
    monkeypatch.setenv("WEB_SEARCH_MAX_RESULTS", "99")
    monkeypatch.setenv("OPENAI_API_KEY", "密钥canary")
    models, settings = Models(ModelSettings.load()), AgentSettings.load()
    service = create_service(settings, backend="stub")

    said = summary("zh-CN", HEALTHY, Resources(models, service, settings))

    plain = unescape(said)
    assert "**WEB_SEARCH_MAX_RESULTS** 不可用，应为：1-10" in plain
    assert "**OPENAI_API_KEY** 不可用" in plain
    assert "99" not in plain
    assert "canary" not in said


def test_names_of_models_are_strangers_words() -> None:
    """A model's name brings no markup into the notice."""
    with_markup = resources(ModelState.UNKNOWN)
    with_markup.models.names = ("![x](http://evil.example/)",)

    assert "![x](" not in summary("zh-CN", HEALTHY, with_markup)


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
        "sudo apt install chromium",
        "sudo dnf install chromium",
        "brew install --cask google-chrome",
        "winget install Google.Chrome",
    ):
        assert f"`{command}`" in said
    assert "#browser_missing" in said or "browser_missing" in said
