"""Assign the fragments of a stream to tool calls, even if their labels are wrong."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

# Calls of one answer; further ones are dropped.
MOST_CALLS: Final = 256
# Each closing brace parses the arguments again; those of a search are never this long.
_LONGEST: Final = 20_000
_MOST_EXTRA: Final = 200_000  # characters of one answer: signatures take some thousands

_SPECIFIED: Final = {"index", "id", "type", "function"}
_ANY: Final = object()

_json = json.JSONDecoder(strict=False)  # accepts bare newlines, as LangChain does

logger = logging.getLogger(__name__)


class ToolCallRepair:
    """
    Repair of one stream: each tool call gets its own index, id and name.

    Some servers send no index (Ollama), or 0 for each call; no ids, or a second id in
    the middle (Poolside); the name in every fragment (llama.cpp), or several calls as
    one (GPT-5.4). So the call of a fragment is found by its id, then by its index, and
    a call whose arguments are a complete object takes no more.
    Fields outside the specification (Gemini's signature) are passed on once, as JSON.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        # The latest call with an id and an index; `_ANY` matches all.
        self._latest: dict[tuple[object, object], _Call] = {}
        self._extra_left = _MOST_EXTRA
        self._is_full = False

    @property
    def is_complete(self) -> bool:
        """Tell if there are calls, and the arguments of all are complete."""
        return bool(self._calls) and not self.incomplete

    @property
    def incomplete(self) -> list[str]:
        """Return arguments that are incomplete so far, or too long to check."""
        return [call.text for call in self._calls if not call.is_complete]

    def repair(self, fragments: object) -> list[dict[str, Any]]:
        """The *fragments* of one chunk with correct index, id and name."""
        if not isinstance(fragments, list):
            return []
        return [fixed for part in fragments for fixed in self._repair(part)]

    def _repair(self, part: object) -> Iterator[dict[str, Any]]:
        fragment = _mapping(part)
        function = _mapping(fragment.get("function"))
        index, given_id = fragment.get("index"), fragment.get("id")
        name = function.get("name")
        index = index if isinstance(index, int | str) else None
        given_id = given_id if isinstance(given_id, str) else ""
        name = name if isinstance(name, str) else ""
        text = _arguments(function.get("arguments"))
        if given_id or name or text:
            call = self._call_of(index, given_id, name, text)
        else:
            call = self._find(index, given_id)
        if call is not None:
            call.extra |= self._extra_of(call, fragment)
        while call is not None:
            taken, text = call.append(text)
            if taken or call.unsent or call.extra:
                yield call.fragment(taken)
            call = self._open(index, "", call.name) if text else None

    def _call_of(
        self, index: object, given_id: str, name: str, text: str
    ) -> "_Call | None":
        call = self._find(index, given_id)
        if call is None:
            return self._open(index, given_id, name)
        is_other_id = bool(given_id and call.given_id and given_id != call.given_id)
        is_other_name = bool(name and call.name and name != call.name)
        is_next = call.is_complete and (is_other_id or bool(call.start_of_next(text)))
        if is_other_name or is_next or (is_other_id and name):
            return self._open(index, given_id, name or call.name)
        if name and not call.name:
            call.name = call.unsent["name"] = name
        return call

    def _find(self, index: object, given_id: str) -> "_Call | None":
        """The latest call with this id, else with this index."""
        latest, any_index = self._latest.get, _ANY if index is None else index
        if given_id:
            same_id = latest((given_id, any_index)), latest((given_id, None))
            if calls := [call for call in same_id if call is not None]:
                return max(calls, key=lambda call: call.number)
        return latest((_ANY, any_index))

    def _open(self, index: object, given_id: str, name: str) -> "_Call | None":
        if len(self._calls) >= MOST_CALLS:
            if not self._is_full:
                logger.warning("An answer has more than %s tool calls", MOST_CALLS)
            self._is_full = True
            return None
        # Results are matched by id: a missing or repeated one is replaced.
        is_free = given_id and (given_id, _ANY) not in self._latest
        unsent = {"id": given_id if is_free else f"call_{uuid4().hex}"}
        if name:
            unsent["name"] = name
        call = _Call(len(self._calls), unsent["id"], given_id, name, unsent=unsent)
        self._calls.append(call)
        for key in (given_id, index), (given_id, _ANY), (_ANY, index), (_ANY, _ANY):
            self._latest[key] = call
        return call

    def _extra_of(self, call: "_Call", fragment: dict[str, Any]) -> dict[str, str]:
        """Unspecified fields that *call* did not have before, as JSON."""
        extra = {}
        for name in fragment.keys() - _SPECIFIED - call.extra_names:
            try:
                text = json.dumps(fragment[name], allow_nan=False)
            except (ValueError, RecursionError):
                continue
            size = len(name) + len(text)
            if text != "null" and size <= self._extra_left:
                self._extra_left -= size
                call.extra_names.add(name)
                extra[name] = text
        return extra


@dataclass(slots=True)
class _Call:
    number: int
    id: str
    given_id: str  # as sent by the server
    name: str
    text: str = ""
    is_complete: bool = False
    unsent: dict[str, str] = field(default_factory=dict)
    extra: dict[str, str] = field(default_factory=dict)  # also not sent yet
    extra_names: set[str] = field(default_factory=set)

    def append(self, text: str) -> tuple[str, str]:
        """Split *text*: the part of this call, and the start of the next one."""
        if self.is_complete:
            return "", self.start_of_next(text)
        if len(self.text) > _LONGEST:
            return "", ""  # too long for a search, and treated as cut
        before, self.text = self.text, self.text + text
        end = _end_of_object(self.text) if "}" in text else None
        if end is None:
            return text, ""
        rest = self.text[end:]
        self.text = self.text[:end]
        if not before and not _json.decode(self.text):
            # Some proxies start with an empty object, which means no arguments yet.
            self.text = ""
            return self.append(rest) if rest else ("", "")
        self.is_complete = True
        return self.text[len(before) :], self.start_of_next(rest)

    def start_of_next(self, text: str) -> str:
        """*text* if it starts another call; '' if it repeats this one."""
        text = text.strip()
        return text if text.startswith("{") and text != self.text.strip() else ""

    def fragment(self, text: str) -> dict[str, Any]:
        """A correct fragment: always with the index, with other fields once."""
        unsent, self.unsent = self.unsent, {}
        extra, self.extra = self.extra, {}
        function = {"name": unsent.get("name"), "arguments": text}
        fixed = {"index": self.number, "id": unsent.get("id"), "function": function}
        return {**fixed, "extra": {self.id: extra}} if extra else fixed


def _end_of_object(text: str) -> int | None:
    """The end of the JSON object at the start of *text*; None if it is incomplete."""
    start = len(text) - len(text.lstrip())
    if len(text) > _LONGEST or not text.startswith("{", start):
        return None
    try:
        return _json.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def _arguments(value: object) -> str:
    """Arguments as text; some servers send an object."""
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
