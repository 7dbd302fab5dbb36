"""The settings panel: mode and search switch, in step with the session."""

from collections.abc import Mapping
from typing import Any, Final

import chainlit as cl
from chainlit.input_widget import RadioGroup, Switch

from agent import Mode, Session
from ui.texts import text

MODE: Final = "mode"
SEARCH: Final = "search"
# In Agent mode the switch bears another id: so what the browser sends tells which form
# the user has before him, also after a cancel, which tells the server nothing.
LOCKED: Final = "search_locked"


class Panel:
    """What the open panel shows, and what its confirmation makes of it."""

    def __init__(self, session: Session, language: str) -> None:
        self._session = session
        self._language = language
        self._draft = session.wants_search

    async def open(self) -> None:
        """Send panel and composer button as the session has them."""
        self._draft = self._session.wants_search
        await self._widgets(self._session.mode).send()
        await self._show_button()

    async def _changed(self) -> None:
        await self.open()
        if not self._session.is_search_on:
            # For public/page.js: Chainlit can press the button, but not release it.
            await cl.send_window_message("websearch:off")

    async def edit(self, sent: Mapping[str, Any]) -> None:
        """Follow a change inside the open panel; nothing is committed."""
        mode, shape = self._read(sent)
        if mode is not shape:
            await self._widgets(mode).refresh()

    async def commit(self, sent: Mapping[str, Any]) -> None:
        """Take what the user confirmed."""
        mode, _ = self._read(sent)
        self._session.choose(mode, search=self._draft)
        await self._changed()

    async def switch(self, *, on: bool) -> None:
        """Take the switch from a command or the composer button; Chat mode only."""
        self._session.choose(Mode.CHAT, search=on)
        await self._changed()

    def state(self) -> str:
        """The state in words."""
        if self._session.mode is Mode.AGENT:
            return text("search_locked", self._language)
        name = "search_on" if self._session.is_search_on else "search_off"
        return text(name, self._language)

    def _read(self, sent: Mapping[str, Any]) -> tuple[Mode, Mode]:
        """Mode chosen and form shown; what the panel can't send is left out."""
        chosen: Any = sent.get(MODE)
        is_known = isinstance(chosen, str) and chosen in {*Mode}
        mode = Mode(chosen) if is_known else self._session.mode
        if SEARCH not in sent:
            return mode, Mode.AGENT
        if isinstance(sent[SEARCH], bool):
            self._draft = sent[SEARCH]
        return mode, Mode.CHAT

    def _widgets(self, mode: Mode) -> cl.ChatSettings:
        is_agent = mode is Mode.AGENT
        names = {
            text("chat_mode", self._language): Mode.CHAT.value,
            text("agent_mode", self._language): Mode.AGENT.value,
        }
        description = "search_locked" if is_agent else "search_description"
        return cl.ChatSettings(
            [
                RadioGroup(
                    id=MODE,
                    label=text("mode", self._language),
                    items=names,
                    initial_value=mode.value,
                ),
                Switch(
                    id=LOCKED if is_agent else SEARCH,
                    label=text("search_label", self._language),
                    initial=self._draft and not is_agent,
                    disabled=is_agent,
                    description=text(description, self._language),
                ),
            ]
        )

    async def _show_button(self) -> None:
        """One click in the composer; in Agent mode there is nothing to click."""
        button: dict[str, Any] = {
            "id": text("search", self._language),
            "icon": "globe",
            "description": text("search_description", self._language),
            "button": True,
            "persistent": True,
            "selected": self._session.is_search_on,
        }
        shown = [] if self._session.mode is Mode.AGENT else [button]
        await cl.context.emitter.set_commands(shown)  # type: ignore[arg-type]  # a TypedDict
