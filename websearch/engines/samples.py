"""Three fixed results without any network, for demonstrations and tests."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from websearch.config.settings import Settings
from websearch.engines.locales import script_tag
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.client import HttpClient
from websearch.processes import Processes

NAME: Final = "stub"

_SAMPLES: Final[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("samples.toml").read_text(encoding="utf-8")
)


class Stub:
    """The same three samples for every query, in Chinese or in English."""

    name = NAME
    title: ClassVar = "offline samples"

    @classmethod
    def from_settings(
        cls, _settings: Settings, _http: HttpClient, _processes: Processes | None = None
    ) -> Self:
        """The samples need no settings and no network."""
        return cls()

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the samples."""
        language = "zh" if script_tag(request.query) == "zh-CN" else "en"
        items = [
            SearchItem(row["title"], row["url"], row["snippet"], self.name)
            for row in _SAMPLES[language]["results"]
        ]
        return SearchResponse(request.query, self.name, items)

    async def aclose(self) -> None:
        """Do nothing: there is no connection to close."""
