"""`websearch-chat run`, from a folder that is not the project's."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.browser.app_process import ended, folder_with, wait_until_ready
from support.servers.ports import free_port

pytestmark = pytest.mark.slow


def test_run(tmp_path: Path) -> None:
    """The app starts with its own page, and leaves nothing where it was started."""
    port = free_port()
    log = tmp_path / "log"
    settings = {".env": "WEB_SEARCH_BACKEND=stub\n"}
    with folder_with(settings) as project, log.open("wb") as output:
        program = [sys.executable, str(project / "websearch_chat.py")]
        process = subprocess.Popen(
            [*program, "run", "--port", str(port)],
            env={name: os.environ[name] for name in ("PATH", "HOME")},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        with ended(process):
            url = f"http://127.0.0.1:{port}"
            wait_until_ready(url, process, log.read_text)
            with urlopen(f"{url}/public/style.css") as style:
                assert style.read() == (project / "public/style.css").read_bytes()

    assert [file.name for file in tmp_path.iterdir()] == ["log"]
