"""The choices of a session: its settings panel, its pickers, its typed commands."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

import chainlit as cl
from chainlit.input_widget import InputWidget, RadioGroup, Select, Switch
from chainlit.mode import Mode as Picker

from agent import FollowUpMode, Mode, Session
from ui.panel.pickers import ANY, How, picked, pickers
from ui.panel.preferences import Preferences, kept
from ui.server.settings import EvidenceMode
from ui.texts import text

NO_READING: Final = "reading_none"  # the operator has switched reading off
COMMANDS: Final[Mapping[str, str]] = {  # listed where "/" is typed, with their icons
    "search on": "globe",
    "search off": "globe-lock",
    "report": "scroll-text",
    "doctor": "stethoscope",
}


class Panel:
    """
    Draws panel and pickers, and applies to the session what is chosen in them.

    Whichever was used, both are drawn again: they show the same.
    """

    def __init__(self, session: Session, language: str, evidence: EvidenceMode) -> None:
        self.evidence = evidence
        self._session = session
        self._language = language
        self._asks_report = False  # with the next question

    @property
    def how(self) -> How:
        """How the next question is answered."""
        if self._asks_report:
            return How.REPORT
        if self._session.state.mode is Mode.AGENT:
            return How.AGENT
        return How.QUICK if self._session.state.search else How.OFFLINE

    async def restore(self, environ: Mapping[str, Any]) -> None:
        """Apply the choices that the browser has kept, and show them."""
        if chosen := kept(environ):
            # A switch that never was in Chat mode is off there.
            is_on = chosen.get("mode") != Mode.AGENT
            self._apply(self._changed({"search": is_on, **chosen}))
        await self.open()

    async def open(self) -> None:
        """Send panel, pickers and commands with the values of the session."""
        await cl.ChatSettings([*self._widgets()]).send()
        await cl.context.emitter.set_modes(self._pickers)
        commands: list[Any] = [
            {
                "id": name,
                "icon": icon,
                "description": self._text(f"command_{name.replace(' ', '_')}"),
            }
            for name, icon in COMMANDS.items()
        ]
        await cl.context.emitter.set_commands(commands)

    async def take(self, sent: Mapping[str, Any]) -> str:
        """Apply the values of the panel; returns in words what has changed."""
        before, way = self._in_words(), self.how
        if sent.get("mode", self._session.state.mode) == Mode.AGENT:
            # The switch is locked there: this press came too late.
            sent = {name: sent[name] for name in sent if name != "search"}
        chosen = self._changed(sent)
        is_same = (chosen.mode, chosen.search) == (
            self._chosen.mode,
            self._chosen.search,
        )
        self._asks_report = way is How.REPORT and is_same
        await self._take(chosen)
        now = self._in_words().items()
        changed = [words for name, words in now if before.get(name, words) != words]
        return self._text("evidence_and").join(changed)

    async def pick(self, sent: Mapping[str, Any], *, is_kept: bool = True) -> None:
        """Apply what is picked in the composer; *sent* is untrusted."""
        offered = self._pickers
        options = picked(sent, offered)
        shown = {
            picker.id: option.id
            for picker in offered
            if (option := picker.get_default_option())
        }
        if options and options.items() <= shown.items():
            return
        how = How((shown | options)["how"])
        self._asks_report = how is How.REPORT
        changes: dict[str, Any] = {**options}
        if "time" in options:
            changes["time_range"] = options["time"].removeprefix(ANY)
        if how is not How.REPORT:
            changes["mode"] = Mode.AGENT if how is How.AGENT else Mode.CHAT
        if how in {How.QUICK, How.OFFLINE}:
            changes["search"] = how is How.QUICK
        await self._take(self._changed(changes), is_kept=is_kept)

    async def follow(self, message: cl.Message) -> None:
        """Apply what the composer showed with *message*, or what its starter needs."""
        if message.command in {*How}:
            await self.pick({"how": message.command}, is_kept=False)
        elif message.modes:
            await self.pick(message.modes)

    async def switch(self, *, on: bool) -> None:
        """Set the search switch by a command; Chat mode only."""
        self._asks_report = False
        await self._take(replace(self._chosen, mode=Mode.CHAT, search=on))

    async def begin_report(self) -> None:
        """Return to the way of answering that was chosen before the report."""
        if self._asks_report:
            self._asks_report = False
            await self.open()

    def state(self) -> str:
        """The state of search in words."""
        if self._session.state.mode is Mode.AGENT:
            return self._text(self._locked)
        name = "search_on" if self._session.is_search_on else "search_off"
        return self._text(name)

    @property
    def _locked(self) -> str:
        can_search = self._session.can_search(self._session.agent.id)
        return "search_locked" if can_search else "search_none"

    @property
    def _chosen(self) -> Preferences:
        return Preferences.of(self._session, self.evidence)

    @property
    def _pickers(self) -> list[Picker]:
        return [*pickers(self.how, self._chosen, self._session, self._language)]

    def _changed(self, sent: Mapping[str, Any]) -> Preferences:
        """What holds, with the values of *sent*; the first model is the default."""
        changed = self._chosen.changed(sent, self._session)
        is_default = changed.model in self._session.models[:1]
        return replace(changed, model="") if is_default else changed

    def _apply(self, chosen: Preferences) -> None:
        chosen.apply(self._session)
        self.evidence = chosen.evidence

    async def _take(self, chosen: Preferences, *, is_kept: bool = True) -> None:
        self._apply(chosen)
        await self.open()
        if is_kept:
            await self._chosen.keep()

    def _widgets(self) -> Iterator[InputWidget]:
        """The panel from top to bottom."""
        session, chosen = self._session, self._chosen
        is_agent = chosen.mode is Mode.AGENT
        yield RadioGroup(
            id="mode",
            label=self._text("mode"),
            items={
                self._text("chat_mode"): Mode.CHAT.value,
                self._text("agent_mode"): Mode.AGENT.value,
            },
            initial_value=chosen.mode.value,
        )
        if is_agent and len(session.agents) > 1:
            names = [agent.name for agent in session.agents]
            agents = {  # the id is added to names that occur twice
                name if names.count(name) == 1 else f"{name} ({agent.id})": agent.id
                for name, agent in zip(names, session.agents, strict=True)
            }
            yield self._select("agent", "agent", agents, chosen.agent)
        # In Agent mode the model decides itself when to search.
        yield Switch(
            id=self._locked if is_agent else "search",
            label=self._text("search_label"),
            initial=chosen.search and not is_agent,
            disabled=is_agent,
            description=self._text(self._locked if is_agent else "search_description"),
        )
        can_read = session.can_read
        name = "reading_description" if can_read else "reading_unavailable"
        yield Switch(
            id="reading" if can_read else NO_READING,
            label=self._text("reading_label"),
            initial=chosen.reading and can_read,
            disabled=not can_read,
            description=self._text(name),
        )
        kinds = {
            self._text(f"evidence_{kind}"): kind for kind in get_args(EvidenceMode)
        }
        yield self._select("evidence", "evidence_label", kinds, chosen.evidence)
        ways = {self._text(f"follow_ups_{way}"): way for way in get_args(FollowUpMode)}
        yield self._select("follow_ups", "follow_ups_label", ways, chosen.follow_ups)
        if len(session.models) > 1:  # the first is the default
            models = {name: name for name in session.models}
            yield self._select("model", "model", models, session.model)

    def _in_words(self) -> dict[str, str]:
        """What each part of the panel says, by its id."""
        words = {}
        for widget in self._widgets():
            match widget:
                case Switch(initial=is_on):
                    said = self._text("is_on" if is_on else "is_off")
                case (
                    RadioGroup(items=items, initial_value=value)
                    | Select(items=items, initial_value=value)
                ):
                    said = next(name for name, one in items.items() if one == value)
            words[widget.id] = f"{widget.label} {said}"
        return words

    def _select(
        self, name: str, label: str, items: Mapping[str, str], initial: str
    ) -> Select:
        return Select(
            id=name, label=self._text(label), items={**items}, initial_value=initial
        )

    def _text(self, name: str) -> str:
        return text(name, self._language)
