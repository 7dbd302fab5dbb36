"""Unpack an answer chunk by chunk, and stop before a small bomb grows large."""

import zlib
from typing import Final

from websearch.errors import WebParseError

ENCODINGS: Final = "gzip"

_PACKED: Final = frozenset({"gzip", "x-gzip"})
_PLAIN: Final = frozenset({"", "identity"})
_GZIP: Final = 31  # the window and the header that zlib is to expect


class Inflater:
    """Takes raw chunks and returns plain ones; at most *cap* bytes of either in all."""

    def __init__(self, encoding: str, cap: int) -> None:
        name = encoding.strip().lower()
        if name not in _PACKED | _PLAIN:
            raise WebParseError(
                "The answer is packed in a way that was not asked for",
                detail_code="bad_encoding",
            )
        self._unpack = zlib.decompressobj(_GZIP) if name in _PACKED else None
        self._is_open = False
        self._cap = self._raw_left = self._left = cap

    def __call__(self, chunk: bytes) -> bytes:
        """The next plain bytes; WebParseError past the cap, or where it is broken."""
        self._raw_left -= len(chunk)
        if self._raw_left < 0:
            raise self._too_large()
        if self._unpack is None:
            return chunk
        parts = []
        while chunk:
            parts.append(self._next(self._unpack, chunk))
            chunk = self._unpack.unused_data
            if self._unpack.eof:  # a gzip file may be several, one after the other
                self._unpack = zlib.decompressobj(_GZIP)
                self._is_open = False
        return b"".join(parts)

    def close(self) -> None:
        """WebParseError where the answer ended before its packing did."""
        if self._is_open:
            raise _broken()

    def _next(self, unpack: "zlib._Decompress", chunk: bytes) -> bytes:
        self._is_open = True
        try:
            data = unpack.decompress(chunk, self._left + 1)
        except zlib.error:
            raise _broken() from None
        self._left -= len(data)
        if self._left < 0:
            raise self._too_large()
        return data

    def _too_large(self) -> WebParseError:
        return WebParseError(
            f"The answer is larger than {self._cap} bytes", detail_code="too_large"
        )


def _broken() -> WebParseError:
    return WebParseError("The answer is packed, but broken", detail_code="bad_encoding")
