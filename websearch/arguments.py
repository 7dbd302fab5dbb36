"""What a caller may say of a search: one schema for the tool and for the contract."""

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
from websearch.errors import InvalidInput
from websearch.meant import meant_count, meant_country, meant_freshness, meant_query
from websearch.models import FORMS, MAX_RESULTS, SearchRequest, TimeRange
from websearch.service import SearchOptions

_EXPECTED: Final = {
    **{name: form.expected for name, form in FORMS.items()},
    "query": "text",
    "count": f"a whole number from 1 to {MAX_RESULTS}",
    "max_results": f"a whole number from 1 to {MAX_RESULTS}",
    "freshness": "day, week, month or year",
    "time_range": "day, week, month or year",
    "lang": FORMS["locale"].expected,
    "need_summary": "true or false",
    "budget_ms": "a whole number above 0",
}


def _formed(name: str) -> AfterValidator:
    def check(text: str) -> str:
        if not FORMS[name].pattern.fullmatch(text):
            raise ValueError
        return text

    return AfterValidator(check)


# None means left out; the schema does not offer it.
Omitted = SkipJsonSchema[None]
Count = Annotated[int, Field(ge=1, le=MAX_RESULTS)]
Country = Annotated[str, _formed("country"), Field(min_length=2, max_length=2)]
Tag = Annotated[str, _formed("locale")]


class SearchArguments(BaseModel):
    """The words of a search, and how many, whence and how old its results may be."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    query: str = Field(
        description="What to look for: a few specific words, in the language of the "
        "pages wanted, such as 'weather in Beijing tomorrow'.",
        json_schema_extra={"minLength": 1},  # SearchRequest says so in its own words
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
        """Without lone surrogates, at which pydantic stops."""
        return clean_query(query) if isinstance(query, str) else query

    def options(self) -> SearchOptions:
        """What is asked of a service beside the query."""
        return {
            "max_results": self.count or MAX_RESULTS,
            "country": self.country,
            "time_range": self.freshness,
        }

    def request(self) -> SearchRequest:
        """The search that is asked for; raises InvalidInput where the query is none."""
        return SearchRequest(self.query, **self.options())


class ContractArguments(SearchArguments):
    """Also what `web.search` reserves; of two names for one thing, one comes first."""

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
        """The arguments of a call; what is wrong with them is told in our own words."""
        if unknown := given.keys() - cls.model_fields.keys():
            known = ", ".join(cls.model_fields)
            raise InvalidInput(f"{len(unknown)} arguments are unknown; known: {known}")
        said = {name: value for name, value in given.items() if value is not None}
        if "query" not in said:
            raise InvalidInput("query is missing: say what to look for")
        try:
            return cls.model_validate(said)
        except ValidationError as error:
            (name, *_) = error.errors(include_input=False, include_url=False)[0]["loc"]
        # Outside the block: pydantic's error holds what was given.
        raise InvalidInput(f"{name} must be {_EXPECTED[str(name)]}")

    @classmethod
    def schema_of_input(cls) -> dict[str, Any]:
        """The JSON schema, less what only repeats the names of the arguments."""
        schema = cls.model_json_schema()
        for field in schema["properties"].values():
            field.pop("title")
            if "default" in field and field["default"] is None:
                del field["default"]
        kept = ("type", "properties", "required", "additionalProperties")
        return {key: schema[key] for key in kept}

    def options(self) -> SearchOptions:
        """What is asked of a service beside the query."""
        return {
            "max_results": self.max_results or self.count or MAX_RESULTS,
            "locale": self.locale or self.lang,
            "country": self.country,
            "time_range": self.time_range or self.freshness,
            "site_filter": self.site_filter,
            "need_summary": self.need_summary,
            "trace_id": self.trace_id,
            "budget_ms": self.budget_ms,
        }


class ToolArguments(SearchArguments):
    """The same, said by a language model: what can't be understood is left out."""

    model_config = ConfigDict(extra="ignore", strict=False, frozen=True)

    @field_validator("query", mode="before")
    @classmethod
    def _meant_query(cls, query: Any) -> str:
        return meant_query(query)

    @field_validator("count", mode="before")
    @classmethod
    def _meant_count(cls, count: Any) -> int | None:
        return meant_count(count, MAX_RESULTS)

    @field_validator("country", mode="before")
    @classmethod
    def _meant_country(cls, country: Any) -> str | None:
        return meant_country(country)

    @field_validator("freshness", mode="before")
    @classmethod
    def _meant_freshness(cls, freshness: Any) -> TimeRange | None:
        return meant_freshness(freshness)
