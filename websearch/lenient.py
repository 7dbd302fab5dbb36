"""Settings that never stop a program: an invalid value gives way to its default."""

import logging
import re
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

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

from websearch.address import BaseAddress, without_credentials

logger = logging.getLogger(__name__)


def _address(value: Any) -> Any:
    return value if isinstance(value, BaseAddress) else BaseAddress.parse(str(value))


def _header_safe(value: Any) -> Any:
    """A key with a line break or a full-width letter can't be sent in a header."""
    text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    if not re.fullmatch(r"[\x21-\x7e]+", text.strip()):
        raise ValueError("a key holds visible ASCII characters only")
    return SecretStr(text.strip())


Address = Annotated[BaseAddress, NoDecode, BeforeValidator(_address)]
Key = Annotated[SecretStr, BeforeValidator(_header_safe)]


class Rejection(NamedTuple):
    """A value that was not taken, with secrets hidden, and why."""

    variable: str
    shown: str
    reason: str
    default: object


_rejections: ContextVar[list[Rejection] | None] = ContextVar("rejected", default=None)


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

    _rejected: tuple[Rejection, ...] = PrivateAttr(
        default_factory=lambda: tuple(_rejections.get() or ())
    )

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
            field = cls.model_fields[name]
            rejection = Rejection(
                str(field.alias),
                _shown(value, secret="_key" in name),
                _reason(error),
                field.default,
            )
            logger.warning("%s=%s is invalid (%s); using the default %s", *rejection)
            if (collected := _rejections.get()) is not None:
                collected.append(rejection)
            return field.default

    @classmethod
    def load(cls) -> Self:
        """Read environment and .env; a .env that is no text is left out with a word."""
        token = _rejections.set([])
        try:
            return cls._read()
        finally:
            _rejections.reset(token)

    @classmethod
    def _read(cls) -> Self:
        try:
            return cls()
        except (UnicodeDecodeError, OSError) as error:
            logger.warning(
                "%s can't be read (%s: save it as UTF-8 text); it is left out",
                Path(".env").resolve(),
                type(error).__name__,
            )
            return cls(_env_file=None)  # type: ignore[call-arg]  # made by pydantic

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """Values that were not taken, for those who show settings to the user."""
        return self._rejected

    def summary(self) -> str:
        """One line for the log, without secrets."""
        pairs = (
            (field.alias, _shown(getattr(self, name), secret="_key" in name))
            for name, field in type(self).model_fields.items()
        )
        return " ".join(f"{alias}={shown}" for alias, shown in pairs)


def _shown(value: object, *, secret: bool) -> str:
    if value is None:
        return "unset"
    return "…" if secret else without_credentials(str(value))[:200]


def _reason(error: ValidationError) -> str:
    """What pydantic or our own check says, without the value."""
    said = str(error.errors(include_input=False)[0]["msg"])
    return said.removeprefix("Value error, ")
