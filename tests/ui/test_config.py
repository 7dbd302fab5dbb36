"""The web server's settings are the hardened ones."""

import tomllib
from pathlib import Path

import pytest

CONFIG = tomllib.loads(
    (Path(__file__).parents[2] / ".chainlit" / "config.toml").read_text("utf-8")
)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("features.unsafe_allow_html", False),
        ("features.latex", False),
        ("features.spontaneous_file_upload.enabled", False),
        ("features.mcp.enabled", False),
        ("features.audio.enabled", False),
        ("UI.language", "zh-CN"),
    ],
)
def test_hardened(path: str, expected: object) -> None:
    """Raw HTML, uploads and MCP are off, and the page is Chinese."""
    value: object = CONFIG
    for key in path.split("."):
        assert isinstance(value, dict)
        value = value[key]

    assert value == expected


def test_origins() -> None:
    """No foreign web page may use the server."""
    assert "*" not in CONFIG["project"]["allow_origins"]
