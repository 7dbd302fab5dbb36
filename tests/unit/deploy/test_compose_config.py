"""The compose files as Docker's own compose understands them."""

import re
import shutil
from pathlib import Path

import pytest
from support.deployment import ROOT, needs_compose, services

pytestmark = needs_compose


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The deployment of a fresh clone: nobody's .env lies in it."""
    shutil.copytree(
        ROOT / "deploy",
        tmp_path / "deploy",
        ignore=shutil.ignore_patterns(".env", "__pycache__"),
    )
    return tmp_path


@pytest.mark.spec("G1")
def test_searxng_as_it_is(project: Path) -> None:
    """Without any setting: port 8080 of this machine, with our settings.yml."""
    service = services(project / "deploy/searxng")["searxng"]
    (port,) = service["ports"]
    mounts = {v["target"]: v["source"] for v in service["volumes"]}

    assert (port["host_ip"], port["published"]) == ("127.0.0.1", "8080")
    assert port["target"] == 8080
    assert mounts["/etc/searxng/settings.yml"] == str(
        project / "deploy/searxng/settings.yml"
    )


def test_both_as_they_are(project: Path) -> None:
    """Without any setting: the page on port 8000, SearXNG for the app alone."""
    found = services(project / "deploy/app")
    (port,) = found["app"]["ports"]

    assert (port["host_ip"], port["published"]) == ("127.0.0.1", "8000")
    assert "ports" not in found["searxng"]
    assert found["app"]["build"]["context"] == str(project)
    assert not found["app"]["build"].get("args")


def test_same_searxng(project: Path) -> None:
    """Beside the app runs the very SearXNG that runs alone, less its port."""
    alone = services(project / "deploy/searxng")["searxng"]
    beside = services(project / "deploy/app")["searxng"]

    assert {**beside, "ports": None} == {**alone, "ports": None}


@pytest.mark.parametrize("name", ["searxng", "app"])
def test_examples(project: Path, name: str) -> None:
    """`.env.example`, uncommented, is taken."""
    folder = project / "deploy" / name
    lines = (folder / ".env.example").read_text(encoding="utf-8")
    set_lines = re.sub(r"^#(?=[A-Z])", "", lines, flags=re.MULTILINE)
    (folder / ".env").write_text(set_lines, encoding="utf-8")

    found = services(folder)

    port = {"searxng": "8081", "app": "8001"}[name]
    assert found[name]["ports"][0]["published"] == port
    assert found["searxng"]["image"].startswith("ghcr.io/")


def test_own_secret(project: Path) -> None:
    """A secret in the environment reaches SearXNG."""
    service = services(project / "deploy/searxng", SEARXNG_SECRET="own")["searxng"]

    assert service["environment"]["SEARXNG_SECRET"] == "own"


def test_settings_of_the_app(project: Path) -> None:
    """The app reads .env of the project, but for what is different in a container."""
    (project / ".env").write_text(
        "OPENAI_API_KEY=key\nSEARXNG_BASE_URL=http://localhost:8080\n"
        "SEARXNG_API_KEY=token\n",
        encoding="utf-8",
    )

    found = services(project / "deploy/app")

    assert found["app"]["environment"]["OPENAI_API_KEY"] == "key"
    assert found["app"]["environment"]["SEARXNG_BASE_URL"] == "http://searxng:8080"
    assert "SEARXNG_API_KEY" not in found["searxng"]["environment"]
    assert "OPENAI_API_KEY" not in found["searxng"]["environment"]
