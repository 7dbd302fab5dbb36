"""Part the text of a model into its words, its thoughts and its tool calls."""

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import regex

# A call is held back until it is complete; those of a search are never this long.
_LONGEST: Final = 20_000
_MOST_BEHIND: Final = 200  # characters: the ends of code blocks and tags are shorter
TAKES_BACK: Final = "takes_back"  # the name of it in chunks and messages
_LINE_START: Final = 16  # characters, enough to see the fence of a code block

_SPACE = r"\s{0,20}+"
_LINE = r"(?<=\n)[ \t]{0,8}+"
_FENCE = rf"(?:(?:`{{3,9}}|~{{3,9}})[ \t]?+[\w-]{{0,20}}+{_SPACE})"
_TAG = (
    rf"(?:<(?:tool_calls?|tools|function_call|\|python_tag\|)>|\[TOOL_CALLS\]){_SPACE}"
)
_COLON = rf"{_SPACE}:{_SPACE}"
# What begins an object that may be a call; the name of its tool may come later.
_OBJECT = (
    rf'\{{{{1,2}}+{_SPACE}(?:"name"{_COLON}%s|"type"{_COLON}"function"'
    rf'|"function"{_COLON}(?:\{{|%s)|"(?:arguments|parameters)"{_COLON}[{{"])'
)
_THINKS: Final = r"(?<=\n)\s{0,8}+<(?P<ends>/)?think>"
_TAGGED: Final = rf"(?:{_LINE}{_FENCE})?+(?P<tag>{_TAG}){_FENCE}?+\[?+{_SPACE}"
_BARE: Final = rf"{_LINE}{_FENCE}{{0,3}}+\[?+{_SPACE}"
_THOUGHT: Final = regex.compile("</think>")
# Half a call: behind a tag, with its arguments in front, or with the start of a name.
_BEGUN: Final = regex.compile(
    rf'{_TAG}|\A[^"]*+"(?:arguments|parameters)"{_COLON}[{{"]'
)
_NAMED: Final = regex.compile(rf'"(?:name|function)"{_COLON}(?:"([\w-]*+)|\Z)')

_json = json.JSONDecoder(strict=False)


@dataclass(slots=True)
class Parts:
    """
    What a piece of text has added; *calls* are fragments as a server sends them.

    Where it *takes_back*, all words before it were thoughts.
    """

    words: str = ""
    thought: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    takes_back: bool = False


