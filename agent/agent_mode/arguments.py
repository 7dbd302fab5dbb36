"""Arguments of `web_search` and `web_fetch` calls, read leniently."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from agent.agent_mode.prompts import FIND, PART, QUERY, URL
from untrusted.text import clean_query
from websearch import SearchArguments

_MOST: Final = 10  # results, as in the schema
_OMITTED: Final = {"", "null", "none", "any", "all", "auto", "nolimit"}
# 24h, 7d, past week, oneMonth, and Brave's pd, pw, pm, py.
_RANGE = re.compile(
    "(?:past|last|one|p|1)?[ _-]?(24h|7d|30d|[dwmy])(?:our|ay|eek|onth|ear)?s?"
)
_PART = re.compile(r"\s*([0-9]{1,6})(?![0-9])")
_RANGES: Final[Mapping[str, str]] = {
    "24h": "day",
    "d": "day",
    "7d": "week",
    "w": "week",
    "30d": "month",
    "m": "month",
    "y": "year",
}


class WebSearchInput(SearchArguments):
    """The schema that the model sees; common mistakes are corrected, others refused."""

    model_config = ConfigDict(extra="ignore", strict=False, frozen=True)

    query: str = Field(description=QUERY)

    @field_validator("query", mode="before")
    @classmethod
    def _joined(cls, value: Any) -> Any:
        return _joined(value)

    @field_validator("count", "country", "freshness", mode="before")
    @classmethod
    def _omitted(cls, value: Any) -> Any:
        """Return None for a word that means no limit."""
        is_word = isinstance(value, str)
        return None if is_word and value.strip().lower() in _OMITTED else value

    @field_validator("count", mode="before")
    @classmethod
    def _number(cls, value: Any) -> Any:
        """Read a number, also from text such as `"5"`, and limit it to 1 to 10."""
        try:
            return int(max(1, min(float(value), _MOST)))
        except (TypeError, ValueError, OverflowError):
            return value

    @field_validator("country", mode="before")
    @classmethod
    def _code(cls, value: Any) -> Any:
        """Take the country out of a language tag such as zh-CN."""
        if not isinstance(value, str):
            return value
        code = value.strip().replace("_", "-").rpartition("-")[2].upper()
        return "GB" if code == "UK" else code

    @field_validator("freshness", mode="before")
    @classmethod
    def _range(cls, value: Any) -> Any:
        """Translate another name of a time range into ours."""
        match = (
            _RANGE.fullmatch(value.strip().lower()) if isinstance(value, str) else None
        )
        return _RANGES[match[1]] if match else value


class WebFetchInput(BaseModel):
    """The schema of `web_fetch`; part and find are left out if they are unusable."""

    model_config = ConfigDict(extra="ignore", strict=False, frozen=True)

    url: str = Field(description=URL)
    part: int | SkipJsonSchema[None] = Field(default=None, description=PART)
    find: str | SkipJsonSchema[None] = Field(default=None, description=FIND)

    @field_validator("url", "find", mode="before")
    @classmethod
    def _joined(cls, value: Any) -> Any:
        return None if value is None else _joined(value)

    @field_validator("part", mode="before")
    @classmethod
    def _number(cls, value: Any) -> int | None:
        """Read a number, also from text such as `"2"` or `"2/4"`."""
        found = _PART.match(str(value))
        return max(int(found[1]), 1) if found else None


def _joined(value: Any) -> Any:
    """Join a list of words, or write a number, as one text."""
    words = value if isinstance(value, list) else [value]
    if not all(isinstance(word, str | int | float) for word in words):
        return value
    return clean_query(" ".join(map(str, words)))
