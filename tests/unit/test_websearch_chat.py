"""`websearch-chat`: one command for all, from any folder."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from support.browser.app_process import folder_with
from support.command import Done, error_of
from support.paths import ROOT

import agent.__main__
import websearch.__main__
import websearch_chat

COMMANDS = {
    "run": None,
    "search": websearch.__main__,
    "fetch": websearch.__main__,
    "backends": websearch.__main__,
    "call": websearch.__main__,
    "ask": agent.__main__,
    "report": agent.__main__,
    "doctor": agent.__main__,
}


def help_of(main: object, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as end:
        main([*words, "--help"])  # type: ignore[operator]  # a `main`

    assert end.value.code == 0
    return capsys.readouterr().out


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """There are these commands, and no others."""
    listed = help_of(websearch_chat.main, capsys).partition("COMMAND\n")[2]

    assert [line.split()[0] for line in listed.split("\n\n")[0].splitlines()] == [
        *COMMANDS
    ]


@pytest.mark.parametrize("command", [name for name, one in COMMANDS.items() if one])
def test_both_names_of_a_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command has the options that `python -m` gives it."""
    package = COMMANDS[command]
    assert package
    longer = f"python -m {package.__package__}"
    same = help_of(package.main, capsys, command).replace(longer, "websearch-chat")

    ours = help_of(websearch_chat.main, capsys, command)
    assert ours.split() == same.split()  # line breaks differ with the name


def run_in(folder: Path, *words: str) -> Done:
    """The command of the project in *folder*, run where the test is."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, str(folder / "websearch_chat.py"), *words],
        env=kept | {"PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_from_any_folder(tmp_path: Path) -> None:
    """Settings are those of the project's folder, files those of the user's."""
    with folder_with({".env": "WEB_SEARCH_BACKEND=stub\n"}) as project:
        done = run_in(project, "report", "How high is it?", "--bundle", "steps.json")

    assert (done.returncode, error_of(done)["detail_code"]) == (1, "samples_only")
    assert [file.name for file in tmp_path.iterdir()] == ["steps.json"]


def test_search_alone() -> None:
    """A search loads nothing that only answers need."""
    code = (
        "import sys, websearch_chat; websearch_chat.main(['search', 'agent', "
        "'--backend', 'stub']); print({'agent', 'langchain_core'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True
    )

    assert done.stdout.endswith(b"\nset()\n")


def is_installed() -> bool:
    """True where the environment is this folder's own, and not that of a copy."""
    with suppress(PackageNotFoundError):
        origin = distribution("websearch-chat").read_text("direct_url.json")
        return origin is not None and json.loads(origin)["url"] == ROOT.as_uri()
    return False


@pytest.mark.skipif(not is_installed(), reason="this folder is not installed")
def test_installed() -> None:
    """The set-up brings the command."""
    command = Path(sys.executable).with_name("websearch-chat")
    done = subprocess.run([command, "--help"], capture_output=True, check=True)

    assert done.stdout.startswith(b"usage: websearch-chat ")
