"""A complete response of a server, read up to a limit of bytes and decompressed."""

import json
import re
import zlib
from collections.abc import Mapping
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
    body, has_more = await read_body(response, max_bytes)
    if has_more:
        raise WebParseError(
            f"The answer is larger than {max_bytes} bytes", detail_code="too_large"
        )
    return Reply(response.status_code, dict(response.headers), body)


async def read_body(response: httpx.Response, max_bytes: int) -> tuple[bytes, bool]:
    """
    Read the beginning of a body, inflated, and whether there is more of it.

    httpx would expand a whole chunk in one step.
    """
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        raise WebParseError(
            "The answer is packed in a way that was not asked for",
            detail_code="bad_encoding",
        )
    inflate = _Inflater() if _ENCODINGS[encoding] else None
    body, raw_left = bytearray(), max_bytes
    async for chunk in response.aiter_raw():
        raw_left -= len(chunk)
        room = max_bytes + 1 - len(body)
        body += inflate(chunk, room) if inflate else chunk
        if raw_left < 0 or len(body) > max_bytes:
            return bytes(body[:max_bytes]), True
    if inflate:
        inflate.close()
    return bytes(body), False


class _Inflater:
    """Unpack gzip, also several members in a row, no further than asked."""

    def __init__(self) -> None:
        self._member: zlib._Decompress | None = None
        self._has_ended = False  # a member is complete
        self._rest = b""  # after it: the first bytes of the next one, or of padding

    def __call__(self, chunk: bytes, room: int) -> bytes:
        """Unpack the next chunk, up to *room* bytes."""
        parts = bytearray()
        chunk, self._rest = self._rest + chunk, b""
        while chunk and len(parts) < room:
            # Anything but another member after one is dropped.
            is_between = self._has_ended and not self._member
            if is_between and not chunk.startswith(_GZIP_START):
                self._rest = chunk[:2]
                break
            member = self._member = self._member or zlib.decompressobj(_GZIP)
            try:
                parts += member.decompress(chunk, room - len(parts))
            except zlib.error:
                raise _broken() from None
            chunk = member.unused_data
            if member.eof:
                self._member, self._has_ended = None, True
        return bytes(parts)

    def close(self) -> None:
        """Raise WebParseError if the last member is incomplete."""
        if self._member:
            raise _broken()


def _broken() -> WebParseError:
    return WebParseError("The answer is packed, but broken", detail_code="bad_encoding")
