"""The commands of the READMEs work as they are written."""

import re
import subprocess
import sys

import pytest
from support.paths import ROOT

READMES = ("README.md", "README.zh-CN.md")
# These start what runs until it is stopped, or this very run of the tests.
# The tests in a browser start the app by `make run`; .ci/run calls `make test`.
ELSEWHERE = ("make run", "make test")


def blocks(name: str) -> list[tuple[str, str]]:
    """Language and text of each block; one without a language needs the web."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands() -> list[tuple[str, str]]:
    found = [
        (name, line)
        for name in (*READMES, "docs/contributing.md")
        for language, block in blocks(name)
        for line in block.splitlines()
        if language == "sh" and line and not line.startswith(ELSEWHERE)
    ]
    assert found
    return found


def run(command: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """A command in the project's folder, with *code* to read."""
    return subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        input=code,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("name", "command"), commands())
def test_commands(name: str, command: str) -> None:
    """A command of a page succeeds."""
    done = run(command.replace(".venv/bin/python", sys.executable))

    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("name", [*READMES, "docs/agent.md"])
def test_python(name: str) -> None:
    """The Python of a page runs and prints results."""
    (code,) = [block for language, block in blocks(name) if language == "python"]

    done = run(f"{sys.executable} -", code)

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 3


@pytest.mark.parametrize("name", READMES)
def test_first_screen(name: str) -> None:
    """The first screen has the description and the two commands."""
    head = (ROOT / name).read_text(encoding="utf-8").splitlines()[:12]

    assert any(line.startswith("make run") for line in head)
    assert any(line.startswith("make test") for line in head)


def test_same_commands() -> None:
    """Both languages show the same commands, but for comments and words."""

    def shapes(name: str) -> list[str]:
        shell = [block for language, block in blocks(name) if language != "python"]
        return [re.sub(r'#.*|"[^":]*[北w][^":]*"', "", block) for block in shell]

    assert shapes(READMES[0]) == shapes(READMES[1])
