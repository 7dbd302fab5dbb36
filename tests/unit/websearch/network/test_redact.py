"""The logs of the libraries below give nothing away, at any level."""

import logging

import pytest
from support.loopback import Answer, served

from websearch.network.client import Http


@pytest.mark.spec("N3")
@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
async def test_canaries(caplog: pytest.LogCaptureFixture, level: int) -> None:
    """Query, key, credentials and the server's echo of them reach no log."""
    for name in ("httpcore", "httpcore.http11", "httpcore.connection"):
        caplog.set_level(level, logger=name)
    echo = Answer("{}", 302, {"Location": "https://x.example/?q=canary-echo"})
    http = Http()
    with served(lambda _: echo) as server:
        await http.get(
            f"{server.url}/canary-path",
            params={"q": "canary-query"},
            headers={"Authorization": "Bearer canary-key"},
        )
        await http.aclose()

    assert "send_request_headers.started" in caplog.text or level > logging.DEBUG
    assert "canary" not in caplog.text


@pytest.mark.spec("N3")
def test_twice() -> None:
    """Another door adds no second filter."""
    Http()
    before = len(logging.getLogger("httpcore.http11").filters)

    Http()

    assert len(logging.getLogger("httpcore.http11").filters) == before
