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
    ("url", "port"),
    [
        ("http://localhost", 80),
        ("https://127.0.0.1", 443),
        ("https://s.example.org:8443/x", 8443),
    ],
)
def test_port(url: str, port: int) -> None:
    """The port is known, also where it is left out."""
    assert BaseAddress.parse(url).port == port


LOOPBACK = "localhost 127.0.0.1 127.8.8.8 [::1]:81 0.0.0.0 [::] [::ffff:127.0.0.1]"
LOOPBACK += " localhost. app.localhost"
OTHERS = "s.example.org localhost.example notlocalhost [::ffff:192.0.2.1]"


@pytest.mark.parametrize("host", [*LOOPBACK.split(), *OTHERS.split()])
def test_loopback(host: str) -> None:
    """This machine is known by all its names, and no other is taken for it."""
    is_loopback = BaseAddress.parse(f"http://{host}").is_loopback

    assert is_loopback is (host in LOOPBACK.split())
