"""A complete response of a server, read up to a limit of bytes and decompressed."""

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from untrusted.text import short
from websearch.errors import WebParseError

# Brackets and commas bound the number of values: a megabyte of `{},` would become
# 25 MB of dictionaries. A page of results has a few thousand.
MAX_JSON_MARKS: Final = 100_000

_GZIP: Final = 31  # zlib's number for the largest window with a gzip header
_GZIP_START: Final = b"\x1f\x8b"  # the first two bytes of each member
_ENCODINGS: Final = {"": False, "identity": False, "gzip": True, "x-gzip": True}

_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w-]{1,20})", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete response: status, headers by lower-case name, decompressed body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def media_type(self) -> str:
        """Content type without parameters, lower case."""
        kind = self.headers.get("content-type", "")
        return kind.partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The character set that the content type states."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else None

    @property
    def text(self) -> str:
        """The body as text, to search in only: wrong bytes are replaced."""
        return self.body.decode("utf-8", "replace")

    @property
    def retry_after(self) -> float | None:
        """Seconds of Retry-After, if the header is a number."""
        value = self.headers.get("retry-after", "")
        return float(value) if re.fullmatch("[0-9]{1,6}", value) else None

    def facts(self) -> dict[str, str]:
        """Status, type, title and server of the response, cleaned for a terminal."""
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
        """Parse the body as JSON; WebParseError if it is invalid, too deep or wide."""
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


async def read_reply(response: httpx.Response, max_bytes: int) -> Reply:
    """Read a response; WebParseError above *max_bytes*, compressed or not."""
    headers = dict(response.headers)
    inflate = _Inflater(headers.get("content-encoding", ""), max_bytes)
    parts = [inflate(chunk) async for chunk in response.aiter_raw()]
    inflate.close()
    return Reply(response.status_code, headers, b"".join(parts))


class _Inflater:
    """Decompressor with a limit; httpx would expand a whole chunk in one step."""

    def __init__(self, encoding: str, max_bytes: int) -> None:
        name = encoding.strip().lower()
        if name not in _ENCODINGS:
            raise WebParseError(
                "The answer is packed in a way that was not asked for",
                detail_code="bad_encoding",
            )
        self._is_packed = _ENCODINGS[name]
        self._member: zlib._Decompress | None = None
        self._has_ended = False  # a member is complete
        self._rest = b""  # after it: the first bytes of the next one, or of padding
        self._max_bytes = self._raw_left = self._left = max_bytes

    def __call__(self, chunk: bytes) -> bytes:
        """Decompress the next raw chunk."""
        self._raw_left -= len(chunk)
        if self._raw_left < 0:
            raise self._too_large()
        return b"".join(self._inflated(chunk)) if self._is_packed else chunk

    def close(self) -> None:
        """Raise WebParseError if the compressed data are incomplete."""
        if self._member:
            raise _broken()

    def _inflated(self, chunk: bytes) -> Iterator[bytes]:
        chunk, self._rest = self._rest + chunk, b""
        while chunk:
            # A gzip file may have several members; anything else after one is dropped.
            is_between = self._has_ended and not self._member
            if is_between and not chunk.startswith(_GZIP_START):
                self._rest = chunk[:2]
                return
            member = self._member = self._member or zlib.decompressobj(_GZIP)
            try:
                data = member.decompress(chunk, self._left + 1)
            except zlib.error:
                raise _broken() from None
            self._left -= len(data)
            if self._left < 0:
                raise self._too_large()
            yield data
            chunk = member.unused_data
            if member.eof:
                self._member, self._has_ended = None, True

    def _too_large(self) -> WebParseError:
        return WebParseError(
            f"The answer is larger than {self._max_bytes} bytes",
            detail_code="too_large",
        )


def _broken() -> WebParseError:
    return WebParseError("The answer is packed, but broken", detail_code="bad_encoding")
