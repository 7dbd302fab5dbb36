"""The registry: every backend by its name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from websearch.config.settings import Settings
from websearch.engines.baidu import Baidu
from websearch.engines.base import Backend
from websearch.engines.bocha import Bocha
from websearch.engines.brave import Brave
from websearch.engines.duckduckgo import DuckDuckGo
from websearch.engines.samples import Stub
from websearch.engines.searxng import Searxng
from websearch.network.client import Http

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
