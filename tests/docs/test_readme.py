"""The commands of the READMEs and for developers work as they are written."""

import re
import subprocess
import sys

import pytest
from support.paths import ROOT

READMES = ("README.md", "README.zh-CN.md")
# These lead to what is here, start what runs until it is stopped, or these tests.
# The tests in a browser start the app by `make run`; .ci/run calls `make test`.
ELSEWHERE = ("git clone", "cd ", "make run", "make test")
WITHOUT_THE_PAGE = "docs/without-the-page.md"


def blocks(name: str) -> list[tuple[str, str]]:
    """Language and text of each block; one without a language needs the web."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands() -> list[tuple[str, str]]:
    found = [
        (name, line)
        for name in (*READMES, WITHOUT_THE_PAGE, "docs/contributing.md")
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


@pytest.mark.parametrize("name", [WITHOUT_THE_PAGE, "docs/agent.md"])
def test_python(name: str) -> None:
    """The Python of a page runs and prints results."""
    (code,) = [block for language, block in blocks(name) if language == "python"]

    done = run(f"{sys.executable} -", code)

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 3


@pytest.mark.parametrize("name", READMES)
def test_first_screen(name: str) -> None:
    """A picture comes first, then how to get the project and to start it."""
    head = (ROOT / name).read_text(encoding="utf-8").splitlines()[:16]

    picture, clone, run = (
        next(n for n, line in enumerate(head) if line.startswith(words))
        for words in ("![", "git clone ", "make run")
    )
    assert picture < clone < run


def test_same_shape() -> None:
    """Both languages have the same headings, pictures, tables and commands."""

    def shape(name: str) -> list[str]:
        text = (ROOT / name).read_text(encoding="utf-8")
        pages = re.findall(r"^(#+|!|\||- \*\*|- )", text, re.MULTILINE)
        code = [re.sub("<.*>", "", block) for _, block in blocks(name)]
        inside = sorted(set(re.findall(r"`([^`\n]+)`", text)))
        return [*pages, *code, *inside]

    assert shape(READMES[0]) == shape(READMES[1])
