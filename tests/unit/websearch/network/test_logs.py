"""The logs of the HTTP libraries give nothing away, at any level."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from support.loopback import Answer, served

from websearch.network.client import HttpClient

LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11")


async def ask() -> None:
    """A request with secrets, and an answer that repeats one."""
    echo = Answer("{}", 302, {"Location": "https://x.example/?q=canary-echo"})
    http = HttpClient()
    with served(lambda _: echo) as server:
        await http.get(
            f"{server.url}/canary-path",
            params={"q": "canary-query"},
            headers={"Authorization": "Bearer canary-key"},
        )
        await http.aclose()


@contextmanager
def unfiltered() -> Iterator[None]:
    """The same libraries as they log by themselves."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    filters = [list(logger.filters) for logger in loggers]
    for logger in loggers:
        logger.filters.clear()
    yield
    for logger, known in zip(loggers, filters, strict=True):
        logger.filters[:] = known


@pytest.mark.spec("N3")
@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
async def test_canaries(caplog: pytest.LogCaptureFixture, level: int) -> None:
    """Query, key, credentials and the server's echo of them reach no log."""
    for name in ("httpx", "httpcore", *LOGGERS):
        caplog.set_level(level, logger=name)

    await ask()

    assert "canary" not in caplog.text


async def test_canaries_would_show(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without our filters the libraries do log them, so the test above proves much."""
    monkeypatch.setattr("websearch.network.client.silence_http_logs", lambda: None)
    for name in LOGGERS:
        caplog.set_level(logging.DEBUG, logger=name)

    with unfiltered():
        await ask()

    assert "canary-query" in caplog.text
    assert "canary-echo" in caplog.text


@pytest.mark.spec("N3")
def test_client_of_the_model(caplog: pytest.LogCaptureFixture) -> None:
    """The addresses that the model's HTTP client logs reach no log either."""
    caplog.set_level(logging.DEBUG, logger="httpx2")
    HttpClient()

    logging.getLogger("httpx2").info("HTTP Request: POST http://canary.example/v1")

    assert "canary" not in caplog.text
