"""Three fixed results without any network, for demonstrations and tests."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from websearch.engines.locales import script_tag
from websearch.models import SearchItem, SearchRequest, SearchResponse

NAME: Final = "stub"

_FILE: Final = Path(__file__).with_name("samples.toml")


@dataclass(frozen=True, slots=True)
class Stub:
    """The same three samples for every query, in Chinese or in English."""

    name: str = NAME

    async def asearch(self, request: SearchRequest) -> SearchResponse:
        """Return the samples."""
        language = "zh" if script_tag(request.query) == "zh-CN" else "en"
        return SearchResponse(request.query, self.name, _samples(language))

    async def aclose(self) -> None:
        """Nothing is open."""


def is_sample(title: str) -> bool:
    """Whether *title* says of itself that it is a sample; anybody's may."""
    return title.startswith(tuple(texts["mark"] for texts in _texts().values()))


@cache
def _samples(language: str) -> Sequence[SearchItem]:
    return tuple(
        SearchItem(one["title"], one["url"], one["snippet"], NAME)
        for one in _texts()[language]["results"]
    )


@cache
def _texts() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
