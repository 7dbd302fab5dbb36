"""What no page of ours sends reaches neither Chainlit nor our handlers."""

from typing import Any

import pytest

from ui.server.guard import _EVENTS, checked

UUID = "7b1e1f6e-52f2-4d7c-9c39-2a4c6f1a9e11"
MESSAGE = {"message": {"id": UUID, "output": "你好"}}


@pytest.mark.parametrize(
    ("event", "sent", "taken"),
    [
        ("client_message", MESSAGE, True),
        ("client_message", None, False),
        ("client_message", {}, False),
        ("client_message", {"message": None}, False),
        ("client_message", {"message": {"id": "1", "output": "x"}}, False),
        ("client_message", {"message": {"id": UUID, "output": 5}}, False),
        ("chat_settings_change", {"mode": "chat"}, True),
        ("chat_settings_change", None, False),
        ("chat_settings_change", ["mode"], False),
        ("chat_settings_edit", "x", False),
        ("edit_message", MESSAGE, False),
    ],
    ids=str,
)
async def test_events(
    caplog: pytest.LogCaptureFixture, event: str, sent: Any, taken: bool
) -> None:
    """A well-formed event is handed on; any other is left out with a word."""
    got: list[Any] = []

    async def handler(_sid: str, payload: Any) -> None:
        got.append(payload)

    await checked(handler, _EVENTS[event])("sid", sent)

    assert got == ([sent] if taken else [])
    assert ("left out" in caplog.text) is not taken
