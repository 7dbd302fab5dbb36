"""The registry: every backend by its name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from websearch.backend import Backend
from websearch.backends.baidu_html import Baidu
from websearch.backends.bocha import Bocha
from websearch.backends.brave import Brave
from websearch.backends.ddg_html import DuckDuckGo
from websearch.backends.searxng import Searxng
from websearch.backends.stub import Stub
from websearch.http import Http
from websearch.settings import Settings

__all__ = [
    "BACKENDS",
    "Baidu",
    "Bocha",
    "Brave",
    "DuckDuckGo",
    "Searxng",
    "Stub",
]


def _stub(_settings: Settings, _http: Http) -> Backend:
    return Stub()


BACKENDS: Final[Mapping[str, Callable[[Settings, Http], Backend]]] = MappingProxyType(
    {
        "searxng": Searxng.from_settings,
        "ddg_html": DuckDuckGo.from_settings,
        "baidu_html": Baidu.from_settings,
        "brave": Brave.from_settings,
        "bocha": Bocha.from_settings,
        "stub": _stub,
    }
)
