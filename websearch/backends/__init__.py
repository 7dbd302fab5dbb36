"""The registry: every backend by its name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from websearch.backend import Backend
from websearch.backends.searxng import Searxng
from websearch.backends.stub import Stub
from websearch.http import Http
from websearch.settings import Settings

__all__ = ["BACKENDS", "Searxng", "Stub"]


def _stub(_settings: Settings, _http: Http) -> Backend:
    return Stub()


BACKENDS: Final[Mapping[str, Callable[[Settings, Http], Backend]]] = MappingProxyType(
    {"searxng": Searxng.from_settings, "stub": _stub}
)
