"""Lines of .env are changed, and all the others stay."""

import os
from pathlib import Path

import pytest

from websearch.config import (
    NotWrittenError,
    Settings,
    change_env_file,
    leave_to_env_file,
)

pytestmark = pytest.mark.spec("X6")

FILE = Path(".env")
ODD = "# mine\r\nexport  A='1' # kept\r\n\r\nB = 2\r\nA=3 # the last counts\r\n#A=4"


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        ("", {"A": "1", "B": ""}, "A=1\n"),
        ("A=0\nB=2", {"A": "1"}, "A=1\nB=2"),
        ("B=2", {"A": "1"}, "B=2\nA=1\n"),
        ("A=0\nB=2\n", {"A": ""}, "A=\nB=2\n"),
        (ODD, {"A": "9"}, ODD.replace("A=3 # the last counts", "A=9")),
        (ODD, {"C": "x"}, f"{ODD}\r\nC=x\r\n"),
        ("\n\nexport A=0\n", {"A": "1"}, "\n\nexport A=1\n"),
        ("not a line\nA=0\n", {"A": "1"}, "not a line\nA=1\n"),
        ("", {"A": "a b'c\\d #e"}, "A='a b\\'c\\\\d #e'\n"),
    ],
)
def test_lines(before: str, values: dict[str, str], after: str) -> None:
    """The wanted lines change or come to the end; the others stay letter for letter,
    and nobody else may read the file."""
    FILE.write_bytes(before.encode())

    change_env_file(values)

    assert FILE.read_bytes().decode() == after
    assert FILE.stat().st_mode & 0o777 == 0o600
    assert [*Path().iterdir()] == [FILE]


def unreadable() -> None:
    FILE.write_bytes(b"A=\xff\n")


def folder() -> None:
    FILE.mkdir()


def dangling() -> None:
    FILE.symlink_to("/proc/no/such/folder")


@pytest.mark.parametrize("broken", [unreadable, folder, dangling])
def test_unwritable(broken: object) -> None:
    """A file that can't be changed is told, and nothing of it is lost."""
    broken()  # type: ignore[operator]
    before = FILE.read_bytes() if FILE.is_file() else None

    with pytest.raises(NotWrittenError):
        change_env_file({"B": "3"})

    assert before is None or FILE.read_bytes() == before


@pytest.mark.parametrize("value", ["${HOME}", "a\nb${X}"])
def test_value_that_would_change(value: str) -> None:
    """A value that would be read as another one is not written."""
    with pytest.raises(NotWrittenError):
        change_env_file({"A": value})

    assert not FILE.exists()


def test_link() -> None:
    """A link to a file elsewhere stays a link."""
    Path("elsewhere").write_text("A=0\n")
    FILE.symlink_to("elsewhere")

    change_env_file({"A": "1"})

    assert FILE.is_symlink()
    assert Path("elsewhere").read_text() == "A=1\n"


def test_what_chainlit_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What .env put into the environment is .env's to change; the rest stays there."""
    FILE.write_text("WEB_SEARCH_BACKEND=stub\nBRAVE_API_KEY=file\nHTTPS_PROXY=p\n")
    for name, value in {
        "WEB_SEARCH_BACKEND": "stub",
        "BRAVE_API_KEY": "environment",
        "HTTPS_PROXY": "p",
    }.items():
        monkeypatch.setenv(name, value)

    leave_to_env_file(Settings)
    change_env_file({"WEB_SEARCH_BACKEND": "ddg_html", "BRAVE_API_KEY": "changed"})
    settings = Settings.load()

    assert settings.backend == "ddg_html"
    assert settings.brave_api_key is not None
    assert settings.brave_api_key.get_secret_value() == "environment"
    assert os.environ["HTTPS_PROXY"] == "p"
