"""LiteLLM's proxy in front of a model's server, as a process on loopback."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from support.paths import ROOT
from support.servers.ports import free_port

from benchmarks.models import Llama, Unavailable, installed

LOCK: Final = ROOT / "tests" / "model" / "litellm.lock"
MODEL: Final = "through-the-gateway"
START_SECONDS: Final = 240

# Its own packages alone; it ends with its standard input.
PROGRAM: Final = """
import os, sys, threading
def end():
    sys.stdin.buffer.read()
    os._exit(0)
threading.Thread(target=end, daemon=True).start()
sys.path.insert(0, sys.argv.pop(1))
from litellm import run_server
run_server()
"""


@contextmanager
def litellm_proxy(llama: Llama, folder: Path) -> Iterator[str]:
    """The base URL of a proxy in front of *llama*; its files go into *folder*."""
    packages, port = installed(LOCK), free_port()
    upstream = {
        "model": "openai/local",
        "api_base": llama.base_url,
        "api_key": "none",
        "timeout": 600,
    }
    listed = [{"model_name": MODEL, "litellm_params": upstream}]
    config = folder / "litellm.yaml"  # JSON is YAML
    config.write_text(json.dumps({"model_list": listed}), encoding="utf-8")
    words = ["--config", config, "--host", "127.0.0.1", "--port", port]
    log = folder / "litellm.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            [*map(str, (sys.executable, "-I", "-S", "-c", PROGRAM, packages, *words))],
            stdin=subprocess.PIPE,
            stdout=written,
            stderr=written,
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(folder),
                "LITELLM_LOCAL_MODEL_COST_MAP": "True",
                "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
            },
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _is_alive(port):
            if process.poll() is not None or time.monotonic() > deadline:
                last = log.read_text(errors="replace").strip().splitlines()[-1:]
                raise Unavailable(f"LiteLLM does not start: {''.join(last)[:200]}")
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.communicate()


def _is_alive(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/liveliness")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
