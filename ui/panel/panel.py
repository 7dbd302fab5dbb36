"""The settings panel: mode, agent, switches and model of a session."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

import chainlit as cl
from chainlit.input_widget import InputWidget, RadioGroup, Select, Switch

from agent import FollowUpMode, Mode, Session
from ui.panel.preferences import Preferences, kept
from ui.server.settings import EvidenceMode
from ui.texts import text

NO_READING: Final = "reading_none"  # the operator has switched reading off


class Panel:
    """
    Draws the panel, and applies confirmed values to the session.

    The server is not told when the user cancels, so it keeps nothing of an open panel:
    in Agent mode the id of the locked switch tells how it stood in Chat mode.
    """

    def __init__(self, session: Session, language: str, evidence: EvidenceMode) -> None:
        self.evidence = evidence
        self._session = session
        self._language = language

    async def restore(self, environ: Mapping[str, Any]) -> None:
        """Apply the choices that the browser has kept, and show the panel."""
        self._apply(self._changed(kept(environ)))
        await self.open()

    async def open(self) -> None:
        """Send the panel and the search button with the values of the session."""
        await cl.ChatSettings([*self._widgets(self._chosen)]).send()
        await self.show_buttons()

    async def edit(self, sent: Mapping[str, Any]) -> None:
        """Redraw the open panel where it has to look otherwise after a change."""
        widgets = [*self._widgets(self._changed(sent))]
        if not {widget.id for widget in widgets} <= sent.keys():
            await cl.ChatSettings(widgets).refresh()

    async def commit(self, sent: Mapping[str, Any]) -> None:
        """Apply the confirmed values."""
        await self._take(self._changed(sent))

    async def switch(self, *, on: bool) -> None:
        """Set the search switch by a command or the search button; Chat mode only."""
        await self._take(replace(self._chosen, mode=Mode.CHAT, search=on))

    def state(self) -> str:
        """The state of search in words."""
        if self._session.state.mode is Mode.AGENT:
            return self._text(self._locked(self._session.agent.id))
        name = "search_on" if self._session.is_search_on else "search_off"
        return self._text(name)

    def confirmation(self) -> str:
        """The confirmed choice in words; reading is named where it is off."""
        parts = [self.state()]
        if self._session.state.mode is Mode.AGENT and len(self._session.agents) > 1:
            parts = [self._session.agent.name, *parts]
        if self._session.can_read and not self._session.state.reading:
            parts.append(self._text("reading_off"))
        return " · ".join(parts)

    def _locked(self, agent: str) -> str:
        return "search_locked" if self._session.can_search(agent) else "no_search"

    @property
    def _chosen(self) -> Preferences:
        return Preferences.of(self._session, self.evidence)

    def _changed(self, sent: Mapping[str, Any]) -> Preferences:
        """What holds, with the values of *sent*; the first model is the default."""
        for name in sent:
            if name.startswith(("search_locked", "search_none")):
                sent = {"search": name.endswith("_on"), **sent}
                break
        changed = self._chosen.changed(sent, self._session)
        is_default = changed.model in self._session.models[:1]
        return replace(changed, model="") if is_default else changed

    def _apply(self, chosen: Preferences) -> None:
        chosen.apply(self._session)
        self.evidence = chosen.evidence

    async def _take(self, chosen: Preferences) -> None:
        self._apply(chosen)
        await self.open()
        await self._chosen.keep()
        # For public/page.js: Chainlit can press the button, but not release it.
        state = "on" if self._session.is_search_on else "off"
        await cl.send_window_message(f"websearch:{state}")

    def _widgets(self, draft: Preferences) -> Iterator[InputWidget]:
        """The panel from top to bottom, with the values of *draft*."""
        session = self._session
        is_agent = draft.mode is Mode.AGENT
        yield RadioGroup(
            id="mode",
            label=self._text("mode"),
            items={
                self._text("chat_mode"): Mode.CHAT.value,
                self._text("agent_mode"): Mode.AGENT.value,
            },
            initial_value=draft.mode.value,
        )
        if is_agent and len(session.agents) > 1:
            names = [agent.name for agent in session.agents]
            agents = {  # the id is added to names that occur twice
                name if names.count(name) == 1 else f"{name} ({agent.id})": agent.id
                for name, agent in zip(names, session.agents, strict=True)
            }
            yield self._select("agent", "agent", agents, draft.agent)
        description, switch = "search_description", "search"
        if is_agent:  # decides itself when to search
            description = self._locked(draft.agent)
            switch = "search_none" if description == "no_search" else description
            switch += "_on" if draft.search else "_off"
        yield Switch(
            id=switch,
            label=self._text("search_label"),
            initial=draft.search and not is_agent,
            disabled=is_agent,
            description=self._text(description),
        )
        can_read = session.can_read
        name = "reading_description" if can_read else "reading_unavailable"
        yield Switch(
            id="reading" if can_read else NO_READING,
            label=self._text("reading_label"),
            initial=draft.reading and can_read,
            disabled=not can_read,
            description=self._text(name),
        )
        kinds = {
            self._text(f"evidence_{kind}"): kind for kind in get_args(EvidenceMode)
        }
        yield self._select("evidence", "evidence_label", kinds, draft.evidence)
        ways = {self._text(f"follow_ups_{way}"): way for way in get_args(FollowUpMode)}
        yield self._select("follow_ups", "follow_ups_label", ways, draft.follow_ups)
        if len(session.models) > 1:  # the first is the default
            model = draft.model if draft.model in session.models else session.models[0]
            yield self._select(
                "model", "model", {name: name for name in session.models}, model
            )

    def _select(
        self, name: str, label: str, items: Mapping[str, str], initial: str
    ) -> Select:
        return Select(
            id=name, label=self._text(label), items={**items}, initial_value=initial
        )

    def _text(self, name: str) -> str:
        return text(name, self._language)

    async def show_buttons(self) -> None:
        """Show the buttons below the input; Agent mode has none for search."""
        search: dict[str, Any] = {
            "id": self._text("search"),
            "icon": "globe",
            "description": self._text("search_description"),
            "button": True,
            "persistent": True,
            "selected": self._session.is_search_on,
        }
        report: dict[str, Any] = {
            "id": self._text("report"),
            "icon": "scroll-text",
            "description": self._text("report_description"),
            "button": True,
        }
        shown = [report] if self._session.state.mode is Mode.AGENT else [search, report]
        await cl.context.emitter.set_commands(shown)  # type: ignore[arg-type]  # a TypedDict
