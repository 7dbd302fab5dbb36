"""docs/deploy-searxng.md names what there is, in both languages."""

import re
from pathlib import Path

import pytest
import yaml
from support.deployment import (
    APP,
    ROOT,
    SEARXNG,
    compose_file,
    last_stage,
    needs_compose,
    services,
)
from support.documents import code_of, text_of

from agent.models.settings import ModelSettings
from agent.research.budget import ResearchSettings
from agent.settings import AgentSettings
from ui.server.settings import PageSettings

NAMES = ("deploy-searxng.md", "deploy-searxng.zh-CN.md")
# What SearXNG and Ollama read themselves; the document warns of it or points to it.
FOREIGN = {"SEARXNG_LIMITER", "OLLAMA_HOST"}
# SPEC: compose, settings, start, check, restart, changed setting, recovery.
TOPICS = ("compose", "settings", "start", "check", "restart", "changed", "recovery")

both = pytest.mark.parametrize("name", NAMES)


def sections(name: str) -> dict[str, str]:
    """Anchor and text of each section."""
    parts = re.split(r'<a id="(\w+)"></a>\n', text_of(name))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.spec("G2")
@both
def test_topics(name: str) -> None:
    """Each thing that one does with a deployment has a section with its commands."""
    found = sections(name)

    assert found.keys() >= set(TOPICS)
    assert all(found[topic].startswith("## ") for topic in TOPICS)
    assert "docker compose up -d" in found["start"]
    assert "docker compose ps" in found["check"]
    assert "make doctor" in found["check"]
    assert "docker compose restart searxng" in found["restart"]
    assert "docker compose restart searxng" in found["changed"]
    assert "docker compose up -d" in found["changed"]
    assert "make doctor" in found["recovery"]


def test_same_in_both_languages() -> None:
    """Both languages have the same sections, with the same commands and names."""
    english, chinese = (sections(name) for name in NAMES)

    assert list(english) == list(chinese)
    for anchor in english:
        used = [
            sorted(re.findall(r"`[^`]+`", part.replace("```", "")))
            for part in (english[anchor], chinese[anchor])
        ]
        assert used[0] == used[1], anchor


@both
def test_variables_exist(name: str) -> None:
    """Each variable is one of the app, of a compose file, or of SearXNG itself."""
    ours = {
        field.alias
        for settings in (AgentSettings, ModelSettings, ResearchSettings, PageSettings)
        for field in settings.model_fields.values()
    }
    examples = [(folder / ".env.example").read_text() for folder in (SEARXNG, APP)]
    theirs = set(re.findall(r"^#([A-Z_]+)=", "\n".join(examples), re.MULTILINE))
    code = "\n".join(code_of(name))
    named = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", code))

    assert named - ours - theirs - FOREIGN == set()
    assert theirs <= named


@both
def test_paths_exist(name: str) -> None:
    """Each file and folder of the project that is named is there."""
    code = " ".join(code_of(name))
    paths = set(re.findall(r"(?<![\w/.])(?:deploy|docs)/[\w./-]+", code))

    assert {"deploy/searxng/docker-compose.yml", "deploy/searxng/settings.yml"} <= paths
    assert [
        path for path in paths if not (ROOT / path.removesuffix("/.env")).exists()
    ] == []


@both
def test_commands_exist(name: str) -> None:
    """Services, targets of make and scripts in the commands are there."""
    code = "\n".join(code_of(name))
    targets = set(re.findall(r"\bmake (?:-C \S+ )?([a-z]+)", code))
    known = {*compose_file(SEARXNG)["services"], *compose_file(APP)["services"]}
    used = set(re.findall(r"compose (?:restart|port|exec) (\w+)", code))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert targets
    assert [t for t in targets if f"\n{t}:" not in makefile] == []
    assert used == known


@both
def test_ports_are_right(name: str) -> None:
    """The addresses lead to the ports that are published."""
    (searxng,) = compose_file(SEARXNG)["services"]["searxng"]["ports"]
    (page,) = compose_file(APP)["services"]["app"]["ports"]
    text = text_of(name)

    assert searxng == "127.0.0.1:${SEARXNG_PORT:-8080}:8080"
    assert page == "127.0.0.1:${APP_PORT:-8000}:8000"
    assert set(re.findall(r"http://localhost:(\d+)", text)) == {"8080", "8000"}
    assert set(re.findall(r"http://searxng:(\d+)", text)) == {"8080"}


@both
def test_values_are_right(name: str) -> None:
    """The values in the tables are those in the files."""
    settings = yaml.safe_load((SEARXNG / "settings.yml").read_text(encoding="utf-8"))
    rows = re.findall(
        r"^\| `([a-z_.]+)` \| (.*?) \|", sections(name)["settings"], re.MULTILINE
    )
    told = {key: re.findall(r"`([^`]+)`", value) for key, value in rows}
    image = compose_file(SEARXNG)["services"]["searxng"]["image"]

    assert told["search.formats"] == settings["search"]["formats"]
    assert told["server.limiter"] == ["false"]
    assert told["outgoing.max_request_timeout"] == [
        str(settings["outgoing"]["max_request_timeout"])
    ]
    for key in told:
        value = settings
        for part in key.split("."):
            value = value[part]
    assert re.findall(r"\d{4}\.\d+\.\d+-\w{9}", text_of(name))[0] in image


@both
def test_what_was_not_run(name: str) -> None:
    """The document doesn't pass over what was never tried."""
    words = {"deploy-searxng.md": "No Docker engine was at hand"}

    assert words.get(name, "手边没有 Docker 引擎") in text_of(name)


@needs_compose
@both
def test_overrides_are_taken(name: str, tmp_path: Path) -> None:
    """The files of one's own that the document shows are understood."""
    for block in re.findall(r"```yaml\n(.*?)```", text_of(name), re.DOTALL):
        more = tmp_path / "docker-compose.override.yml"
        more.write_text(block, encoding="utf-8")
        folder = APP if "  app:" in block else SEARXNG

        assert services(folder, more)


def test_image_knows_the_doctor() -> None:
    """`python -m websearch` in the app's container finds our package."""
    workdir = [rest for keyword, rest in last_stage() if keyword == "WORKDIR"]
    copies = [rest for keyword, rest in last_stage() if keyword == "COPY"]

    assert workdir == ["/app"]
    assert "websearch ./websearch" in copies
