"""JSON files that people write: read whole or in part, every mistake told by name."""

import json
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from websearch.config.json_check import Mistake, checked, plain_name
from websearch.config.json_words import Words

_MAX_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class JsonFile:
    """What a file holds, less what is wrong in it; nothing where there is none."""

    data: Mapping[str, Any]
    mistakes: tuple[Mistake, ...] = ()


def read(path: Path, schema: Path) -> JsonFile:
    """Read the file at *path*, and leave out what is not as *schema* says."""
    try:
        data = json.loads(
            _text(path), parse_constant=_no_constant, object_pairs_hook=_no_twins
        )
    except FileNotFoundError:
        return JsonFile({})
    except _UnreadableError as error:
        return _unreadable(path, error.shown, error.wanted)
    except json.JSONDecodeError as error:
        where = Words.of("no_json_from", line=error.lineno, column=error.colno)
        return _unreadable(path, where, Words.of("plain_json"))
    except (ValueError, RecursionError):
        return _unreadable(path, Words.of("no_json"), Words.of("ordinary"))
    return JsonFile(*checked(data, path.name, schema))


class _UnreadableError(Exception):
    """Nothing can be taken of a file: what it is, and what is wanted."""

    def __init__(self, shown: Words, wanted: Words) -> None:
        super().__init__()
        self.shown, self.wanted = shown, wanted


def _unreadable(path: Path, shown: Words, wanted: Words) -> JsonFile:
    return JsonFile({}, (Mistake(path.name, "", shown, wanted),))


def _text(path: Path) -> str:
    try:
        raw = _bytes(path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not path.is_symlink():
            raise
        kind = Words.of("unread", kind=type(error).__name__)
        raise _UnreadableError(kind, Words.of("a_file")) from error
    if len(raw) > _MAX_BYTES:
        most = Words.of("at_most", bytes=_MAX_BYTES)
        raise _UnreadableError(Words.of("large"), most)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _UnreadableError(Words.of("no_text"), Words.of("utf8")) from error


def _bytes(path: Path) -> bytes:
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe would block the start
        raise IsADirectoryError
    with path.open("rb") as file:
        return file.read(_MAX_BYTES + 1)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a name that stands twice nobody knows which is meant."""
    known: dict[str, Any] = {}
    for name, value in pairs:
        if name in known:
            twice = Words.of("twice", member=plain_name(name))
            raise _UnreadableError(twice, Words.of("once"))
        known[name] = value
    return known


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
