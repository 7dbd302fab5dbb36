"""Which tool call a fragment of a stream belongs to, whatever the server says."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

# Of one answer: what is beyond is left out.
MOST_CALLS: Final = 256
# Each closing brace has the arguments read again; those of a search are never so long.
_LONGEST: Final = 20_000
_MOST_EXTRA: Final = 200_000  # characters of one answer: signatures take some thousands

_SPECIFIED: Final = {"index", "id", "type", "function"}
_ANY: Final = object()

_json = json.JSONDecoder(strict=False)  # as LangChain reads them: with bare newlines

logger = logging.getLogger(__name__)


class CallIndex:
    """
    Gives each tool call of one stream an index, an id and a name of its own.

    Servers number no call (Ollama), or each with 0; they give no ids, or a second one
    in the middle (Poolside); they repeat the name in every fragment (llama.cpp), or
    send several calls as one (GPT-5.4). So a fragment's call is looked for by its id,
    then by its index, and a call whose arguments are a whole object takes no more.
    Fields of a call that are not specified (Gemini signs calls so) come once, as JSON.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        # The latest call of an id and an index; `_ANY` stands for whichever.
        self._latest: dict[tuple[object, object], _Call] = {}
        self._room = _MOST_EXTRA
        self._is_full = False

    @property
    def is_whole(self) -> bool:
        """Whether there are calls, and none of them was cut."""
        return bool(self._calls) and not self.unended

    @property
    def unended(self) -> list[str]:
        """Arguments so far that are no whole object, or too long to look."""
        return [call.text for call in self._calls if not call.is_whole]

    def mend(self, fragments: object) -> list[dict[str, Any]]:
        """The *fragments* of one chunk, as they should have been sent."""
        if not isinstance(fragments, list):
            return []
        return [mended for part in fragments for mended in self._mend(part)]

    def _mend(self, part: object) -> Iterator[dict[str, Any]]:
        said = _mapping(part)
        function = _mapping(said.get("function"))
        index, given, name = said.get("index"), said.get("id"), function.get("name")
        index = index if isinstance(index, int | str) else None
        given = given if isinstance(given, str) else ""
        name = name if isinstance(name, str) else ""
        text = _arguments(function.get("arguments"))
        if given or name or text:
            call = self._call_of(index, given, name, text)
        else:
            call = self._known(index, given)
        if call is not None:
            call.extra |= self._extra_of(call, said)
        while call is not None:
            taken, text = call.take(text)
            if taken or call.untold or call.extra:
                yield call.fragment(taken)
            call = self._open(index, "", call.name) if text else None

    def _call_of(
        self, index: object, given: str, name: str, text: str
    ) -> "_Call | None":
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
        latest, its_index = self._latest.get, _ANY if index is None else index
        if given:
            named = latest((given, its_index)), latest((given, None))
            if calls := [call for call in named if call is not None]:
                return max(calls, key=lambda call: call.number)
        return latest((_ANY, its_index))

    def _open(self, index: object, given: str, name: str) -> "_Call | None":
        if len(self._calls) >= MOST_CALLS:
            if not self._is_full:
                logger.warning("An answer has more than %s tool calls", MOST_CALLS)
            self._is_full = True
            return None
        # Answers are matched by id: without one, or with one for two, they cannot be.
        is_free = given and (given, _ANY) not in self._latest
        told = {"id": given if is_free else f"call_{uuid4().hex}"}
        if name:
            told["name"] = name
        call = _Call(len(self._calls), told["id"], given, name, untold=told)
        self._calls.append(call)
        for key in (given, index), (given, _ANY), (_ANY, index), (_ANY, _ANY):
            self._latest[key] = call
        return call

    def _extra_of(self, call: "_Call", said: dict[str, Any]) -> dict[str, str]:
        """The fields that *call* is said to have for the first time, as JSON."""
        extra = {}
        for name in said.keys() - _SPECIFIED - call.known:
            try:
                text = json.dumps(said[name], allow_nan=False)
            except (ValueError, RecursionError):
                continue
            size = len(name) + len(text)
            if text != "null" and size <= self._room:
                self._room -= size
                call.known.add(name)
                extra[name] = text
        return extra


@dataclass(slots=True)
class _Call:
    number: int
    id: str
    given: str  # its id, as the server gave it
    name: str
    text: str = ""
    is_whole: bool = False
    untold: dict[str, str] = field(default_factory=dict)
    extra: dict[str, str] = field(default_factory=dict)  # untold as well
    known: set[str] = field(default_factory=set)

    def take(self, text: str) -> tuple[str, str]:
        """The part of *text* that is of this call, and what begins another one."""
        if self.is_whole:
            return "", self.beyond(text)
        if len(self.text) > _LONGEST:
            return "", ""  # no search: that it does not end is all that counts
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
        """As it should have been sent: always the index, the others once."""
        told, self.untold = self.untold, {}
        extra, self.extra = self.extra, {}
        function = {"name": told.get("name"), "arguments": text}
        made = {"index": self.number, "id": told.get("id"), "function": function}
        return {**made, "extra": {self.id: extra}} if extra else made


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
