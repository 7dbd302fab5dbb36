"""Settings from environment, .env and config.json; invalid values are ignored."""

import io
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args, get_origin

from dotenv.parser import parse_stream
from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    SecretStr,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from websearch.config.address import without_credentials
from websearch.config.json_file import (
    UnreadableFileError,
    plain_name,
    read_json,
    read_text,
)

logger = logging.getLogger(__name__)

CONFIG: Final = "config.json"
_DOTENV: Final = Path(".env")
_SECTION: Final = ("tools", "webSearch")
_VARIABLE: Final = re.compile(r"[A-Za-z_][\w.-]*")


def setting(
    variable: str,
    description: str,
    *,
    default: Any = None,
    limits: tuple[float, float] | None = None,
    in_file: str | None = None,
    convert: Callable[[Any], Any] | None = None,
) -> Any:
    """
    Declare a setting: the variable that sets it, what it does, and its limits.

    config.json can hold it too, at the path *in_file* below `tools.webSearch`;
    *convert* reads a value whose form there differs from that of the variable.
    """
    least, most = limits or (None, None)
    between = f" From {least} to {most}." if limits else ""
    return Field(
        default,
        alias=variable,
        description=f"{description}{between}",
        ge=least,
        le=most,
        json_schema_extra={"in_file": in_file, "convert": convert},  # type: ignore[dict-item]  # for file_entries
    )


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
        return type(self).model_fields[field].alias in self._in_file

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
        """Join variables and file, without what is invalid; log each invalid value."""
        values, rejected = dict(data), list[Rejection]()
        from_file = _file_values(file_entries(cls), rejected)
        for variable in values.keys() & from_file.keys():
            # A key belongs in the file; all else is stronger in the environment.
            is_key = isinstance(from_file[variable], SecretStr)
            del (values if is_key else from_file)[variable]
        settings = cls._valid(values | from_file, handler, rejected)
        for rejection in rejected:
            rejection.log()
        settings._rejected += rejected  # noqa: SLF001  its own class
        settings._in_file |= from_file.keys()  # noqa: SLF001  its own class
        return settings

    @classmethod
    def _valid(
        cls,
        values: dict[str, Any],
        handler: ModelWrapValidatorHandler[Self],
        rejected: list[Rejection],
    ) -> Self:
        """Validate; where variables are invalid, put in their defaults."""
        try:
            return handler(values)
        except ValidationError as error:
            wrong = {str(one["loc"][0]): one for one in _errors(error)}
        for variable, one in wrong.items():
            field = cls._field(variable)
            values[variable] = field.default
            expected, default = _expected(one, field), _shown(field.default)
            rejected.append(Rejection(variable, expected, default))
        return handler(values)

    @classmethod
    def _field(cls, variable: str) -> FieldInfo:
        return next(f for f in cls.model_fields.values() if f.alias == variable)


def file_entries(settings: type[BaseSettings]) -> dict[tuple[str, ...], FieldInfo]:
    """Map each possible entry of config.json to its setting."""
    return {
        (*_SECTION, *path.split(".")): field
        for field in settings.model_fields.values()
        if (path := _extra(field, "in_file"))
    }


def limits(field: FieldInfo) -> str:
    """Describe the valid values of a setting, in symbols if possible."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return " | ".join(get_args(kind))
    if kind is bool:
        return "true | false"
    least, most = _bound(field, "ge", "min_length"), _bound(field, "le", "max_length")
    if most is None:
        return "text"
    return f"{least}-{most}{' characters' if kind is str else ''}"


def _file_values(
    entries: Mapping[tuple[str, ...], FieldInfo], rejected: list[Rejection]
) -> dict[str, Any]:
    """The valid entries of config.json, by the variables that they stand for."""
    try:
        data = read_json(Path(CONFIG)) if entries else {}
    except FileNotFoundError:
        return {}
    except UnreadableFileError as error:
        rejected.append(Rejection(CONFIG, str(error)))
        return {}
    if not isinstance(data, dict):
        rejected.append(Rejection(CONFIG, "{…}"))
        return {}
    data.pop("$schema", None)  # added by editors; not an error
    return _values_below((), data, entries, rejected)


def _values_below(
    above: tuple[str, ...],
    data: Mapping[str, Any],
    entries: Mapping[tuple[str, ...], FieldInfo],
    rejected: list[Rejection],
) -> dict[str, Any]:
    depth, values = len(above), dict[str, Any]()
    known = dict.fromkeys(path[depth] for path in entries if path[:depth] == above)
    for name, value in data.items():
        path = (*above, name)
        try:
            if name not in known:
                raise ValueError(" | ".join(known))
            if field := entries.get(path):
                values[str(field.alias)] = _valid_entry(value, field)
            elif isinstance(value, dict):
                values |= _values_below(path, value, entries, rejected)
            else:
                raise ValueError("{…}")
        except ValueError as error:
            place = ".".join((*above, plain_name(name)))
            rejected.append(Rejection(f"{CONFIG}: {place}", str(error)))
    return values


def _valid_entry(value: Any, field: FieldInfo) -> Any:
    """The value of an entry; ValueError says which form it should have."""
    if convert := _extra(field, "convert"):
        value = convert(value)
    elif value is None or (isinstance(value, bool) and field.annotation is not bool):
        raise ValueError(limits(field))  # pydantic would read true as 1
    try:
        return TypeAdapter(field.rebuild_annotation()).validate_python(value)
    except ValidationError as error:
        wrong = _errors(error)[0]
    raise ValueError(_expected(wrong, field))


def _extra(field: FieldInfo, name: str) -> Any:
    extra = field.json_schema_extra
    return extra.get(name) if isinstance(extra, dict) else None


def _bound(field: FieldInfo, *names: str) -> object:
    bounds = (getattr(m, name, None) for m in field.metadata for name in names)
    return next((bound for bound in bounds if bound is not None), None)


def _errors(error: ValidationError) -> Sequence[Mapping[str, Any]]:
    return error.errors(include_input=False, include_url=False)


def _expected(error: Mapping[str, Any], field: FieldInfo) -> str:
    """The right form: by our own check, which repeats no value, or by the limits."""
    is_own = error["type"] == "value_error"
    return str(error["ctx"]["error"]) if is_own else limits(field)


def _shown(value: object) -> str:
    return "unset" if value is None else without_credentials(str(value))[:200]


def _expected_of_dotenv(path: Path) -> str | None:
    """The form that the file should have; None where it has it, or is not there."""
    if path.is_fifo():  # it can be read only once
        return None
    try:
        bindings = parse_stream(io.StringIO(read_text(path)))
    except FileNotFoundError:
        return None
    except UnreadableFileError as error:
        return str(error)
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
