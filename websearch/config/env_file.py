"""Change lines of .env, and leave all the others as they are."""

import io
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic_settings import BaseSettings

from websearch.config.files import UnreadableFileError, read_text

ENV_FILE: Final = Path(".env")
_PLAIN: Final = re.compile(r"[\w.:/@+=,-]*", re.ASCII)


class NotWrittenError(Exception):
    """The file can't be changed; nothing of it is lost."""


def change_env_file(values: Mapping[str, str]) -> None:
    """
    Write *values* into .env, which only its owner may read; '' unsets a setting.

    All other lines stay letter for letter. The file is replaced as a whole, so that
    nobody ever reads half of it; raises NotWrittenError.
    """
    try:
        text = read_text(ENV_FILE)
    except FileNotFoundError:
        text = ""
    except UnreadableFileError as error:
        raise NotWrittenError(str(error)) from error
    changed = _changed(text, values)
    kept = _values(text, interpolate=False)
    if _values(changed, interpolate=False) != {**kept, **_written(values, kept)} or any(
        _values(changed).get(name) != value for name, value in values.items() if value
    ):
        # `${…}` is replaced when it is read, and a broken line may take others along.
        raise NotWrittenError("lines of the form NAME=value")
    target = ENV_FILE.resolve()  # a link stays a link
    try:
        # Only its owner may read a file of mkstemp.
        number, temporary = tempfile.mkstemp(dir=target.parent, prefix=".env.")
        try:
            with os.fdopen(number, "w", encoding="utf-8", newline="") as file:
                file.write(changed)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(target)
        except OSError:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise NotWrittenError(type(error).__name__) from error


def leave_to_env_file(*kinds: type[BaseSettings]) -> None:
    """
    Take what .env says from the environment, for the settings of *kinds*.

    Chainlit puts it there at its start, where it would win over a changed file.
    """
    try:
        known = _values(read_text(ENV_FILE))
    except (FileNotFoundError, UnreadableFileError):
        return
    for kind in kinds:
        for field in kind.model_fields.values():
            name = str(field.alias)
            if name in known and os.environ.get(name) == known[name]:
                del os.environ[name]


def in_environment(name: str) -> bool:
    """Tell if the environment sets *name*, and so wins over .env."""
    return any(value for key, value in os.environ.items() if key.upper() == name)


def _changed(text: str, values: Mapping[str, str]) -> str:
    """The text with a line for each of *values*: its own, or a new one at the end."""
    bindings = list(parse_stream(io.StringIO(text)))
    blocks = [binding.original.string for binding in bindings]
    places = {binding.key: place for place, binding in enumerate(bindings)}
    newline = "\r\n" if "\r\n" in text else "\n"
    added = []
    for name, value in values.items():
        line = f"{name}={value}"
        if not _PLAIN.fullmatch(value):
            escaped = value.replace("\\", "\\\\").replace("'", "\\'")
            line = f"{name}='{escaped}'"
        if name in places:  # of several the last one counts
            block = blocks[places[name]]
            start = len(block) - len(block.lstrip())
            export = re.match(r"export\s+", block[start:])
            end = block[len(block.rstrip()) :]
            before = block[:start] + (export[0] if export else "")
            blocks[places[name]] = f"{before}{line}{end}"
        elif value:
            added.append(f"{line}{newline}")
    whole = "".join(blocks)
    if added and whole and not whole.endswith("\n"):
        whole += newline
    return whole + "".join(added)


def _written(values: Mapping[str, str], kept: Mapping[str, object]) -> dict[str, str]:
    """The *values* that get a line: those that are set, or have one already."""
    return {name: value for name, value in values.items() if value or name in kept}


def _values(text: str, *, interpolate: bool = True) -> dict[str, str | None]:
    return dict(dotenv_values(stream=io.StringIO(text), interpolate=interpolate))
