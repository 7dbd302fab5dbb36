"""The files of deploy/, read as Docker reads them."""

import fnmatch
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.paths import ROOT

SEARXNG = ROOT / "deploy/searxng"
APP = ROOT / "deploy/app"

_PLUGINS = [
    f"/usr/{place}/docker/cli-plugins/docker-compose"
    for place in ("libexec", "local/lib", "lib")
]


class _Loader(yaml.SafeLoader):
    """YAML with compose's mark for what an extended service shall not have."""


_Loader.add_constructor("!reset", lambda _loader, _node: None)


def compose_file(folder: Path) -> dict[str, Any]:
    """The compose file in *folder* as it is written."""
    text = (folder / "docker-compose.yml").read_text(encoding="utf-8")
    return dict(yaml.load(text, _Loader))


def compose_command() -> list[str] | None:
    """Docker's own reader of compose files, where this machine has one."""
    plugins = [[path] for path in _PLUGINS]
    commands = (["docker", "compose"], ["docker-compose"], *plugins)
    return next((command for command in commands if _is_version_2(command)), None)


def resolved(
    folder: Path, *more: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The output of `docker compose config` for *folder*, as JSON."""
    command = [*(compose_command() or ()), "-f", str(folder / "docker-compose.yml")]
    for file in more:
        command += ["-f", str(file)]
    return subprocess.run(
        [*command, "config", "--format", "json"],
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/", **environment},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def services(folder: Path, *more: Path, **environment: str) -> dict[str, Any]:
    """The services as Docker would start them."""
    done = resolved(folder, *more, **environment)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout)["services"])


def instructions() -> list[tuple[str, str]]:
    """Keyword and text of each instruction of the Dockerfile."""
    text = (APP / "Dockerfile").read_text(encoding="utf-8")
    lines = "\n".join(x for x in text.splitlines() if not x.startswith("#"))
    joined = re.sub(r"\\\n\s*", "", lines).splitlines()
    split = [line.split(maxsplit=1) for line in joined if line]
    return [(keyword, rest) for keyword, rest in split]


def last_stage() -> list[tuple[str, str]]:
    """The instructions of the image that is run."""
    found = instructions()
    start = max(at for at, (keyword, _) in enumerate(found) if keyword == "FROM")
    return found[start:]


def copies() -> Iterator[tuple[list[str], str]]:
    """Sources and target of each COPY from the project's folder."""
    for keyword, rest in instructions():
        if keyword == "COPY" and not rest.startswith("--from"):
            *sources, target = rest.split()
            yield sources, target


def ignores(path: str) -> bool:
    """Tell if .dockerignore excludes *path*: the last matching line decides."""
    verdict = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!")
        if line and not line.startswith("#") and _fits(path, pattern):
            verdict = not line.startswith("!")
    return verdict


def build_context(folder: Path) -> None:
    """Put into *folder* what the last stage's COPY would."""
    for sources, target in copies():
        for source in (file for name in sources for file in ROOT.glob(name)):
            into = folder / target if source.is_dir() else folder / target / source.name
            _copy(source, into)
    (folder / "requirements.lock").unlink(missing_ok=True)  # the first stage's


def _copy(source: Path, into: Path) -> None:
    if source.is_dir():
        for part in source.iterdir():
            _copy(part, into / part.name)
    elif not ignores(str(source.relative_to(ROOT))):
        into.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, into)


def _fits(path: str, pattern: str) -> bool:
    """Tell if *pattern* matches *path* or a folder around it."""
    parts = path.split("/")
    heads = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
    if pattern.startswith("**/"):
        return any(fnmatch.fnmatch(part, pattern[3:]) for part in parts)
    depth = pattern.count("/")
    return any(h.count("/") == depth and fnmatch.fnmatch(h, pattern) for h in heads)


def _is_version_2(command: list[str]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    done = subprocess.run(
        [*command, "version", "--short"], capture_output=True, text=True, check=False
    )
    return done.returncode == 0 and not done.stdout.startswith("1.")


needs_compose = pytest.mark.skipif(
    compose_command() is None,
    reason="no docker compose 2 on this machine: apt install docker-compose-v2 on "
    "Ubuntu, docker-compose on Debian 13",
)
