"""Three fixed results without any network, for demonstrations and tests."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar, Final, Self

from websearch.config.settings import Settings
from websearch.engines.locales import script_tag
from websearch.models import SearchItem, SearchRequest, SearchResponse
from websearch.network.client import HttpClient
from websearch.processes import Processes

NAME: Final = "stub"

_FILE: Final = Path(__file__).with_name("samples.toml")


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
        return SearchResponse(request.query, self.name, _samples()[language])

    async def aclose(self) -> None:
        """Do nothing: there is no connection to close."""


@cache
def _samples() -> Mapping[str, Sequence[SearchItem]]:
    """The samples by language."""
    texts = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        language: tuple(
            SearchItem(row["title"], row["url"], row["snippet"], NAME)
            for row in texts[language]["results"]
        )
        for language in texts
    }
