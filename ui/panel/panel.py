"""The settings panel: mode, agent, switches and model of a session."""

from collections.abc import Mapping
from typing import Any, Final, get_args

import chainlit as cl
from chainlit.input_widget import InputWidget, RadioGroup, Select, Switch

from agent import FollowUpMode, Mode, Session
from ui.panel.preferences import keep
from ui.server.settings import EvidenceMode
from ui.texts import text

MODE: Final = "mode"
SEARCH: Final = "search"
AGENT: Final = "agent"
MODEL: Final = "model"
READING: Final = "reading"
EVIDENCE: Final = "evidence"
FOLLOW_UPS: Final = "follow_ups"
# In Agent mode the switch has another id, so that the values from the browser show
# which form is open. The server is not told when the user cancels the panel.
LOCKED: Final = "search_locked"
NO_SEARCH: Final = "search_none"
NO_READING: Final = "reading_none"  # the operator has switched reading off


class Panel:
    """Draws the panel, and applies confirmed values to the session."""

    def __init__(
        self, session: Session, language: str, evidence: EvidenceMode = "sentence"
    ) -> None:
        self.evidence = evidence
        self._session = session
        self._language = language
        self._draft = session.wants_search
        self._reading = session.wants_reading
        self._evidence = evidence
        self._follow_ups = session.follow_ups
        self._agent = session.agent.id
        self._model = session.model

    async def open(self) -> None:
        """Send the panel and the search button with the values of the session."""
        self._draft = self._session.wants_search
        self._reading = self._session.wants_reading
        self._evidence = self.evidence
        self._follow_ups = self._session.follow_ups
        self._agent = self._session.agent.id
        self._model = self._session.model
        await self._widgets(self._session.mode).send()
        await self.show_buttons()

    async def _changed(self) -> None:
        await self.open()
        await keep(self._session, self.evidence)
        # For public/page.js: Chainlit can press the button, but not release it.
        state = "on" if self._session.is_search_on else "off"
        await cl.send_window_message(f"websearch:{state}")

    async def edit(self, sent: Mapping[str, Any]) -> None:
        """Redraw the open panel after a change; the session stays as it is."""
        agent = self._agent
        mode, form = self._read(sent)
        if mode is not form or self._agent != agent:
            await self._widgets(mode).refresh()

    async def commit(self, sent: Mapping[str, Any]) -> None:
        """Apply the confirmed values."""
        mode, _ = self._read(sent)
        self._session.choose(
            mode,
            search=self._draft,
            reading=self._reading,
            agent=self._agent,
            model=self._model,
            follow_ups=self._follow_ups,
        )
        self.evidence = self._evidence
        await self._changed()

    async def switch(self, *, on: bool) -> None:
        """Set the search switch by a command or the search button; Chat mode only."""
        self._session.choose(Mode.CHAT, search=on)
        await self._changed()

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

    def _read(self, sent: Mapping[str, Any]) -> tuple[Mode, Mode]:
        """The chosen mode and the mode of the open form; invalid values are ignored."""
        name: Any = sent.get(MODE)
        is_known = isinstance(name, str) and name in {*Mode}
        mode = Mode(name) if is_known else self._session.mode
        agent: Any = sent.get(AGENT)
        if isinstance(agent, str) and agent in {one.id for one in self._session.agents}:
            self._agent = agent
        model: Any = sent.get(MODEL)
        if isinstance(model, str) and model in self._session.models:
            # '' is the default model, which may change later.
            self._model = "" if model == self._session.models[0] else model
        if isinstance(sent.get(READING), bool):
            self._reading = sent[READING]
        modes: tuple[EvidenceMode, ...] = get_args(EvidenceMode)
        chosen: Any = sent.get(EVIDENCE)
        self._evidence = next((m for m in modes if m == chosen), self._evidence)
        ways: tuple[FollowUpMode, ...] = get_args(FollowUpMode)
        way: Any = sent.get(FOLLOW_UPS)
        self._follow_ups = next((w for w in ways if w == way), self._follow_ups)
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
        description, switch = "search_description", SEARCH
        if is_agent:
            description = self._locked(self._agent)
            switch = LOCKED if description == "search_locked" else NO_SEARCH
        widgets: list[InputWidget] = [
            RadioGroup(
                id=MODE,
                label=text("mode", self._language),
                items=names,
                initial_value=mode.value,
            ),
            *([self._agents()] if is_agent and len(self._session.agents) > 1 else []),
            Switch(
                id=switch,
                label=text("search_label", self._language),
                initial=self._draft and not is_agent,
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
            id=READING if can_read else NO_READING,
            label=text("reading_label", self._language),
            initial=self._reading and can_read,
            disabled=not can_read,
            description=text(name, self._language),
        )

    def _evidence_choice(self) -> Select:
        """The choice between missing values and sentences, sentences, and neither."""
        modes: tuple[EvidenceMode, ...] = get_args(EvidenceMode)
        return Select(
            id=EVIDENCE,
            label=text("evidence_label", self._language),
            items={text(f"evidence_{m}", self._language): m for m in modes},
            initial_value=self._evidence,
        )

    def _follow_up_choice(self) -> Select:
        """The choice how follow-up questions are searched; only Chat mode has it."""
        ways: tuple[FollowUpMode, ...] = get_args(FollowUpMode)
        offered = [w for w in ways if w != "model" or self._session.models]
        chosen = self._follow_ups if self._follow_ups in offered else "rule"
        return Select(
            id=FOLLOW_UPS,
            label=text("follow_ups_label", self._language),
            items={text(f"follow_ups_{w}", self._language): w for w in offered},
            initial_value=chosen,
        )

    def _agents(self) -> Select:
        """The list of agents; the id is added to names that occur twice."""
        names = [one.name for one in self._session.agents]
        items = {
            one.name if names.count(one.name) == 1 else f"{one.name} ({one.id})": one.id
            for one in self._session.agents
        }
        return Select(
            id=AGENT,
            label=text("agent", self._language),
            items=items,
            initial_value=self._agent,
        )

    def _models(self) -> Select:
        """The list of models; the first is the default."""
        names = self._session.models
        return Select(
            id=MODEL,
            label=text("model", self._language),
            values=[*names],
            initial_value=self._model if self._model in names else names[0],
        )

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
