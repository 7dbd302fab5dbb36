"""Assign the fragments of a stream to tool calls, even if their labels are wrong."""

import json
import logging
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

# Calls of one answer; further ones are dropped.
MOST_CALLS: Final = 256
# Each closing brace parses the arguments again; those of a search are never this long.
_LONGEST: Final = 20_000
_MOST_EXTRA: Final = 200_000  # characters of one answer: signatures take some thousands

SPECIFIED: Final = frozenset({"index", "id", "type", "function"})

_json = json.JSONDecoder(strict=False)  # accepts bare newlines, as LangChain does

logger = logging.getLogger(__name__)


class ToolCallRepair:
    """
    Repair of one stream: each tool call gets its own index, id and name.

    Some servers send no index (Ollama), or 0 for each call; no ids, or a second id in
    the middle (Poolside); the name in every fragment (llama.cpp), or several calls as
    one (GPT-5.4). So the call of a fragment is found by its id, then by its index, and
    a call whose arguments are a complete object takes no more.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._extra_left = _MOST_EXTRA
        # Unspecified fields (Gemini's signature), by the id of their call.
        self.extra: dict[str, dict[str, Any]] = {}

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
        fixed: list[dict[str, Any]] = []
        for part in fragments if isinstance(fragments, list) else ():
            if not isinstance(part, dict):
                continue
            function = part.get("function")
            function = function if isinstance(function, dict) else {}
            index = part.get("index")
            index = index if isinstance(index, int | str) else None
            given_id, name = _text(part.get("id")), _text(function.get("name"))
            text = _text(function.get("arguments"))
            same_index = [c for c in self._calls if index is None or c.index == index]
            same_id = [
                call
                for call in self._calls
                if given_id and call.given_id == given_id
                if index is None or call.index in (None, index)
            ]
            call = next(reversed(same_id or same_index), None)
            if (given_id or name or text) and (
                call is None or call.ends(given_id, name, text)
            ):
                call = self._open(index, given_id, name or (call.name if call else ""))
            if call is not None:
                call.name = call.name or name
                self._keep_extra(call.id, part)
            while call is not None:
                taken, text = call.append(text)
                fixed += filter(None, [call.fragment(taken)])
                call = self._open(index, "", call.name) if text else None
        return fixed

    def _open(self, index: object, given_id: str, name: str) -> "_Call | None":
        number = len(self._calls)
        if number >= MOST_CALLS:
            return None
        if number == MOST_CALLS - 1:
            logger.warning("An answer has %s tool calls; no more are taken", MOST_CALLS)
        # Results are matched by id: a missing or repeated one is replaced.
        is_free = given_id and all(call.given_id != given_id for call in self._calls)
        own_id = given_id if is_free else f"call_{uuid4().hex}"
        self._calls.append(_Call(number, index, own_id, given_id, name))
        return self._calls[-1]

    def _keep_extra(self, own_id: str, part: dict[str, Any]) -> None:
        """Keep unspecified fields of a fragment, except huge and invalid ones."""
        known = self.extra.get(own_id, {})
        for name in part.keys() - SPECIFIED - known.keys():
            try:
                size = len(name) + len(json.dumps(part[name], allow_nan=False))
            except (ValueError, RecursionError):
                continue
            if part[name] is not None and size <= self._extra_left:
                self._extra_left -= size
                self.extra.setdefault(own_id, {})[name] = part[name]


@dataclass(slots=True)
class _Call:
    number: int
    index: object  # as sent by the server
    id: str
    given_id: str  # as sent by the server
    name: str
    text: str = ""
    is_complete: bool = False
    sent: set[str] = field(default_factory=set)  # of the fields that are sent once

    def ends(self, given_id: str, name: str, text: str) -> bool:
        """Tell if a fragment with these fields begins another call."""
        is_other_id = bool(given_id and self.given_id and given_id != self.given_id)
        is_other_name = bool(name and self.name and name != self.name)
        is_next = self.is_complete and (is_other_id or bool(self.start_of_next(text)))
        return is_other_name or is_next or (is_other_id and bool(name))

    def append(self, text: str) -> tuple[str, str]:
        """Split *text*: the part of this call, and the start of the next one."""
        if self.is_complete:
            return "", self.start_of_next(text)
        if len(self.text) > _LONGEST:
            return "", ""  # too long for a search, and treated as cut
        before, self.text = self.text, self.text + text
        start = len(self.text) - len(self.text.lstrip())
        is_object = self.text.startswith("{", start) and len(self.text) <= _LONGEST
        if "}" not in text or not is_object:
            return text, ""
        try:
            _, end = _json.raw_decode(self.text, start)
        except (ValueError, RecursionError):  # it is incomplete
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

    def fragment(self, text: str) -> dict[str, Any] | None:
        """Return a correct fragment, with id and name once; None if it says nothing."""
        known = {"id": self.id, "name": self.name}
        new = {k: v for k, v in known.items() if v and k not in self.sent}
        self.sent |= new.keys()
        if not (text or new):
            return None
        function = {"name": new.get("name"), "arguments": text}
        return {"index": self.number, "id": new.get("id"), "function": function}


def _text(value: object) -> str:
    """Return text, also of arguments that are sent as an object."""
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) else ""
