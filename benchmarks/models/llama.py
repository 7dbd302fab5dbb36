"""llama.cpp's server around one model, as a process on loopback."""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from tempfile import TemporaryFile
from typing import Any, Final

from benchmarks.models.packages import SERVER, Unavailable, installed

_SERVE: Final = Path(__file__).with_name("serve.py")
_START_SECONDS: Final = 120
# The same words each time. One thread: on a busy machine two wait for each other most
# of the time. A small model may repeat itself for ever: the grammar allows any letters,
# but not many.
_OPTIONS: Final = {
    "n_ctx": 8192,
    "n_batch": 256,
    "n_parallel": 1,
    "use_jinja": True,
    "endpoint_slots": True,
    "cpuparams.n_threads": 1,
    "cpuparams.poll": 0,
    "sampling.seed": 7,
    "sampling.temp": 0.0,
    "sampling.grammar": r"root ::= [^\x00]{1,120}",
}


@dataclass(frozen=True, slots=True)
class Llama:
    """The server's port, and what it says of itself."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def base_url(self) -> str:
        """The address for a client of OpenAI's protocol."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def is_busy(self) -> bool:
        """Tell if it reads or writes for somebody."""
        _, slots = self.ask("GET", "/slots")
        return any(slot["is_processing"] for slot in slots)

    def end(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.communicate()

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        address = "127.0.0.1", self.port
        with closing(http.client.HTTPConnection(*address, timeout=900)) as connection:
            connection.request(method, path, json.dumps(body) if body else None)
            response = connection.getresponse()
            return response.status, json.loads(response.read())


@contextmanager
def llama(model: Path, **options: Any) -> Iterator[Llama]:
    """
    Serve *model* inside the block.

    *options* are fields of llama.cpp's `CommonParams`, with `__` for a dot; None leaves
    a field as it is there.
    """
    fields = _OPTIONS | {name.replace("__", "."): v for name, v in options.items()}
    given = {name: value for name, value in fields.items() if value is not None}
    folder = installed(SERVER)
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-I", _SERVE, folder, model, port, json.dumps(given)]
    with TemporaryFile() as log:
        # It ends when its input closes, also where this process is killed.
        process = subprocess.Popen(
            [*map(str, command)], stdin=subprocess.PIPE, stdout=log, stderr=log
        )
        server = Llama(port, process)
        try:
            _await(server, log)
            yield server
        finally:
            server.end()


def _await(server: Llama, log: Any) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            status, _ = server.ask("GET", "/health")
        except OSError:
            status = 0
        if status == http.HTTPStatus.OK:
            return
        time.sleep(0.1)
    log.seek(0)
    lines = log.read().decode("utf-8", "replace").strip().splitlines()
    last = lines[-1][:200] if lines else "it says nothing"
    raise Unavailable(f"llama.cpp's server does not start: {last}")
