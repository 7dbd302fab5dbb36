"""Base addresses are read as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch.config.address import BaseAddress, without_credentials


@pytest.mark.spec("B1")
@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("http://localhost:8080", "http://localhost:8080"),
        (" http://localhost:8080/ ", "http://localhost:8080"),
        ("http://localhost:8080/search", "http://localhost:8080"),
        ("http://localhost:8080/search?q=<query>", "http://localhost:8080"),
        ("http://search", "http://search"),
        ("https://search/search/", "https://search"),
        ("http://h.example/it's", "http://h.example/it%27s"),
        ("http://localhost:8080/?q=%s#top", "http://localhost:8080"),
        ("https://s.example.org/searxng/", "https://s.example.org/searxng"),
        ("https://s.example.org/searxng/search", "https://s.example.org/searxng"),
        ("HTTP://LocalHost:8080", "http://localhost:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://例子.测试:81", "http://xn--fsqu00a.xn--0zwm56d:81"),
    ],
)
def test_typed(typed: str, url: str) -> None:
    """Spaces, /search and a query string are trimmed; a path prefix stays."""
    assert BaseAddress.parse(typed).url == url


@pytest.mark.spec("B1")
@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("localhost:8080", "as in http://localhost:8080"),
        ("ftp://a.example", "begins with http"),
        ("http://", "names a host"),
        ("http:///path", "names a host"),
        ("http://user:p#canary@h.example", "in the password written as"),
        ("http://user:1/canary@h.example", "in the password written as"),
        ("http://user:12?canary@h.example", "in the password written as"),
        ("http://a.example:99999", "a complete address"),
        ("http://a b.example", "without spaces"),
        ("http://[bad", "a complete address"),
        ("javascript:alert(1)", "begins with http"),
        ("", "begins with http"),
    ],
)
def test_malformed(typed: str, reason: str) -> None:
    """A malformed address is refused, and the message tells the right form."""
    with pytest.raises(ValueError, match=reason):
        BaseAddress.parse(typed)


@pytest.mark.spec("B1", "N3")
def test_credentials() -> None:
    """User and password are kept for the request and shown nowhere."""
    address = BaseAddress.parse("https://user:p%40ss-canary@s.example.org/x")

    assert (address.user, address.password) == ("user", "p@ss-canary")
    assert address.url == "https://s.example.org/x"
    assert "canary" not in f"{address!r} {address} {address.url}"


@pytest.mark.spec("N3")
@given(st.text(st.characters(exclude_characters="/?#\\")))
def test_any_text(text: str) -> None:
    """Whatever is typed gives an address, or a reason that repeats nothing of it."""
    try:
        told = BaseAddress.parse(f"http://{text}:canary@h.example").url
    except ValueError as error:
        told = str(error)

    assert "canary" not in told


@pytest.mark.spec("N3")
@pytest.mark.parametrize(
    "text",
    [
        "http://u:canary@h:x",
        "u:canary@h",
        "http://canary@",
        "https://u:canary@@h/",
        "http://u:p#canary@h",
        "http://u:p/canary?x@h",
        "http:/u:canary@h",
        "http://u:can\nary:canary@h",
    ],
)
def test_hiding(text: str) -> None:
    """Credentials are hidden in a broken address too."""
    assert "canary" not in without_credentials(text)


@pytest.mark.parametrize(
    ("url", "port", "loopback"),
    [
        ("http://localhost", 80, True),
        ("https://127.0.0.1", 443, True),
        ("http://[::1]:81", 81, True),
        ("https://s.example.org:8443/x", 8443, False),
        ("http://127.8.8.8", 80, True),
        ("http://0.0.0.0", 80, True),
        ("http://[::]", 80, True),
        ("http://[::ffff:127.0.0.1]", 80, True),
        ("http://localhost.", 80, True),
        ("http://app.localhost", 80, True),
        ("http://localhost.example", 80, False),
        ("http://notlocalhost", 80, False),
        ("http://[::ffff:192.0.2.1]", 80, False),
    ],
)
def test_parts(url: str, port: int, loopback: bool) -> None:
    """Port and loopback are known, also where the port is left out."""
    address = BaseAddress.parse(url)

    assert (address.port, address.is_loopback) == (port, loopback)
