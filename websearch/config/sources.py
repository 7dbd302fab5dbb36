"""Settings from environment, .env and config.json; invalid values are ignored."""

import json
import logging
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, Self, get_args, get_origin

from dotenv.parser import parse_stream
from pydantic import (
    AliasChoices,
    AliasPath,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from websearch.config.address import without_credentials

logger = logging.getLogger(__name__)

CONFIG: Final = "config.json"
_DOTENV: Final = Path(".env")
_UTF_8: Final = "a text file in UTF-8"
_SECTION: Final = ("tools", "webSearch")
_MAX_BYTES: Final = 1_000_000
_VARIABLE: Final = re.compile(r"[A-Za-z_][\w.-]*")


def environment_first(variable: str, *path: str) -> AliasChoices:
    """Take the variable, else the entry at *path* below `tools.webSearch`."""
    return AliasChoices(variable, AliasPath(CONFIG, *_SECTION, *path))


def file_first(variable: str, *path: str) -> AliasChoices:
    """Take the entry of config.json, else the variable: the order for keys."""
    return AliasChoices(AliasPath(CONFIG, *_SECTION, *path), variable)


@dataclass(frozen=True, slots=True)
class FromFile:
    """Annotation of a setting whose form in config.json differs from a variable's."""

    convert: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejected entry; its value is not kept, because it may be a secret."""

    place: str  # WEB_SEARCH_TIMEOUT_MS, or config.json: tools.webSearch.maxResults
    expected: str
    default: str | None = None  # None for entries of files, which have no default

    @property
    def is_in_file(self) -> bool:
        """True for an entry of a file, which may also have chosen engines."""
        return self.default is None

    def log(self) -> None:
        """Log it as a warning."""
        instead = f"using the default {self.default}"
        if self.is_in_file:
            instead = "it is left out"
        logger.warning(
            "%s is not usable (expected: %s); %s", self.place, self.expected, instead
        )


class SettingsBase(BaseSettings):
    """Settings with defaults in place of invalid values, each with a warning."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        arbitrary_types_allowed=True,
    )

    _rejected: list[Rejection] = PrivateAttr(default_factory=list)
    _in_file: set[str] = PrivateAttr(default_factory=set)

    @classmethod
    def load(cls) -> Self:
        """Read the settings; a broken .env, or line, is ignored with a warning."""
        expected = _expected_of_dotenv(_DOTENV)
        try:
            settings = cls()
        except (UnicodeDecodeError, OSError):
            settings = cls(_env_file=None)  # type: ignore[call-arg]  # of the base
            expected = expected or _UTF_8
        if expected:
            # It may have chosen engines. Reported as a file, it adds none to them.
            rejection = Rejection(str(_DOTENV.absolute()), expected)
            rejection.log()
            settings._rejected.append(rejection)
        return settings

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """Rejected entries, to be shown to the user."""
        return tuple(self._rejected)

    def is_from_file(self, field: str) -> bool:
        """True if the value of *field* was taken from config.json."""
        return field in self._in_file

    def summary(self) -> str:
        """One line for the log, without secrets."""
        pairs = (
            (field.alias, getattr(self, name))
            for name, field in type(self).model_fields.items()
        )
        return " ".join(f"{alias}={_shown(value)}" for alias, value in pairs)

    @model_validator(mode="wrap")
    @classmethod
    def _without_invalid(
        cls, data: dict[str, Any], handler: ModelWrapValidatorHandler[Self]
    ) -> Self:
        """Remove invalid values, and log each one."""
        values, rejected = dict(data), list[Rejection]()
        if CONFIG in values:
            file = _checked(values[CONFIG], file_entries(cls), rejected)
            values[CONFIG] = file
            # The file alone, because overridden entries are checked too.
            cls._valid({CONFIG: file}, handler, rejected)
        settings = cls._valid(values, handler, rejected)
        for rejection in rejected:
            rejection.log()
        settings._rejected += rejected  # noqa: SLF001  its own class
        if CONFIG in values:
            settings._in_file |= {  # noqa: SLF001  its own class
                name
                for name in settings.model_fields_set
                if cls.model_fields[name].alias not in values
            }
        return settings

    @classmethod
    def _valid(
        cls,
        values: dict[str, Any],
        handler: ModelWrapValidatorHandler[Self],
        rejected: list[Rejection],
    ) -> Self:
        """Validate, take out what is invalid, and validate again."""
        while True:
            try:
                return handler(values)
            except ValidationError as error:
                wrong = error.errors(include_input=False, include_url=False)
            rejected += [
                cls._taken_out(values, one["loc"], _reason(one)) for one in wrong
            ]

    @classmethod
    def _taken_out(
        cls, values: dict[str, Any], place: tuple[int | str, ...], reason: str | None
    ) -> Rejection:
        """Replace a variable by its default, or remove an entry of the file."""
        if place[0] == CONFIG:
            path = tuple(map(str, place[1:]))
            remove(values[CONFIG], path)
            field = file_entries(cls)[path]
            return Rejection(f"{CONFIG}: {'.'.join(path)}", reason or limits(field))
        variable = str(place[0])
        field = next(f for f in cls.model_fields.values() if f.alias == variable)
        values[variable] = field.default
        default = _shown(field.default)
        return Rejection(variable, reason or limits(field), default)


