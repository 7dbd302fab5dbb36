"""The registry of the backends: a new engine is one line in `BACKENDS`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from websearch.engines.baidu import Baidu
from websearch.engines.base import Engine
from websearch.engines.bocha import Bocha
from websearch.engines.brave import Brave
from websearch.engines.duckduckgo import DuckDuckGo
from websearch.engines.google import Google
from websearch.engines.samples import Stub
from websearch.engines.searxng import Searxng

__all__ = [
    "BACKENDS",
    "Baidu",
    "Bocha",
    "Brave",
    "DuckDuckGo",
    "Google",
    "Searxng",
    "Stub",
]

BACKENDS: Final[Mapping[str, type[Engine]]] = MappingProxyType(
    {
        "searxng": Searxng,
        "ddg_html": DuckDuckGo,
        "baidu_html": Baidu,
        "google": Google,
        "brave": Brave,
        "bocha": Bocha,
        "stub": Stub,
    }
)
