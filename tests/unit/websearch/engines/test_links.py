"""The targets of links on an engine's page."""

import pytest

from websearch.engines.links import target

BASE = "https://html.engine.example/html/"
OWN = "engine.example"


def wrapped(value: str) -> str:
    return f"//engine.example/l/?u={value}&rut=1"


@pytest.mark.parametrize(
    ("href", "url"),
    [
        (wrapped("https%3A%2F%2Fa.example%2Fx%2Dy%3Fz%3D1%26b"), "https://a.example/x-y?z=1&b"),
        (wrapped("https%3a%2f%2fa.example%2f"), "https://a.example/"),
        (wrapped("https%3A%2F%2Fa.example%2F%253A%252F"), "https://a.example/%3A%2F"),
        (wrapped("https%3A%2F%2Fa.example%2Fb+c"), "https://a.example/b c"),
        (wrapped("https%3A%2F%2Fa.example%2F%E4%B8%AD"), "https://a.example/中"),
        (wrapped("javascript%3Aalert"), ""),
        (wrapped(""), "https://engine.example/l/?u=&rut=1"),
        ("https://engine.example/l/?x=1&u=https%3A%2F%2Fa.example", "https://a.example"),
        ("//engine.example/#?u=https%3A%2F%2Fa.example", "https://engine.example/#?u=https%3A%2F%2Fa.example"),
        ("https://a.example/?u=https%3A%2F%2Fb.example", "https://a.example/?u=https%3A%2F%2Fb.example"),
        ("//a.example/?u=https%3A%2F%2Fb.example", "https://a.example/?u=https%3A%2F%2Fb.example"),
        ("//engine.example.evil/?u=https%3A%2F%2Fb.example", "https://engine.example.evil/?u=https%3A%2F%2Fb.example"),
    ],
)  # fmt: skip
def test_target(href: str, url: str) -> None:
    """A redirect of the engine's own is opened, nobody else's."""
    assert target(href, BASE, OWN, "u") == url


def test_endless_link() -> None:
    """A link of a megabyte is not taken apart."""
    assert (
        target(wrapped("https%3A%2F%2Fa.example%2F" + "%41" * 300_000), BASE, OWN, "u")
        == ""
    )