class ConfigFile(PydanticBaseSettingsSource):
    """config.json in the working directory, as a source of settings."""

    def get_field_value(self, _field: FieldInfo, name: str) -> tuple[Any, str, bool]:
        """Required by the base class; the file is given as a whole instead."""
        return None, name, False

    def __call__(self) -> dict[str, Any]:
        """The whole file under its name; an unreadable one as its error."""
        try:
            return {CONFIG: read_json(Path(CONFIG))}
        except FileNotFoundError:
            return {}
        except UnreadableFileError as error:
            return {CONFIG: error}


class UnreadableFileError(Exception):
    """A file that can't be read at all; the message says what was expected."""


def read_json(path: Path) -> Any:
    """
    Read a JSON file that was written by hand.

    Raises FileNotFoundError where there is none, and UnreadableFileError.
    """
    try:
        return json.loads(
            _text(path),
            parse_constant=_no_constant,
            object_pairs_hook=_without_duplicates,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        message = f"JSON without comments or trailing commas; see {place}"
        raise UnreadableFileError(message) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError("JSON of ordinary numbers and depth") from error


def file_entries(settings: type[BaseSettings]) -> dict[tuple[str, ...], FieldInfo]:
    """Map each possible entry of config.json to its setting."""
    return {
        tuple(map(str, alias.path[1:])): field
        for field in settings.model_fields.values()
        if isinstance(field.validation_alias, AliasChoices)
        for alias in field.validation_alias.choices
        if isinstance(alias, AliasPath)
    }


def limits(field: FieldInfo) -> str:
    """Describe the valid values of a setting, in symbols if possible."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return " | ".join(get_args(kind))
    if kind is bool:
        return "true | false"
    least, most = (
        _bound(field, "ge", "gt", "min_length"),
        _bound(field, "le", "max_length"),
    )
    if most is None:
        return "text"
    return f"{least}-{most}{' characters' if kind is str else ''}"


def plain_name(name: str) -> str:
    """Return an unknown name if it looks misspelt; else `…`, as it may be a key."""
    return name if re.fullmatch("[A-Za-z_]{1,24}", name) else "…"


def remove(data: Any, path: tuple[int | str, ...]) -> None:
    """Remove the entry at *path*."""
    *above, name = path
    for step in above:
        data = data[step]
    del data[name]


def _checked(
    data: Any,
    entries: Mapping[tuple[str, ...], FieldInfo],
    rejected: list[Rejection],
) -> dict[str, Any]:
    """The content of config.json with known entries only, in the form of variables."""
    if isinstance(data, dict):
        data.pop("$schema", None)  # added by editors; not an error
        rejected += _unknown_removed(data, entries, ())
        return data
    expected = str(data) if isinstance(data, UnreadableFileError) else "{…}"
    rejected.append(Rejection(CONFIG, expected))
    return {}


def _unknown_removed(
    data: dict[str, Any],
    entries: Mapping[tuple[str, ...], FieldInfo],
    above: tuple[str, ...],
) -> Iterator[Rejection]:
    """Remove and yield the unknown entries below the path *above*."""
    depth = len(above)
    known = dict.fromkeys(path[depth] for path in entries if path[:depth] == above)
    for name, value in list(data.items()):
        path = (*above, name)
        try:
            if name not in known:
                raise ValueError(" | ".join(known))
            if path in entries:
                data[name] = _converted(value, entries[path])
            elif isinstance(value, dict):
                yield from _unknown_removed(value, entries, path)
            else:
                raise ValueError("{…}")
        except ValueError as error:
            del data[name]
            place = ".".join((*above, plain_name(name)))
            yield Rejection(f"{CONFIG}: {place}", str(error))


def _converted(value: Any, field: FieldInfo) -> Any:
    for marker in field.metadata:
        if isinstance(marker, FromFile):
            return marker.convert(value)
    if value is None or (isinstance(value, bool) and field.annotation is not bool):
        raise ValueError(limits(field))  # pydantic would read true as 1
    return value


def _bound(field: FieldInfo, *names: str) -> object:
    bounds = (getattr(m, name, None) for m in field.metadata for name in names)
    return next((bound for bound in bounds if bound is not None), None)


def _reason(error: Mapping[str, Any]) -> str | None:
    """Return the message of our own check, which does not contain the value."""
    return str(error["ctx"]["error"]) if error["type"] == "value_error" else None


def _shown(value: object) -> str:
    return "unset" if value is None else without_credentials(str(value))[:200]


def _text(path: Path) -> str:
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
        raise UnreadableFileError("JSON in UTF-8") from error


def _expected_of_dotenv(path: Path) -> str | None:
    """The form that the file should have; None where it has it, or is not there."""
    try:
        if path.is_dir() or (path.is_symlink() and not path.exists()):
            return "a file that can be read"
        if not path.is_file():  # a pipe can be read only once
            return None
        with path.open(encoding="utf-8") as file:
            bindings = list(parse_stream(file))
    except (UnicodeDecodeError, OSError):
        return _UTF_8
    for binding in bindings:
        # python-dotenv skips such a line, and the setting in it has no effect.
        is_named = binding.key is None or _VARIABLE.fullmatch(binding.key)
        is_empty = binding.key is None and not binding.error  # blank, or a comment
        if not is_empty and (binding.value is None or not is_named):
            line = binding.original.line + _blank_lines(binding.original.string)
            return f"NAME=value in each line; see line {line}"
    return None


def _blank_lines(text: str) -> int:
    """The number of line ends before the first character that shows."""
    return len(text[: len(text) - len(text.lstrip())].splitlines())


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
