"""Arguments of `web_search` calls: the contract's schema, read leniently."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import ConfigDict, Field, ValidationError, field_validator

from agent.agent_mode.prompts import QUERY
from untrusted.text import clean_query
from websearch import SearchArguments

_MOST: Final = 10  # results, as in the schema
_OMITTED: Final = {"", "null", "none", "any", "all", "auto", "nolimit"}
# 24h, 7d, past week, oneMonth, and Brave's pd, pw, pm, py.
_RANGE = re.compile(
    "(?:past|last|one|p|1)?[ _-]?(24h|7d|30d|[dwmy])(?:our|ay|eek|onth|ear)?s?"
)
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
        """Join a list of words, or write a number, as one query."""
        words = value if isinstance(value, list) else [value]
        if not all(isinstance(word, str | int | float) for word in words):
            return value
        return clean_query(" ".join(map(str, words)))

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


def query_of(arguments: Mapping[str, Any]) -> str:
    """Return the query of a call; '' if its arguments are invalid."""
    try:
        return WebSearchInput.model_validate(arguments).query
    except ValidationError:
        return ""
