"""Web addresses that somebody wrote in a sentence."""

import pytest

from untrusted.urls import addresses_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("总结https://a.example/x，谢谢", ["https://a.example/x"]),
        ("See (https://a.example/x).", ["https://a.example/x"]),
        ("https://a.example/x_(y) is long", ["https://a.example/x_(y)"]),
        ("https://a.example/x?q=[1]!", ["https://a.example/x?q=[1]"]),
        ("www.a.example, please", ["https://www.a.example/"]),
        ("http://a.example/1 http://a.example/1.", ["http://a.example/1"]),
        ("me@www.example.org and ftp://a.example/", []),
        ("http://a.example/" + ")." * 9_000, ["http://a.example/"]),
    ],
    ids=["han", "brackets", "own-bracket", "square", "www", "twice", "none", "long"],
)
def test_addresses(text: str, found: list[str]) -> None:
    """An address ends before the sentence goes on; its own brackets stay."""
    assert addresses_in(text, 3) == found
