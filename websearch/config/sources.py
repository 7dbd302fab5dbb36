"""Settings from environment, .env and config.json; invalid values are ignored."""

import io
import re
from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Final, Self

from dotenv.parser import parse_stream
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    SecretStr,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticKnownError
from pydantic_settings import BaseSettings, SettingsConfigDict

from websearch.config.address import without_credentials
from websearch.config.env_file import ENV_FILE
from websearch.config.files import (
    Rejection,
    UnreadableFileError,
    expected_form,
    read_model,
    read_text,
)

CONFIG: Final = "config.json"
_SECTION: Final = "tools.webSearch"
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


class SettingsBase(BaseSettings):
    """Settings with defaults in place of invalid values, each with a warning."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
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
        """
        Read the settings; a .env that can't be read is left out, with a warning.

        Of a .env with a broken line the other lines hold: they may switch something
        off, or name a proxy.
        """
        file: Path | None = ENV_FILE
        expected = ""
        try:
            for binding in parse_stream(io.StringIO(read_text(ENV_FILE))):
                # python-dotenv skips such a line, and the setting has no effect.
                is_named = binding.key is None or _VARIABLE.fullmatch(binding.key)
                is_empty = binding.key is None and not binding.error  # or a comment
                if not is_empty and (binding.value is None or not is_named):
                    block = binding.original.string  # may begin with blank lines
                    blank = block[: len(block) - len(block.lstrip())].splitlines()
                    line = binding.original.line + len(blank)
                    expected = f"NAME=value in each line; see line {line}"
                    break
        except FileNotFoundError:
            file = None
        except UnreadableFileError as error:
            file, expected = None, str(error)
        settings = cls(_env_file=file)  # type: ignore[call-arg]  # of the base
        if expected:
            # It may have chosen engines. Reported as a file, it adds none to them.
            rejection = Rejection(str(ENV_FILE.absolute()), expected)
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
        values, from_file = dict(data), dict[str, Any]()
        rejected = list[Rejection]()
        if entries := file_entries(cls):
            file, rejection = read_model(Path(CONFIG), _file_model(entries))
            rejected += [rejection] if rejection else []
            for path, field in entries.items():
                if (value := reduce(getattr, path.split("."), file)) is not None:
                    from_file[str(field.alias)] = value
        for variable in values.keys() & from_file.keys():
            # A key belongs in the file; all else is stronger in the environment.
            is_key = isinstance(from_file[variable], SecretStr)
            del (values if is_key else from_file)[variable]
        try:
            settings = handler(values | from_file)
        except ValidationError as error:
            fields = {field.alias: field for field in cls.model_fields.values()}
            for mistake in error.errors(include_input=False, include_url=False):
                variable = str(mistake["loc"][0])
                field = fields[variable]
                values[variable] = field.default
                expected = expected_form(mistake, field)
                rejected.append(Rejection(variable, expected, _shown(field.default)))
                rejected[-1].log()
            settings = handler(values | from_file)
        settings._rejected += rejected  # noqa: SLF001  its own class
        settings._in_file |= from_file.keys()  # noqa: SLF001  its own class
        return settings


def file_entries(settings: type[BaseSettings]) -> dict[str, FieldInfo]:
    """Map each possible entry of config.json to its setting."""
    return {
        f"{_SECTION}.{path}": field
        for field in settings.model_fields.values()
        if (path := _extra(field, "in_file"))
    }


def _file_model(entries: Mapping[str, FieldInfo]) -> type[BaseModel]:
    """The objects of config.json that hold *entries*, one in the other."""
    fields: dict[str, Any] = {}
    for name in dict.fromkeys(path.partition(".")[0] for path in entries):
        if field := entries.get(name):
            kind: Any = field.rebuild_annotation()
            if field.annotation is not bool:
                kind = Annotated[kind, BeforeValidator(_no_flag)]
            if convert := _extra(field, "convert"):
                kind = Annotated[kind, BeforeValidator(convert)]
            fields[name] = (kind, None)
        else:
            inner = _file_model(
                {
                    path.removeprefix(f"{name}."): field
                    for path, field in entries.items()
                    if path.startswith(f"{name}.")
                }
            )
            fields[name] = (inner, inner())
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    return create_model("Entries", __config__=config, **fields)


def _no_flag(value: object) -> object:
    """Refuse true and false where something else is wanted: they would be 1 and 0."""
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


def _extra(field: FieldInfo, name: str) -> Any:
    extra = field.json_schema_extra
    return extra.get(name) if isinstance(extra, dict) else None


def _shown(value: object) -> str:
    return "unset" if value is None else without_credentials(str(value))[:200]
