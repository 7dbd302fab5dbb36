"""The settings panel: mode, agent, switches and model of a session."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, get_args

import chainlit as cl
from chainlit.input_widget import InputWidget, RadioGroup, Select, Switch

from agent import FollowUpMode, Mode, Session
from ui.panel.preferences import Preferences, kept
from ui.server.settings import EvidenceMode
from ui.texts import text

# In Agent mode the switch has another id than `search`, so that the values from the
# browser show which form is open. The server is not told when the user cancels.
LOCKED: Final = "search_locked"
NO_SEARCH: Final = "search_none"
NO_READING: Final = "reading_none"  # the operator has switched reading off


class Panel:
    """Draws the panel, and applies confirmed values to the session."""

    def __init__(self, session: Session, language: str, evidence: EvidenceMode) -> None:
        self.evidence = evidence
        self._session = session
        self._language = language
        self._draft = Preferences.of(session, evidence)

    async def restore(self, environ: Mapping[str, Any]) -> None:
        """Apply the choices that the browser has kept, and show the panel."""
        self._draft = self._chosen
        self._apply(self._changed(kept(environ)))
        await self.open()

    async def open(self) -> None:
        """Send the panel and the search button with the values of the session."""
        self._draft = self._chosen
        await self._widgets().send()
        await self.show_buttons()

    async def edit(self, sent: Mapping[str, Any]) -> None:
        """Redraw the open panel after a change; the session stays as it is."""
        form = Mode.CHAT if "search" in sent else Mode.AGENT
        before, self._draft = self._draft, self._changed(sent)
        if self._draft.mode is not form or self._draft.agent != before.agent:
            await self._widgets().refresh()

    async def commit(self, sent: Mapping[str, Any]) -> None:
        """Apply the confirmed values."""
        await self._take(self._changed(sent))

    async def switch(self, *, on: bool) -> None:
        """Set the search switch by a command or the search button; Chat mode only."""
        await self._take(replace(self._chosen, mode=Mode.CHAT, search=on))

    def state(self) -> str:
        """The state of search in words."""
        if self._session.mode is Mode.AGENT:
            return text(self._locked(self._session.agent.id), self._language)
        name = "search_on" if self._session.is_search_on else "search_off"
        return text(name, self._language)

    def confirmation(self) -> str:
        """The confirmed choice in words; reading is named where it is off."""
        parts = [self.state()]
        if self._session.mode is Mode.AGENT and len(self._session.agents) > 1:
            parts = [self._session.agent.name, *parts]
        if self._session.can_read and not self._session.wants_reading:
            parts.append(text("reading_off", self._language))
        return " · ".join(parts)

    def _locked(self, agent: str) -> str:
        return "search_locked" if self._session.can_search(agent) else "no_search"

    @property
    def _chosen(self) -> Preferences:
        return Preferences.of(self._session, self.evidence)

    def _changed(self, sent: Mapping[str, Any]) -> Preferences:
        """The draft with the values of *sent*; its first model is the default."""
        changed = self._draft.changed(sent, self._session)
        is_default = changed.model in self._session.models[:1]
        return replace(changed, model="") if is_default else changed

    def _apply(self, chosen: Preferences) -> None:
        chosen.apply(self._session)
        self.evidence = chosen.evidence

    async def _take(self, chosen: Preferences) -> None:
        self._apply(chosen)
        await self.open()
        await self._draft.keep()
        # For public/page.js: Chainlit can press the button, but not release it.
        state = "on" if self._session.is_search_on else "off"
        await cl.send_window_message(f"websearch:{state}")

    def _widgets(self) -> cl.ChatSettings:
        mode, is_agent = self._draft.mode, self._draft.mode is Mode.AGENT
        description, switch = "search_description", "search"
        if is_agent:
            description = self._locked(self._draft.agent)
            switch = LOCKED if description == "search_locked" else NO_SEARCH
        modes = {
            text("chat_mode", self._language): Mode.CHAT.value,
            text("agent_mode", self._language): Mode.AGENT.value,
        }
        widgets: list[InputWidget] = [
            RadioGroup(
                id="mode",
                label=text("mode", self._language),
                items=modes,
                initial_value=mode.value,
            ),
            *([self._agents()] if is_agent and len(self._session.agents) > 1 else []),
            Switch(
                id=switch,
                label=text("search_label", self._language),
                initial=self._draft.search and not is_agent,
                disabled=is_agent,
                description=text(description, self._language),
            ),
            self._reading_switch(),
            self._evidence_choice(),
            *([] if is_agent else [self._follow_up_choice()]),
            *([self._models()] if len(self._session.models) > 1 else []),
        ]
        return cl.ChatSettings(widgets)

    def _reading_switch(self) -> Switch:
        """The switch for reading pages, of both modes."""
        can_read = self._session.can_read
        name = "reading_description" if can_read else "reading_unavailable"
        return Switch(
            id="reading" if can_read else NO_READING,
            label=text("reading_label", self._language),
            initial=self._draft.reading and can_read,
            disabled=not can_read,
            description=text(name, self._language),
        )

    def _evidence_choice(self) -> Select:
        """The choice between missing values and sentences, sentences, and neither."""
        items = {self._word("evidence", m): m for m in get_args(EvidenceMode)}
        return self._select("evidence", "evidence_label", items, self._draft.evidence)

    def _follow_up_choice(self) -> Select:
        """The choice how follow-up questions are searched; only Chat mode has it."""
        items = {self._word("follow_ups", way): way for way in get_args(FollowUpMode)}
        chosen = self._draft.follow_ups
        return self._select("follow_ups", "follow_ups_label", items, chosen)

    def _agents(self) -> Select:
        """The list of agents; the id is added to names that occur twice."""
        names = [one.name for one in self._session.agents]
        items = {
            one.name if names.count(one.name) == 1 else f"{one.name} ({one.id})": one.id
            for one in self._session.agents
        }
        return self._select("agent", "agent", items, self._draft.agent)

    def _models(self) -> Select:
        """The list of models; the first is the default."""
        names, chosen = self._session.models, self._draft.model
        initial = chosen if chosen in names else names[0]
        return self._select("model", "model", {name: name for name in names}, initial)

    def _select(
        self, name: str, label: str, items: Mapping[str, str], initial: str
    ) -> Select:
        return Select(
            id=name,
            label=text(label, self._language),
            items={**items},
            initial_value=initial,
        )

    def _word(self, kind: str, choice: str) -> str:
        return text(f"{kind}_{choice}", self._language)

    async def show_buttons(self) -> None:
        """Show the buttons below the input; Agent mode has none for search."""
        search: dict[str, Any] = {
            "id": text("search", self._language),
            "icon": "globe",
            "description": text("search_description", self._language),
            "button": True,
            "persistent": True,
            "selected": self._session.is_search_on,
        }
        report: dict[str, Any] = {
            "id": text("report", self._language),
            "icon": "scroll-text",
            "description": text("report_description", self._language),
            "button": True,
        }
        shown = [report] if self._session.mode is Mode.AGENT else [search, report]
        await cl.context.emitter.set_commands(shown)  # type: ignore[arg-type]  # a TypedDict
