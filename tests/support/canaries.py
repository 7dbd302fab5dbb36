"""A secret of its own in every setting that can hold one, and where it came out."""

import base64
import logging
import traceback
from collections.abc import Iterable
from typing import Any, get_args

import pytest
from pydantic import SecretStr
from pydantic_settings import BaseSettings
from support.servers.loopback import Answer, Request

from websearch.config.address import BaseAddress

PAIR = "canary-user:canary-pass"
# `{url}` is a server of the test, `{at}` the same with credentials.
CANARIES = {
    "SEARXNG_BASE_URL": "{at}",
    "SEARXNG_API_KEY": "canary-searxng",
    "BRAVE_API_KEY": "canary-brave",
    "BOCHA_API_KEY": "canary-bocha",
    "BOCHA_BASE_URL": "{at}",
    "WEB_FETCH_PROXY": "{at}",
    "OPENAI_API_KEY": "canary-openai",
    "OPENAI_BASE_URL": "{at}/v1",
    "OLLAMA_BASE_URL": "{at}",
}

_SECRET_WORDS = {"KEY", "TOKEN", "SECRET", "PASSWORD", "COOKIE", "PROXY", "URL"}


def secrets_of(*settings: type[BaseSettings]) -> set[str]:
    """Every variable that holds a key, or an address that can bear credentials."""
    found = set()
    for field in (f for one in settings for f in one.model_fields.values()):
        name = str(field.alias)
        by_type = kinds_in(field.annotation) & {SecretStr, BaseAddress}
        if by_type or _SECRET_WORDS & set(name.split("_")):
            found.add(name)
    return found


def kinds_in(annotation: Any) -> set[Any]:
    """The types that an annotation is made of."""
    if not (parts := get_args(annotation)):
        return {annotation} if isinstance(annotation, type) else set()
    return set().union(*map(kinds_in, parts))


def plant(patch: pytest.MonkeyPatch, url: str) -> None:
    """Set every secret; all addresses lead to *url*."""
    for variable, value in CANARIES.items():
        at = url.replace("://", f"://{PAIR}@")
        patch.setenv(variable, value.format(url=url, at=at))


def every_log(caplog: pytest.LogCaptureFixture) -> None:
    """Every logger that there is tells everything."""
    caplog.set_level(logging.DEBUG)
    for name in list(logging.root.manager.loggerDict):
        caplog.set_level(logging.DEBUG, logger=name)


def found_in(told: Iterable[object]) -> set[str]:
    """The lines of *told* that hold a secret, plain or as a header bears it."""
    packed = base64.b64encode(PAIR.encode()).decode()
    lines = "\n".join(str(part) for part in told).splitlines()
    return {line for line in lines if "canary" in line or packed in line}


def sent_secrets(requests: Iterable[Request]) -> bool:
    """Tell if a secret was used at all: else a test would prove nothing."""
    return bool(found_in(str(request.headers) for request in requests))


def shown(error: BaseException) -> list[str]:
    """All that an error can show of itself, and of what led to it."""
    return [
        str(error),
        repr(error),
        repr(vars(error)),
        *traceback.format_exception(error),
    ]


def echo(status: int, **headers: str) -> Any:
    """A server that repeats what it was told, in the body and in a header."""

    def script(request: Request) -> Answer:
        heard = str(request.headers)
        return Answer(
            f"<html><body>{heard}</body></html>",
            status,
            {"Content-Type": "text/html", "X-Heard": heard, **headers},
        )

    return script
