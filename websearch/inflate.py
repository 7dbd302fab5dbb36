"""Unpack an answer chunk by chunk, and stop before a small bomb grows large."""

import zlib
from typing import Final

from websearch.errors import WebParseError

ENCODINGS: Final = "gzip, deflate"

_WINDOWS: Final = {"gzip": 31, "x-gzip": 31, "deflate": 47}


class Inflater:
    """Takes raw chunks and returns plain ones, at most *cap* bytes in all."""

    def __init__(self, encoding: str, cap: int) -> None:
        name = encoding.strip().lower()
        if name not in {"", "identity", *_WINDOWS}:
            raise WebParseError(
                "The answer is packed in a way that was not asked for",
                detail_code="bad_encoding",
            )
        self._unpack = zlib.decompressobj(_WINDOWS[name]) if name in _WINDOWS else None
        self._cap = self._left = cap

    def __call__(self, chunk: bytes) -> bytes:
        """The next plain bytes; WebParseError past the cap, or where it is broken."""
        if self._unpack is None:
            return self._counted(chunk)
        try:
            data = self._unpack.decompress(chunk, self._left + 1)
        except zlib.error:
            raise WebParseError(
                "The answer is packed, but broken", detail_code="bad_encoding"
            ) from None
        return self._counted(data)

    def _counted(self, data: bytes) -> bytes:
        self._left -= len(data)
        if self._left < 0:
            raise WebParseError(
                f"The answer is larger than {self._cap} bytes", detail_code="too_large"
            )
        return data
