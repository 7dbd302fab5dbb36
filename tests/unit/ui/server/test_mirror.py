"""What a page gets again when its line comes back."""

from typing import Any

import pytest

from ui.server.mirror import Mirror

pytestmark = pytest.mark.spec("M6")


def step(key: str, output: str = "") -> dict[str, Any]:
    return {"id": key, "output": output}


def token(key: str, words: str, **options: bool) -> tuple[str, dict[str, Any]]:
    return "stream_token", {"id": key, "token": words, **options}


START, END = ("task_start", {}), ("task_end", {})
FACTS = ("window_message", {"type": "websearch:answer", "id": "a"})
EVIDENCE = ("window_message", {"type": "websearch:evidence", "id": "a"})
CASES = {
    "nothing asked": ([], [END]),
    "an answer as far as it is": (
        [START, ("stream_start", step("a")), token("a", "一"), token("a", "二")],
        [("new_message", step("a", "一二")), START],
    ),
    "a whole answer, steps first": (
        [
            START,
            ("new_message", step("s", "searching")),
            ("update_message", step("s", "found")),
            ("stream_start", step("a")),
            token("a", "一"),
            ("update_message", step("a", "一[1]")),
            FACTS,
            EVIDENCE,
            END,
        ],
        [
            ("new_message", step("s", "found")),
            ("new_message", step("a", "一[1]")),
            FACTS,
            EVIDENCE,
            END,
        ],
    ),
    "a replaced text": (
        [START, ("stream_start", step("a", "x")), token("a", "y", isSequence=True)],
        [("new_message", step("a", "y")), START],
    ),
    "a removed message": (
        [START, ("new_message", step("a")), ("delete_message", step("a"))],
        [("delete_message", {"id": "a", "is_deleted": True}), START],
    ),
    "the newest exchange alone": (
        [START, ("new_message", step("a")), EVIDENCE, END, START, END],
        [END],
    ),
    "buttons and files, but not those that were removed": (
        [
            START,
            ("action", {"id": "b", "label": "x"}),
            ("element", {"id": "f", "name": "report.md"}),
            ("action", {"id": "c"}),
            ("remove_action", {"id": "c"}),
            END,
        ],
        [
            ("remove_action", {"id": "b"}),
            ("action", {"id": "b", "label": "x"}),
            ("remove_element", {"id": "f"}),
            ("element", {"id": "f", "name": "report.md"}),
            ("remove_action", {"id": "c"}),
            END,
        ],
    ),
    "a whole exchange, after a pause for its user": (
        [START, ("new_message", step("a")), END, ("task_start", {"goes_on": True})],
        [("new_message", step("a")), START],
    ),
    "panel, pickers and commands as they were sent last": (
        [("set_modes", [1]), ("set_modes", [2]), ("chat_settings", []), START, END],
        [("set_modes", [2]), ("chat_settings", []), END],
    ),
    "no toast": (
        [START, ("toast", {"message": "x"}), ("window_message", "websearch:on"), END],
        [END],
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_replay(name: str) -> None:
    """All is sent as it comes; again the newest exchange, and whether it goes on."""
    events, again = CASES[name]
    sent: list[tuple[str, Any]] = []

    async def emit(event: str, data: Any) -> None:
        sent.append((event, data))

    mirror = Mirror(emit)
    for event in events:
        await mirror(*event)
    assert sent == events
    sent.clear()

    await mirror.replay()

    assert sent == again
