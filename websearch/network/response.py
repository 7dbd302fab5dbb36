"""A complete answer of a server, and what it shows of itself."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from untrusted.text import short
from websearch.errors import WebParseError

# Brackets and commas bound the number of values: a megabyte of `{},` would become
# 25 MB of dictionaries. A page of results has a few thousand.
MAX_JSON_MARKS: Final = 100_000

_TITLE: Final = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer: status, headers by lower-case name, the unpacked body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def media_type(self) -> str:
        """Content type without parameters, lower case."""
        kind = self.headers.get("content-type", "")
        return kind.partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as text, for looking at it only."""
        return self.body.decode("utf-8", "replace")

    @property
    def retry_after(self) -> float | None:
        """Seconds the server asks to wait, where it says so as a number."""
        value = self.headers.get("retry-after", "")
        return float(value) if re.fullmatch("[0-9]{1,6}", value) else None

    def facts(self) -> dict[str, str]:
        """What an answer shows of its sender, cleaned for a terminal."""
        title = _TITLE.search(self.text[:20_000])
        location = re.split(r"[?#]", self.headers.get("location", ""))[0]
        return {
            "status": str(self.status),
            "kind": short(self.media_type) or "–",
            "title": f" “{short(title[1])}”" if title else "",
            "server": short(self.headers.get("server")) or "–",
            "location": short(location) or "–",
            "wait": f" {self.retry_after or 60:g} s",
        }

    def json(self) -> Any:
        """The body as JSON; WebParseError where it is none, or too deep or wide."""
        marks = self.body.count(b",") + self.body.count(b"[") + self.body.count(b"{")
        if marks > MAX_JSON_MARKS:
            raise WebParseError(
                f"The answer holds over {MAX_JSON_MARKS} values",
                detail_code="too_large",
                facts=self.facts(),
            )
        try:
            return json.loads(self.body)
        except RecursionError:
            raise WebParseError(
                "The answer is nested too deep",
                detail_code="too_deep",
                facts=self.facts(),
            ) from None
        except ValueError:
            raise WebParseError(
                "The answer can't be read as JSON",
                detail_code="not_json",
                facts=self.facts(),
            ) from None
