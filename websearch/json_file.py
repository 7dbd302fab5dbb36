"""JSON files that people write: read whole or in part, every mistake told by name."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeAlias

from websearch.address import without_credentials
from websearch.json_words import Words

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Place: TypeAlias = tuple[str | int, ...]

_MAX_BYTES: Final = 1_000_000
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


@dataclass(frozen=True, slots=True)
class JsonFile:
    """What a file holds, less what is wrong in it; nothing where there is none."""

    data: Mapping[str, Any]
    mistakes: tuple[Mistake, ...] = ()
    is_there: bool = True


def read(path: Path, schema: Path) -> JsonFile:
    """Read the file at *path*, and leave out what is not as *schema* says."""
    try:
        raw = _bytes(path)
    except FileNotFoundError:
        return JsonFile({}, is_there=False)
    except OSError as error:
        kind = Words.of("unread", kind=type(error).__name__)
        return _unreadable(path.name, kind, Words.of("a_file"))
    if len(raw) > _MAX_BYTES:
        most = Words.of("at_most", bytes=_MAX_BYTES)
        return _unreadable(path.name, Words.of("large"), most)
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        return _unreadable(path.name, Words.of("no_text"), Words.of("utf8"))
    except json.JSONDecodeError as error:
        where = Words.of("no_json_from", line=error.lineno, column=error.colno)
        return _unreadable(path.name, where, Words.of("plain_json"))
    except (ValueError, RecursionError):
        return _unreadable(path.name, Words.of("no_json"), Words.of("ordinary"))
    return _checked(data, path.name, schema)


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


def _checked(data: Any, file: str, schema: Path) -> JsonFile:
    """Leave out what is wrong; what is incomplete without it goes the same way."""
    mistakes: list[Mistake] = []
    while wrong := _wrong(data, schema):
        mistakes += [told for one in wrong for told in _told(one, file)]
        if len(mistakes) > _MAX_MISTAKES:
            wanted = Words.of("as_in", schema=schema.name)
            return _unreadable(file, Words.of("full"), wanted)
        if not all(_places(one) for one in wrong):
            return JsonFile({}, tuple(mistakes))
        # From the end, so that places before it stay what they are.
        for place in sorted({p for one in wrong for p in _places(one)}, key=_order)[
            ::-1
        ]:
            _remove(data, place)
    return JsonFile(data, tuple(mistakes))


def _wrong(data: Any, schema: Path) -> list[_Wrong]:
    errors: Iterable[Any] = _validator(schema).iter_errors(data)
    return [
        _Wrong(tuple(e.absolute_path), e.instance, e.validator, e.schema)
        for e in islice(errors, _MAX_MISTAKES)
    ]


def _told(wrong: _Wrong, file: str) -> list[Mistake]:
    """One mistake for each unknown name, else one."""
    path, schema = _dotted(wrong.place), wrong.schema
    match wrong.rule:
        case "additionalProperties":
            known = ", ".join(n for n in schema["properties"] if n != "$schema")
            unknown, wanted = Words.of("unknown"), Words.of("names", names=known)
            places = [_dotted(place) for place in _places(wrong)]
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
    del data[place[-1]]


def _dotted(place: Iterable[str | int]) -> str:
    parts = (f"[{s}]" if isinstance(s, int) else f".{s[:60]}" for s in place)
    return "".join(parts).removeprefix(".")


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
    shown = without_credentials(value)[:80]
    return Words.same(json.dumps(shown, ensure_ascii=False))


def _unreadable(file: str, shown: Words, wanted: Words) -> JsonFile:
    return JsonFile({}, (Mistake(file, "", shown, wanted),))


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MAX_BYTES + 1)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


@cache
def _validator(schema: Path) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415  only where a file is

    return Draft202012Validator(schema_at(schema))
