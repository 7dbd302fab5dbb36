"""Errors of the browser's driver become ours, without their text."""

import pytest

from websearch.browser.errors import failure

PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("name", "proxy", "code"),
    [
        ("ERR_NAME_NOT_RESOLVED", None, "dns"),
        ("ERR_CONNECTION_REFUSED", None, "refused"),
        ("ERR_CERT_AUTHORITY_INVALID", None, "tls"),
        ("ERR_SSL_PROTOCOL_ERROR", None, "tls"),
        ("ERR_CONNECTION_RESET", None, "disconnected"),
        ("ERR_EMPTY_RESPONSE", None, "disconnected"),
        ("ERR_INCOMPLETE_CHUNKED_ENCODING", None, "cut_off"),
        ("ERR_INVALID_HTTP_RESPONSE", None, "not_http"),
        ("ERR_INTERNET_DISCONNECTED", None, "unreachable"),
        ("ERR_SOMETHING_NEW", None, "unreachable"),
        ("ERR_TOO_MANY_REDIRECTS", None, "too_many_redirects"),
        ("ERR_PROXY_CONNECTION_FAILED", PROXY, "proxy_unreachable"),
        ("ERR_TUNNEL_CONNECTION_FAILED", PROXY, "proxy_refuses"),
        ("ERR_PROXY_AUTH_UNSUPPORTED", PROXY, "proxy_auth"),
        ("ERR_PROXY_CERTIFICATE_INVALID", PROXY, "proxy_not_http"),
    ],
)
def test_network(name: str, proxy: str | None, code: str) -> None:
    """Each failure of the network has its detail code, and nothing of the address."""
    error = failure(
        f"Page.goto: net::{name} at https://canary.example/?q=secret", proxy
    )

    assert error.detail_code == code
    assert "canary" not in str(error)
    assert error.facts == ({"proxy": PROXY} if proxy else {})


def test_other() -> None:
    """A page that crashes is the browser's failure."""
    error = failure("Page crashed")

    assert error.detail_code == "browser_crashed"