class TextParts:
    """
    Parts one message of a model, while it comes.

    A server without a parser for them leaves thoughts between `<think>` and `</think>`
    (some templates write the first tag themselves, so that the second comes alone),
    and calls of *tools* as JSON: bare, in a code block, or in a template's tags. Text
    is held back only while it may still become a call, and half a call is never passed
    on. Words behind a call are dropped: small models go on with results of their own,
    and where there are many of them the message *is_over*.
    """

    def __init__(self, tools: Collection[str] = ()) -> None:
        self.has_half_call = self.is_over = False
        self._tools = frozenset(tools)
        self._first, self._next = _patterns(self._tools)
        self._held = ""
        self._waits = False  # for the end of an object
        self._line = ""  # the start of the line that the words have reached
        self._has_words = self._has_called = False
        self._is_thinking = self._has_thought = self._is_code = False
        self._behind = 0  # characters behind the last call

    def feed(self, text: str) -> Parts:
        """Take in the next piece of the text."""
        parts = Parts()
        self._held += text
        if self._waits and "}" not in text and len(self._held) <= _LONGEST:
            return parts  # nothing to parse again
        while self._held:
            if not self._is_thinking:
                if self._read(parts):
                    continue
                break
            end = _THOUGHT.search(self._held, partial=True)
            start = end.start() if end else len(self._held)
            parts.thought += self._held[:start]
            if end is None or end.partial:
                self._held = self._held[start:]
                break
            self._is_thinking, self._held = False, self._held[end.end() :]
        return parts

    def close(self) -> Parts:
        """Pass on what was held back, at the end of the text."""
        parts, held = Parts(), self._held
        self._held = ""
        if self._is_thinking:
            parts.thought = held
        elif not self._is_half(held):
            self._write(held, parts)
        elif not self._has_called:
            # Small models forget the last brace.
            source = held[max(held.find("{"), 0) : held.rfind("}") + 1] + "}"
            try:
                call, _ = _parsed(source)
            except (ValueError, RecursionError):
                call = {}
            self.has_half_call = not self._call(call, parts, is_tagged=True)
        return parts

    def _read(self, parts: Parts) -> bool:
        """Read words and calls; False where more text has to come first."""
        if not self._has_words and self._held.isspace():
            return False
        # The sign in front tells if the text begins a line or goes on with one.
        text = ("." if self._line else "\n") + self._held
        pattern = self._next if self._has_called else self._first
        head = pattern.search(text, 1, partial=True)
        start = head.start() if head else len(text)
        self._write(text[1:start], parts)
        self._held = text[start:]
        if head is None or head.partial:
            return False
        if head["call"] is None:
            self._held = text[head.end() :]
            if self._is_code:  # an example
                self._write(head[0], parts)
                return True
            if head["ends"] and not self._has_thought and not self._has_called:
                parts.thought, parts.words = parts.words + parts.thought, ""
                parts.takes_back, self._has_words, self._line = True, False, ""
            self._is_thinking, self._has_thought = not head["ends"], True
            return True
        source = text[head.start("call") :]
        self._waits = False
        call: dict[str, Any] = {}
        try:
            call, rest = _parsed(source)
        except (ValueError, RecursionError) as error:
            if len(source) <= _LONGEST and isinstance(error, ValueError):
                self._waits = True
                return False
            rest = source[_LONGEST:]
        if not self._call(call, parts, is_tagged=bool(head.groupdict().get("tag"))):
            given = head[0] if call else text[head.start() : len(text) - len(rest)]
            if call or not self._is_half(given):  # other JSON
                self._write(given, parts)
                self._held = text[head.start() + len(given) :]
                return True
            self.has_half_call = not self._has_called
        self._has_called, self._held, self._behind = True, rest, 0
        return True

    def _is_half(self, text: str) -> bool:
        """Tell if *text*, which is no whole call, has begun to be one."""
        if not self._tools:
            return False
        names = (match[1] or "" for match in _NAMED.finditer(text))
        return bool(_BEGUN.search(text)) or any(
            tool.startswith(name) for name in names for tool in self._tools
        )

    def _write(self, words: str, parts: Parts) -> None:
        """Add *words* to the text, where no call stands before them."""
        if self._has_called:
            self._behind += len(words.strip())
            self.is_over = self._behind > _MOST_BEHIND
        if self._has_called or not words:
            return
        self._has_words = True
        parts.words += words
        *lines, line = (self._line + words).split("\n")
        fences = sum(one.lstrip().startswith(("```", "~~~")) for one in lines)
        self._is_code ^= bool(fences % 2)
        self._line = line[:_LINE_START]

    def _call(self, call: Any, parts: Parts, *, is_tagged: bool) -> bool:
        """Take *call*, and tell if it is one; between tags it is, of any tool."""
        inner = call.get("function")
        call = call | (
            inner if isinstance(inner, dict) else {"name": inner or call.get("name")}
        )
        name, arguments = (
            call.get("name"),
            call.get("arguments", call.get("parameters")),
        )
        if not isinstance(name, str) or not (is_tagged or name in self._tools):
            return False
        function = {"name": name, "arguments": arguments}
        parts.calls.append({"index": "text", "function": function})
        return True


def _parsed(source: str) -> tuple[dict[str, Any], str]:
    """The object that *source* begins with, and the rest."""
    if source.startswith("{{"):  # as in the template
        source = source.replace("{{", "{").replace("}}", "}")
    call, end = _json.raw_decode(source[:_LONGEST])
    return call, source[end:]


@cache
def _patterns(tools: frozenset[str]) -> tuple[Any, Any]:
    """Patterns of what begins thoughts or a first call, and of a further call."""
    if not tools:
        thinks = regex.compile(rf"{_THINKS}(?P<call>(?!))?")
        return thinks, thinks
    names = "|".join(map(regex.escape, sorted(tools)))
    named = _OBJECT.replace("%s", f'"(?:{names})"')
    tagged = _OBJECT.replace("%s", '"')
    bare = rf"{_BARE}(?P<call>{named})"
    first = regex.compile("|".join([_THINKS, rf"{_TAGGED}(?P<call>{tagged})", bare]))
    return first, regex.compile(rf"(?P<call>{named})")
