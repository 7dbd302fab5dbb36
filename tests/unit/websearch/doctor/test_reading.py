"""The doctor examines reading: its process, its libraries, the proxy, the names."""

import socket
import sys
from pathlib import Path

import pytest
from support.doctor import problems, told
from support.servers.loopback import Answer, Request, served

from websearch.config.settings import Settings
from websearch.doctor import Diagnosis, adiagnose_reading
from websearch.fetch.guard import Resolve


def leading_to(*addresses: str) -> Resolve:
    return lambda _host, _port: list(addresses)


async def diagnosed(*addresses: str, **settings: str) -> Diagnosis:
    resolve = leading_to(*(addresses or ("93.184.216.34",)))
    return await adiagnose_reading(Settings.model_validate(settings), resolve=resolve)


async def test_works() -> None:
    """A page and a PDF of its own are read, and a public name is looked up."""
    diagnosis = await diagnosed()

    assert problems(diagnosis) == ["reading_works"]
    assert told(diagnosis) == ["page passed", "pdf passed", "names passed"]
    assert diagnosis.is_usable


async def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading that is switched off is a state, and no process is started."""
    monkeypatch.setattr(sys, "executable", "/missing/python")

    diagnosis = await diagnosed(WEB_FETCH_ENABLED="false")

    assert problems(diagnosis) == ["reading_off"]
    assert told(diagnosis) == ["page skipped"]
    assert diagnosis.is_usable


@pytest.mark.parametrize("program", ["/missing/python", "/bin/false"])
async def test_process_does_not_start(
    monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """A process that can't be started, or that ends at once, is told."""
    monkeypatch.setattr(sys, "executable", program)

    diagnosis = await diagnosed()

    assert problems(diagnosis) == ["worker_failed"]
    assert told(diagnosis) == ["page failed", "pdf skipped", "names passed"]
    assert not diagnosis.is_usable


@pytest.mark.parametrize(
    ("library", "problem", "state"),
    [
        ("lxml", "worker_failed", "pdf skipped"),
        ("selectolax", "worker_failed", "pdf skipped"),
        ("pypdfium2", "reading_no_pdf", "pdf failed"),
    ],
)
async def test_library_is_broken(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    library: str,
    problem: str,
    state: str,
) -> None:
    """A library that can't be loaded is told by what can't be read without it."""
    (tmp_path / f"{library}.py").write_text("raise ImportError")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    diagnosis = await diagnosed()

    assert problems(diagnosis) == [problem]
    assert told(diagnosis)[1] == state


async def test_extraction_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A library that loads and fails at work is told apart from a missing one."""
    (tmp_path / "trafilatura.py").write_text("")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    assert problems(await diagnosed()) == ["reading_broken"]


@pytest.mark.parametrize(
    ("address", "trusted", "problem", "state"),
    [
        ("198.18.0.7", "", "fake_ip", "names failed"),
        ("198.18.0.7", "198.18.0.0/15", "reading_works", "names passed"),
        ("10.0.0.1", "", "private_names", "names failed"),
    ],
)
async def test_names(address: str, trusted: str, problem: str, state: str) -> None:
    """A proxy program's address for every name is told, unless the operator trusts
    it, and a private one."""
    diagnosis = await diagnosed(address, WEB_FETCH_ALLOWED_HOSTS=trusted)

    assert problems(diagnosis) == [problem]
    assert told(diagnosis)[-1] == state


async def test_without_network() -> None:
    """A machine that resolves no name reads its own page; the name is not checked."""

    def unknown(_host: str, _port: int) -> list[str]:
        raise socket.gaierror

    diagnosis = await adiagnose_reading(Settings(), resolve=unknown)

    assert problems(diagnosis) == ["reading_works"]
    assert told(diagnosis)[-1] == "names skipped"


async def test_proxy() -> None:
    """A proxy is asked for our own page alone, with the name and the password of the
    setting, and replaces the look-up of names."""

    def answer(request: Request) -> Answer:
        given = request.headers.get("proxy-authorization")
        return Answer(status=502 if given == "Basic dTpw" else 407)

    with served(answer) as proxy:
        address = proxy.url.replace("://", "://u:p@")
        diagnosis = await diagnosed("198.18.0.7", WEB_FETCH_PROXY=address)

    assert problems(diagnosis) == ["reading_proxied"]
    assert told(diagnosis) == ["page passed", "pdf passed", "proxy passed"]
    assert {request.target for request in proxy.requests} == {"http://127.0.0.1:9/"}
