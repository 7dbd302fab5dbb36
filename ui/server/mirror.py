"""
The newest exchange as a page should show it, sent again when its line comes back.

Chainlit drops what it sends while a page is away, and nobody knows which of the last
pieces arrived: a page that is back gets the newest steps and messages whole.
"""

from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

from chainlit.session import WebsocketSession

Emit = Callable[[str, Any], Awaitable[Any]]


class Mirror:
    """Sends the events of a session, and keeps what the newest exchange shows."""

    def __init__(self, emit: Emit) -> None:
        self.emit = emit
        self._steps: dict[str, dict[str, Any]] = {}
        # Evidence of citations, buttons and files; None where they were removed.
        self._extras: dict[tuple[str, str], Any] = {}
        # Panel, pickers and commands as they were sent last.
        self._controls: dict[str, Any] = {}
        self._is_busy = False

    def __call__(self, event: str, data: Any) -> Awaitable[Any]:
        """Note an event, and send it; between the two nothing else may be sent."""
        match event, data:
            case "task_start", _:
                if not data.get("goes_on") and not self._is_busy:
                    self._steps.clear()
                    self._extras.clear()
                self._is_busy = True
            case "task_end", _:
                self._is_busy = False
            case "chat_settings" | "set_modes" | "set_commands", _:
                self._controls[event] = data
            case (
                ("new_message" | "update_message" | "stream_start"),
                {"id": str(key)},
            ):
                self._steps[key] = {**data}
            case "stream_token", {"id": str(key), "token": str(token)}:
                step = self._steps.get(key, {})
                field = "input" if data.get("isInput") else "output"
                before = "" if data.get("isSequence") else step.get(field) or ""
                step[field] = before + token
            case "delete_message", {"id": str(key)}:
                self._steps[key] = {"id": key, "is_deleted": True}
            case "window_message", {"id": str(key), "type": str(kind)}:
                self._extras[event, f"{kind} {key}"] = data
            case (("action" | "element"), {"id": str(key)}):
                self._extras[event, key] = data
            case (("remove_action" | "remove_element"), {"id": str(key)}):
                self._extras[event.removeprefix("remove_"), key] = None
        return self.emit(event, data)

    async def replay(self) -> None:
        """Send the newest exchange again, to a page that may have missed some of it."""
        for step in [*self._steps.values()]:
            is_deleted = "is_deleted" in step
            await self.emit("delete_message" if is_deleted else "new_message", {**step})
        for (event, key), extra in [*self._extras.items()]:
            if event != "window_message":  # the page would show it twice
                await self.emit(f"remove_{event}", {"id": key})
            if extra is not None:
                await self.emit(event, extra)
        for event, data in [*self._controls.items()]:
            await self.emit(event, data)
        await self.emit("task_start" if self._is_busy else "task_end", {})


_mirrors: WeakKeyDictionary[WebsocketSession, Mirror] = WeakKeyDictionary()


def mirrored(session: WebsocketSession) -> None:
    """Let a session that has just connected, or again, send through its mirror."""
    emit: Any = session.emit  # Chainlit's annotation forgets that it is awaited
    mirror = _mirrors.setdefault(session, Mirror(emit))
    mirror.emit = emit
    vars(session)["emit"] = mirror


async def replay(session: WebsocketSession) -> None:
    """Send the newest exchange of a session again."""
    await _mirrors[session].replay()
