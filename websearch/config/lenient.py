"""Settings that never stop a program: an invalid value gives way to its default."""

import logging
import re
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import (
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)
from pydantic.functional_validators import BeforeValidator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from websearch.config.address import BaseAddress, may_be_address, without_credentials
from websearch.config.json_check import Mistake
from websearch.config.json_words import Words

logger = logging.getLogger(__name__)


def _address(value: Any) -> Any:
    return value if isinstance(value, BaseAddress) else BaseAddress.parse(str(value))


def _header_safe(value: Any) -> Any:
    """A key with a line break or a full-width letter can't be sent in a header."""
    text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    if not re.fullmatch(r"[\x21-\x7e]+", text.strip()):
        raise ValueError("a key holds visible ASCII characters only")
    return SecretStr(text.strip())


def _proxy(value: Any) -> Any:
    address = _address(value)
    if urlsplit(address.url).path:
        raise ValueError("a proxy has a host and a port, and no path")
    return address


def _user_agent(value: Any) -> Any:
    text = str(value).strip()
    if not re.fullmatch(r"[\x20-\x7e]{1,200}", text):
        raise ValueError("1 to 200 printable ASCII characters in one line")
    return text


Address = Annotated[BaseAddress, NoDecode, BeforeValidator(_address)]
Key = Annotated[SecretStr, BeforeValidator(_header_safe)]
Proxy = Annotated[BaseAddress, NoDecode, BeforeValidator(_proxy)]
UserAgent = Annotated[str, BeforeValidator(_user_agent)]
# A value that is no address may hold its password anywhere: host:port:user:password.
_HIDDEN_IF_WRONG: Final = ("_key", "_proxy")


class Rejection(NamedTuple):
    """A value that was not taken, with secrets hidden, and why."""

    variable: str
    shown: str
    reason: str
    default: object

    @property
    def facts(self) -> dict[str, object]:
        """What its advice tells."""
        return {
            "variable": self.variable,
            "value": self.shown,
            "reason": self.reason,
            "default": "unset" if self.default is None else self.default,
        }


@dataclass(slots=True)
class _Reading:
    """What is noted while settings are read."""

    rejected: list[Rejection] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)


_reading: ContextVar[_Reading | None] = ContextVar("reading", default=None)


def reject(rejection: Rejection) -> None:
    """Say that a value was not taken; nothing in it may be a secret."""
    logger.warning("%s=%s is invalid (%s); using the default %s", *rejection)
    if (reading := _reading.get()) is not None:
        reading.rejected.append(rejection)


def came_from(variable: str, place: str) -> None:
    """Note that the value of *variable* stands at a *place* in a file."""
    if (reading := _reading.get()) is not None:
        reading.places[variable] = place


def note(mistake: Mistake) -> None:
    """Say that something in a file was left out."""
    logger.warning("%s; it is left out", mistake)
    if (reading := _reading.get()) is not None:
        reading.mistakes.append(mistake)


class LenientSettings(BaseSettings):
    """Read from environment and .env; each field bears its variable as alias."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        arbitrary_types_allowed=True,
    )

    _noted: _Reading = PrivateAttr(default_factory=lambda: _reading.get() or _Reading())

    @field_validator("*", mode="wrap")
    @classmethod
    def _or_default(
        cls, value: Any, check: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Any:
        """Use the default for an invalid value, and say so without telling a secret."""
        try:
            return check(value)
        except ValidationError as error:
            name = str(info.field_name)
            known = cls.model_fields[name]
            shown = _shown(value, secret=_may_be_secret(value, name, known.default))
            place = _place(str(known.alias))
            reject(Rejection(place, shown, _reason(error), known.default))
            return known.default

    @classmethod
    def load(cls) -> Self:
        """Read environment and .env; a .env that is no text is left out with a word."""
        token = _reading.set(_Reading())
        try:
            return cls._read()
        finally:
            _reading.reset(token)

    @classmethod
    def _read(cls) -> Self:
        try:
            return cls()
        except (UnicodeDecodeError, OSError) as error:
            _reading.set(_Reading())  # what was noted will be noted again
            # Nobody knows what it forbade: noted, it counts as something that was set.
            kind = Words.of("unread", kind=type(error).__name__)
            note(Mistake(str(Path(".env").resolve()), "", kind, Words.of("utf8_text")))
            return cls(_env_file=None)  # type: ignore[call-arg]  # made by pydantic

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """Values that were not taken, for those who show settings to the user."""
        return tuple(self._noted.rejected)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """What was left out of a file."""
        return tuple(self._noted.mistakes)

    def is_from_file(self, variable: str) -> bool:
        """Whether the value of *variable* stands in a file other than .env."""
        return variable in self._noted.places

    def summary(self) -> str:
        """One line for the log, without secrets."""
        pairs = (
            (field.alias, _shown(getattr(self, name), secret="_key" in name))
            for name, field in type(self).model_fields.items()
        )
        return " ".join(f"{alias}={shown}" for alias, shown in pairs)


def _place(variable: str) -> str:
    reading = _reading.get()
    return reading.places.get(variable, variable) if reading else variable


def _may_be_secret(value: object, name: str, default: object) -> bool:
    """Whether a value that was not taken is a key, or one in the wrong place."""
    if any(part in name for part in _HIDDEN_IF_WRONG):
        return True
    return isinstance(default, BaseAddress) and not may_be_address(str(value))


def _shown(value: object, *, secret: bool) -> str:
    if value is None:
        return "unset"
    return "…" if secret else without_credentials(str(value))[:200]


def _reason(error: ValidationError) -> str:
    """What pydantic or our own check says, without the value."""
    said = str(error.errors(include_input=False)[0]["msg"])
    return said.removeprefix("Value error, ")
