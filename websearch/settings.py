"""Every knob of the search layer, once: environment > .env > default."""

import logging
import re
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import (
    Field,
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

DEFAULT_SEARXNG: Final = "http://localhost:8080"


def _address(value: Any) -> Any:
    return value if isinstance(value, BaseAddress) else BaseAddress.parse(str(value))


def _header_safe(value: Any) -> Any:
    """A key with a line break or a full-width letter can't be sent in a header."""
    text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    if not re.fullmatch(r"[\x21-\x7e]+", text.strip()):
        raise ValueError("a key holds visible ASCII characters only")
    return SecretStr(text.strip())


def _language(value: Any) -> Any:
    text = str(value).strip().replace("_", "-")
    if text.lower() in {"auto", "all"}:
        return text.lower()
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}", text):
        raise ValueError("a language tag such as zh-CN, or auto")
    return text


Address = Annotated[BaseAddress, NoDecode, BeforeValidator(_address)]
Key = Annotated[SecretStr, BeforeValidator(_header_safe)]
Language = Annotated[str, BeforeValidator(_language)]


class Rejection(NamedTuple):
    """A value that was not taken, with secrets hidden, and why."""

    variable: str
    shown: str
    reason: str
    default: object


_rejections: ContextVar[list[Rejection] | None] = ContextVar("rejected", default=None)


class Settings(BaseSettings):
    """Settings of the search layer; an invalid value gives way to its default."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        arbitrary_types_allowed=True,
        populate_by_name=True,
    )

    backend: str | None = Field(
        default=None,
        alias="WEB_SEARCH_BACKEND",
        description="Engine that searches: `searxng` or `stub`. "
        "Unset means `searxng` in the app and `stub` in the tool contract.",
    )
    searxng_base_url: Address = Field(
        default=BaseAddress(DEFAULT_SEARXNG),
        alias="SEARXNG_BASE_URL",
        description="Address of SearXNG, with its path prefix where it has one. "
        "`user:password@` before the host is sent as basic authentication.",
    )
    searxng_api_key: Key | None = Field(
        default=None,
        alias="SEARXNG_API_KEY",
        description="Bearer token for a proxy in front of SearXNG, "
        "which has no keys of its own.",
    )
    searxng_timeout_ms: int | None = Field(
        default=None,
        ge=100,
        le=60_000,
        alias="SEARXNG_TIMEOUT_MS",
        description="Time limit of a search through SearXNG in milliseconds, "
        "100 to 60000. Unset means `WEB_SEARCH_TIMEOUT_MS`.",
    )
    searxng_method: Literal["GET", "POST"] = Field(
        default="GET",
        alias="SEARXNG_METHOD",
        description="`POST` keeps queries out of the access log of a proxy in front "
        "of SearXNG. Long queries are sent so in any case.",
    )
    timeout_ms: int = Field(
        default=5_000,
        ge=100,
        le=60_000,
        alias="WEB_SEARCH_TIMEOUT_MS",
        description="Time limit of a whole search in milliseconds, 100 to 60000.",
    )
    max_results: int = Field(
        default=5,
        ge=1,
        le=10,
        alias="WEB_SEARCH_MAX_RESULTS",
        description="Results shown to the model and to the user, 1 to 10.",
    )
    snippet_length: int = Field(
        default=200,
        ge=20,
        le=2_000,
        alias="WEB_SEARCH_SNIPPET_LENGTH",
        description="Characters of a snippet that reach the model, 20 to 2000.",
    )
    language: Language = Field(
        default="auto",
        alias="WEB_SEARCH_LANGUAGE",
        description="Language of results, such as `zh-CN`; `all` for any; "
        "`auto` takes it from the script of the query.",
    )
    log_queries: bool = Field(
        default=False,
        alias="WEB_SEARCH_LOG_QUERIES",
        description="Write the words of each search to the log. Off for privacy.",
    )
    ui_language: Literal["zh-CN", "en-US", "auto"] = Field(
        default="zh-CN",
        alias="UI_LANGUAGE",
        description="Language of the interface and of the doctor: "
        "`zh-CN`, `en-US`, or `auto` for that of the browser or terminal.",
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

    @property
    def timeout(self) -> float:
        """Seconds a search through the chosen backend may take in all."""
        own = self.searxng_timeout_ms if self.backend != "stub" else None
        return (own or self.timeout_ms) / 1000

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
    return str(error.errors(include_input=False)[0]["msg"]).removeprefix(
        "Value error, "
    )
