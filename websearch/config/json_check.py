"""Check what a JSON file holds against its schema, and leave out what is wrong."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from websearch.config.address import without_credentials
from websearch.config.json_words import Words

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Place: TypeAlias = tuple[str | int, ...]

_MAX_MISTAKES: Final = 50
_LOGGED: Final = "en-US"


class Mistake(NamedTuple):
    """What is wrong in a file: where, what stands there, and what should."""

    file: str
    path: str  # such as tools.webSearch.maxResults; '' for the file as a whole
    shown: Words
    expected: Words

    @property
    def place(self) -> str:
        """File and path, as a message names them."""
        return f"{self.file}: {self.path}" if self.path else self.file

    @property
    def facts(self) -> dict[str, object]:
        """What its advice tells."""
        return {"place": self.place, "value": self.shown, "expected": self.expected}

    def __str__(self) -> str:
        """The mistake as a sentence for the log."""
        shown, wanted = self.shown[_LOGGED], self.expected[_LOGGED]
        return f"{self.place} is {shown}; expected: {wanted}"


class Entries(list[Any]):
    """A list whose entries know their *places* in the file."""

    def __init__(self, entries: Iterable[Any]) -> None:
        super().__init__(entries)
        self.places = [*range(len(self))]


def _tracked(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _tracked(value) for name, value in data.items()}
    return Entries(map(_tracked, data)) if isinstance(data, list) else data


@cache
def schema_at(path: Path) -> Mapping[str, Any]:
    """A schema that is shipped with the program."""
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


class _Wrong(NamedTuple):
    """A place that is not as its schema says, and the rule that it breaks."""

    place: Place
    value: Any
    rule: str
    schema: Mapping[str, Any]


def checked(data: Any, file: str, schema: Path) -> tuple[Any, tuple[Mistake, ...]]:
    """
    *data* of a *file* without what is wrong, which is told.

    What is incomplete without it goes the same way; of what is wrong as a whole, or
    all over, nothing is left.
    """
    data, mistakes = _tracked(data), list[Mistake]()
    while wrong := _wrong(data, schema):
        for one in wrong:
            path = _path_of(data, one.place)
            mistakes += _told(one, file, path) if not _is_told(mistakes, path) else []
        if len(mistakes) > _MAX_MISTAKES:
            wanted = Words.of("as_in", schema=schema.name)
            return {}, (Mistake(file, "", Words.of("full"), wanted),)
        if not all(_places(one) for one in wrong):
            return {}, tuple(mistakes)
        # From the end, so that places before it stay what they are.
        places = {place for one in wrong for place in _places(one)}
        for place in sorted(places, key=_order, reverse=True):
            _remove(data, place)
    return data, tuple(mistakes)


def _wrong(data: Any, schema: Path) -> list[_Wrong]:
    errors: Iterable[Any] = _validator(schema).iter_errors(data)
    return [
        _Wrong(tuple(e.absolute_path), e.instance, e.validator, e.schema)
        for e in islice(errors, _MAX_MISTAKES)
    ]


def _is_told(mistakes: Sequence[Mistake], path: str) -> bool:
    """Whether what is missing there was taken away for a mistake of its own."""
    return any(mistake.path.startswith(f"{path}.") for mistake in mistakes)


def _told(wrong: _Wrong, file: str, path: str) -> list[Mistake]:
    """One mistake for each unknown name, else one."""
    schema = wrong.schema
    match wrong.rule:
        case "additionalProperties":
            known = ", ".join(n for n in schema["properties"] if n != "$schema")
            unknown, wanted = Words.of("unknown"), Words.of("names", names=known)
            names = [plain_name(str(place[-1])) for place in _places(wrong)]
            places = [f"{path}.{name}".removeprefix(".") for name in names]
            return [Mistake(file, place, unknown, wanted) for place in places]
        case "required":
            wanted = Words.of("with_names", names=", ".join(schema["required"]))
            return [Mistake(file, path, Words.of("incomplete"), wanted)]
        case _:
            return [Mistake(file, path, _shown(wrong), expected(schema))]


def _places(wrong: _Wrong) -> list[Place]:
    """What has to go; nothing can where the whole is wrong."""
    if wrong.rule == "additionalProperties":
        known = wrong.schema["properties"]
        return [(*wrong.place, name) for name in wrong.value if name not in known]
    return [wrong.place] if wrong.place else []


def _order(place: Place) -> list[tuple[int, str]]:
    return [(s, "") if isinstance(s, int) else (0, s) for s in place]


def _remove(data: Any, place: Place) -> None:
    for step in place[:-1]:
        data = data[step]
    if isinstance(data, Entries):
        del data.places[int(place[-1])]
    del data[place[-1]]


def _path_of(data: Any, place: Place) -> str:
    """A place as a message names it, with the positions that the file has."""
    path = ""
    for step in place:
        is_list = isinstance(data, Entries)
        path += f"[{data.places[int(step)]}]" if is_list else f".{step}"
        data = data[step]
    return path.removeprefix(".")


def plain_name(name: str) -> str:
    """An unknown name, where it can be a slip of the pen, and not a key."""
    return name if re.fullmatch("[A-Za-z]{1,24}", name) else "\u2026"


def expected(schema: Mapping[str, Any]) -> Words:
    """What a schema wants, in words."""
    if "x-expected" in schema:
        return Words(schema["x-expected"])
    words = Words.of(schema.get("type", "object"))
    if "minimum" in schema and "maximum" in schema:
        least, most = schema["minimum"], schema["maximum"]
        return Words.of("range", words=words, minimum=least, maximum=most)
    return words


def _shown(wrong: _Wrong) -> Words:
    """What stands there; only its kind where it can be a secret, or is large."""
    value, schema = wrong.value, wrong.schema
    if isinstance(value, dict | list):
        return Words.of("object" if isinstance(value, dict) else "array")
    # A key may stand in the place of an object, too.
    if schema.get("writeOnly") or schema.get("type") in {"object", "array"}:
        return Words.of("secret")
    if not isinstance(value, str):
        return Words.same(json.dumps(value)[:80])
    if schema.get("type") != "string":
        return Words.of("string")
    shown = without_credentials(value)[:80]
    return Words.same(json.dumps(shown, ensure_ascii=False))


@cache
def _validator(schema: Path) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415  only where a file is

    return Draft202012Validator(schema_at(schema))
