"""The tool contract: arguments and results are JSON objects, errors SearchError."""

import json
import warnings
from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
)
from pydantic.json_schema import SkipJsonSchema

from untrusted.text import clean_query
from websearch.config.settings import Settings
from websearch.engines import Stub
from websearch.errors import InvalidInput
from websearch.factory import create_service
from websearch.fetch.service import PageReader
from websearch.models import FORMS, MAX_RESULTS, SearchRequest, TimeRange
from websearch.service import SearchService

DEFAULT_BACKEND: Final = "stub"

FETCH_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "url": {
            "type": "string",
            "minLength": 1,
            "description": "Address of the page to read: http or https.",
        }
    },
    "required": ["url"],
    "additionalProperties": False,
}

_COUNT: Final = f"a whole number from 1 to {MAX_RESULTS}"
_TIME_RANGE: Final = "day, week, month or year"
_EXPECTED: Final = {
    **{name: form.expected for name, form in FORMS.items()},
    "query": "text",
    "count": _COUNT,
    "max_results": _COUNT,
    "freshness": _TIME_RANGE,
    "time_range": _TIME_RANGE,
    "lang": FORMS["locale"].expected,
    "need_summary": "true or false",
    "budget_ms": "a whole number above 0",
}


def _formed(name: str) -> AfterValidator:
    def check(text: str) -> str:
        if not FORMS[name].fits(text):
            raise ValueError
        return text

    return AfterValidator(check)


# None stands for a missing argument; the schema does not list it.
Omitted = SkipJsonSchema[None]
Count = Annotated[int, Field(ge=1, le=MAX_RESULTS)]
Country = Annotated[str, _formed("country"), Field(min_length=2, max_length=2)]
Tag = Annotated[str, _formed("locale")]


class SearchArguments(BaseModel):
    """The arguments that `web.search` shares with the tool of a language model."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    query: str = Field(
        description="What to look for: a few specific words, in the language of the "
        "pages wanted, such as 'weather in Beijing tomorrow'.",
        # SearchRequest checks it with its own message.
        json_schema_extra={"minLength": 1},
    )
    count: Count | Omitted = Field(
        default=None, description="How many results are wanted, such as 3."
    )
    country: Country | Omitted = Field(
        default=None,
        description="Country whose pages come first, by its code of two letters "
        "(ISO 3166), such as CN; where the search engine can.",
    )
    freshness: TimeRange | Omitted = Field(
        default=None,
        description="Only pages of the last day, week, month or year, such as week; "
        "where the search engine can.",
    )

    @field_validator("query", mode="before")
    @classmethod
    def _encodable(cls, query: Any) -> Any:
        """Replace lone surrogates, for which pydantic raises."""
        return clean_query(query) if isinstance(query, str) else query


class ContractArguments(SearchArguments):
    """All arguments of `web.search`; of two aliases the reserved name comes first."""

    max_results: Count | Omitted = Field(
        default=None, description="Another name of count; it comes first."
    )
    locale: Tag | Omitted = Field(
        default=None, description="Language of the results, such as zh-CN."
    )
    lang: Tag | Omitted = Field(
        default=None, description="Another name of locale, which comes first."
    )
    time_range: TimeRange | Omitted = Field(
        default=None, description="Another name of freshness; it comes first."
    )
    site_filter: Annotated[str, _formed("site_filter")] | Omitted = Field(
        default=None, description="Only pages of this host, such as example.org."
    )
    need_summary: bool = Field(
        default=False, description="Ask for a summary, where a backend can give one."
    )
    trace_id: Annotated[str, _formed("trace_id")] | Omitted = Field(
        default=None, description="Comes back as request_id, such as call-17."
    )
    budget_ms: Annotated[int, Field(ge=1)] | Omitted = Field(
        default=None, description="Shortens the time limit, in ms, such as 2000."
    )

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> Self:
        """Parse the arguments of a call; an error never contains a value."""
        if unknown := given.keys() - cls.model_fields.keys():
            known = ", ".join(cls.model_fields)
            raise InvalidInput(f"{len(unknown)} arguments are unknown; known: {known}")
        present = {name: value for name, value in given.items() if value is not None}
        try:
            return cls.model_validate(present)
        except ValidationError as error:
            message = complaint(error)
        # Outside the block, because pydantic's error contains the value.
        raise InvalidInput(message)

    def request(self) -> SearchRequest:
        """Make the request; raises InvalidInput if the query is invalid."""
        return SearchRequest(
            self.query,
            max_results=self.max_results or self.count or MAX_RESULTS,
            locale=self.locale or self.lang,
            country=self.country,
            time_range=self.time_range or self.freshness,
            site_filter=self.site_filter,
            need_summary=self.need_summary,
            trace_id=self.trace_id,
            budget_ms=self.budget_ms,
        )


def complaint(error: ValidationError) -> str:
    """Name the first wrong argument and its valid form, without its value."""
    first = error.errors(include_input=False, include_url=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        return "an argument is unknown"
    if first["type"] == "missing":
        return f"{name} is missing: say what to look for"
    return f"{name} must be {_EXPECTED[name]}"


# Without titles and defaults that only repeat the names.
_GENERATED: Final = ContractArguments.model_json_schema()
SEARCH_SCHEMA: Final[Mapping[str, Any]] = {
    "type": _GENERATED["type"],
    "properties": {
        name: {
            key: value
            for key, value in field.items()
            if key != "title" and (key, value) != ("default", None)
        }
        for name, field in _GENERATED["properties"].items()
    },
    "required": _GENERATED["required"],
    "additionalProperties": _GENERATED["additionalProperties"],
}


class WebProvider:
    """Answers `web.search` through a search service."""

    def __init__(self, service: SearchService) -> None:
        self._service = service

    def call(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Search, and wait for the answer; raises only SearchError."""
        request = ContractArguments.parse(arguments).request()
        return self._service.search(request).as_items()

    async def acall(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Search without blocking the event loop."""
        request = ContractArguments.parse(arguments).request()
        return (await self._service.asearch(request)).as_items()

    def close(self) -> None:
        """Close the service."""
        self._service.close()


class StubProvider(WebProvider):
    """Answers with fixed samples, without any network."""

    def __init__(self) -> None:
        super().__init__(SearchService(Stub()))


class BuiltinProvider(WebProvider):
    """Answers through the backend of the settings; if unset or unknown, the stub."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(create_service(settings, default=DEFAULT_BACKEND))


async def web_fetch(reader: PageReader, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `web.fetch` through a reader of pages; raises only SearchError."""
    url = arguments.get("url")
    if set(arguments) != {"url"} or not isinstance(url, str):
        raise InvalidInput("web.fetch takes one argument: url, an address as text")
    return (await reader.aread(url)).as_dict()


def read_arguments(text: str) -> dict[str, Any]:
    """Read the arguments of a call from text; InvalidInput if it is no JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InvalidInput("The arguments of a tool must be a JSON object")
    return value


def items_of(result: Any) -> list[dict[str, Any]]:
    """Return the items of a result; a bare list is deprecated but still accepted."""
    if isinstance(result, list):
        warnings.warn(
            "A bare list as result of web.search is deprecated: return {'items': […]}",
            DeprecationWarning,
            stacklevel=2,
        )
        return result
    items = result.get("items") if isinstance(result, Mapping) else None
    if not isinstance(items, list):
        raise InvalidInput("A result of web.search is an object with a list of items")
    return items
