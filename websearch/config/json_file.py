"""Read files that were written by hand; an error never repeats what is in them."""

import json
import re
import stat
from pathlib import Path
from typing import Any, Final, NoReturn

_MAX_BYTES: Final = 1_000_000


class UnreadableFileError(Exception):
    """A file that can't be read at all; the message says what was expected."""


def read_json(path: Path) -> Any:
    """
    Read a JSON file that was written by hand.

    Raises FileNotFoundError where there is none, and UnreadableFileError.
    """
    try:
        return json.loads(
            read_text(path),
            parse_constant=_no_constant,
            object_pairs_hook=_without_duplicates,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        message = f"JSON without comments or trailing commas; see {place}"
        raise UnreadableFileError(message) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError("JSON of ordinary numbers and depth") from error


def plain_name(name: str) -> str:
    """Return an unknown name if it looks misspelt; else `…`, as it may be a key."""
    return name if re.fullmatch("[A-Za-z_]{1,24}", name) else "…"


def remove(data: Any, path: tuple[int | str, ...]) -> None:
    """Remove the entry at *path*."""
    *above, name = path
    for step in above:
        data = data[step]
    del data[name]


def read_text(path: Path) -> str:
    """
    Read a text file of at most a megabyte.

    Raises FileNotFoundError where there is none, and UnreadableFileError.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would block the start
            raise IsADirectoryError
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not path.is_symlink():
            raise
        message = f"a file that can be read, {type(error).__name__}"
        raise UnreadableFileError(message) from error
    if len(raw) > _MAX_BYTES:
        raise UnreadableFileError(f"at most {_MAX_BYTES} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFileError("a text file in UTF-8") from error


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject duplicate keys: JSON does not define which one is used."""
    known: dict[str, Any] = {}
    for name, value in pairs:
        if name in known:
            raise UnreadableFileError(
                f"each name once; {plain_name(name)} is there twice"
            )
        known[name] = value
    return known


def _no_constant(_name: str) -> NoReturn:
    raise ValueError("NaN and Infinity are no JSON")
