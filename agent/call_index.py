"""Which tool call a fragment of a stream belongs to, whatever the server says."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

# Each closing brace has the arguments read again; those of a search are never so long.
_LONGEST: Final = 20_000

_json = json.JSONDecoder()


class CallIndex:
    """
    Gives each tool call of one stream an index, an id and a name of its own.

    Servers number no call (Ollama), or each with 0; they give no ids, or a second one
    in the middle (Poolside); they repeat the name in every fragment (llama.cpp), or
    send several calls as one (GPT-5.4). So a fragment's call is looked for by its id,
    then by its index, and a call whose arguments are a whole object takes no more.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []

    @property
    def is_whole(self) -> bool:
        """Whether there are calls, and none of them was cut."""
        return bool(self._calls) and all(call.is_whole for call in self._calls)

    def mend(self, fragments: object) -> list[dict[str, Any]]:
        """The *fragments* of one chunk, as they should have been sent."""
        if not isinstance(fragments, list):
            return []
        return [mended for part in fragments for mended in self._mend(part)]

    def _mend(self, part: object) -> Iterator[dict[str, Any]]:
        said = _mapping(part)
        function = _mapping(said.get("function"))
        index, given, name = said.get("index"), said.get("id"), function.get("name")
        given = given if isinstance(given, str) else ""
        name = name if isinstance(name, str) else ""
        text = _arguments(function.get("arguments"))
        if not (given or name or text):
            return
        call = self._call_of(index, given, name, text)
        while True:
            taken, text = call.take(text)
            if taken or call.untold:
                yield call.fragment(taken)
            if not text:
                return
            call = self._open(index, "", call.name)

    def _call_of(self, index: object, given: str, name: str, text: str) -> "_Call":
        call = self._known(index, given)
        if call is None:
            return self._open(index, given, name)
        is_other_id = bool(given and call.given and given != call.given)
        is_other_name = bool(name and call.name and name != call.name)
        is_next = call.is_whole and (is_other_id or bool(call.beyond(text)))
        if is_other_name or is_next or (is_other_id and name):
            return self._open(index, given, name or call.name)
        if name and not call.name:
            call.name = call.untold["name"] = name
        return call

    def _known(self, index: object, given: str) -> "_Call | None":
        latest = self._calls[::-1]
        for call in latest if given else ():
            is_its_index = None in (index, call.index) or index == call.index
            if call.given == given and is_its_index:
                return call
        return next((c for c in latest if index is None or c.index == index), None)

    def _open(self, index: object, given: str, name: str) -> "_Call":
        # Answers are matched by id: without one, or with one for two, they cannot be.
        is_free = given and all(call.given != given for call in self._calls)
        told = {"id": given if is_free else f"call_{uuid4().hex}"}
        if name:
            told["name"] = name
        call = _Call(len(self._calls), index, given, name, untold=told)
        self._calls.append(call)
        return call


@dataclass(slots=True)
class _Call:
    number: int
    index: object  # as the server gave it
    given: str  # its id, as the server gave it
    name: str
    text: str = ""
    is_whole: bool = False
    untold: dict[str, str] = field(default_factory=dict)

    def take(self, text: str) -> tuple[str, str]:
        """The part of *text* that is of this call, and what begins another one."""
        if self.is_whole:
            return "", self.beyond(text)
        before, self.text = self.text, self.text + text
        end = _end_of_object(self.text) if "}" in text else None
        if end is None:
            return text, ""
        rest = self.text[end:]
        self.text = self.text[:end]
        if not before and not _json.decode(self.text):
            # Proxies begin calls with an empty object; no arguments mean the same.
            self.text = ""
            return self.take(rest) if rest else ("", "")
        self.is_whole = True
        return self.text[len(before) :], self.beyond(rest)

    def beyond(self, text: str) -> str:
        """*text* where it begins another call, and does not say this one again."""
        text = text.strip()
        return text if text.startswith("{") and text != self.text.strip() else ""

    def fragment(self, text: str) -> dict[str, Any]:
        """As it should have been sent: always the index, id and name once."""
        told, self.untold = self.untold, {}
        function = {"name": told.get("name"), "arguments": text}
        return {"index": self.number, "id": told.get("id"), "function": function}


def _end_of_object(text: str) -> int | None:
    """Where the object that *text* begins with ends, if it does."""
    start = len(text) - len(text.lstrip())
    if len(text) > _LONGEST or not text.startswith("{", start):
        return None
    try:
        return _json.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def _arguments(said: object) -> str:
    """Arguments as text: there are servers that send the object itself."""
    if isinstance(said, dict):
        return json.dumps(said, ensure_ascii=False)
    return said if isinstance(said, str) else ""


def _mapping(said: object) -> dict[str, Any]:
    return said if isinstance(said, dict) else {}
