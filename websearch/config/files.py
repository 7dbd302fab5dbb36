"""Read files that were written by hand; a message never repeats what is in them."""

import json
import logging
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

logger = logging.getLogger(__name__)

_MAX_BYTES: Final = 1_000_000

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejected value or file; the value is not kept, because it may be a secret."""

    place: str  # WEB_SEARCH_TIMEOUT_MS, or config.json: tools.webSearch.maxResults
    expected: str
    default: str | None = None  # None for files, which have no default

    @property
    def is_in_file(self) -> bool:
        """True for a mistake in a file, which may also have chosen engines."""
        return self.default is None

    def log(self) -> None:
        """Log it as a warning."""
        instead = f"using the default {self.default}"
        if self.is_in_file:
            instead = "it is left out"
        logger.warning(
            "%s is not usable (expected: %s); %s", self.place, self.expected, instead
        )


class UnreadableFileError(Exception):
    """A file that can't be read at all; the message says what was expected."""


def read_model(path: Path, model: type[M]) -> tuple[M, Rejection | None]:
    """
    Read a JSON file as *model*.

    A file is used whole or not at all: where something in it is wrong, or nothing is
    there, the model is that of an empty file.
    """
    place = path.name
    try:
        data = json.loads(
            read_text(path),
            parse_constant=int,  # refuses NaN and Infinity, which are no JSON
            object_pairs_hook=_without_duplicates,
        )
        if isinstance(data, dict):
            data.pop("$schema", None)  # added by editors; not an error
        return model.model_validate(data), None
    except FileNotFoundError:
        return model(), None
    except UnreadableFileError as error:
        expected = str(error)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        expected = f"JSON without comments or trailing commas; see {where}"
    except ValidationError as error:
        where, expected = _first_mistake(model, error)
        place = f"{place}: {where}".removesuffix(": ")
    except (ValueError, RecursionError):
        expected = "JSON of ordinary numbers and depth"
    rejection = Rejection(place, expected)
    rejection.log()
    return model(), rejection


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


def entries(model: type[BaseModel], above: str = "") -> dict[str, FieldInfo]:
    """Map the path of each entry that a file of *model* can have to its field."""
    known = {}
    for name, field in model.model_fields.items():
        path = f"{above}{field.alias or name}"
        known[path] = field
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                known |= entries(kind, f"{path}.")
    return known


def expected_form(error: Mapping[str, Any], field: FieldInfo) -> str:
    """The right form: by our own check, which repeats no value, or by the limits."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    kind = field.annotation
    if field.title:
        return field.title
    if get_origin(kind) is Literal:
        return " | ".join(get_args(kind))
    if kind is bool:
        return "true | false"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return "{…}"
    least, most = _bound(field, "ge", "min_length"), _bound(field, "le", "max_length")
    if most is None:
        return "text"
    return f"{least}-{most}{' characters' if kind is str else ''}"


def plain_name(name: str) -> str:
    """Return an unknown name if it looks misspelt; else `…`, as it may be a key."""
    return name if re.fullmatch("[A-Za-z_]{1,24}", name) else "…"


def _first_mistake(model: type[BaseModel], error: ValidationError) -> tuple[str, str]:
    """The place of the first mistake, such as `agents[1].id`, and the right form."""
    first = error.errors(include_input=False, include_url=False)[0]
    steps = [step for step in first["loc"] if isinstance(step, str)]
    known, path = entries(model), ".".join(steps)
    where = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]
    ).removeprefix(".")
    if path in known and not isinstance(first["loc"][-1], int):
        return where, expected_form(first, known[path])
    if not steps or path in known:
        return where, "{…}"
    above, _, _ = path.rpartition(".")
    siblings = (other.rpartition(".") for other in known)
    names = " | ".join(name for parent, _, name in siblings if parent == above)
    where = where.removesuffix(steps[-1]) + plain_name(steps[-1])
    return where, names


def _bound(field: FieldInfo, *names: str) -> object:
    bounds = (getattr(m, name, None) for m in field.metadata for name in names)
    return next((bound for bound in bounds if bound is not None), None)


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
