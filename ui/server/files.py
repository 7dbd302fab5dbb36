"""Files of the page: kept by a browser as long as they stay what they are."""

import asyncio
import gzip
import mimetypes
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_PACKED: Final = frozenset({".js", ".mjs", ".css", ".svg", ".json"})
_LEVEL: Final = 9  # packed once and sent often


class PageFiles:
    """The files of a folder; *hashed* ones have their version in their name."""

    def __init__(self, folder: Path, *, hashed: bool = False) -> None:
        self._folder = folder.resolve()
        self._hashed = hashed

    async def serve(self, request: Request) -> Response:
        """One file: for ever where its address names its version, else asked for."""
        path = self._path(request.path_params["name"])
        if path is None:
            return PlainTextResponse("Not found\n", 404)
        version = await asyncio.to_thread(_version, path, path.stat().st_mtime_ns)
        is_named = self._hashed or request.query_params.get("v") == version
        headers = {
            "cache-control": _FOR_EVER if is_named else "no-cache",
            "etag": f'"{version}"',
        }
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if path.suffix not in _PACKED:
            return FileResponse(path, headers=headers)
        headers["vary"] = "Accept-Encoding"
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return FileResponse(path, headers=headers)
        body = await asyncio.to_thread(_packed, path, path.stat().st_mtime_ns)
        kind = mimetypes.guess_type(path.name)[0]
        headers["content-encoding"] = "gzip"
        return Response(body, headers=headers, media_type=kind)

    def version(self, name: str) -> str | None:
        """What the address of a file is to name; None where there is no such file."""
        path = self._path(name)
        return _version(path, path.stat().st_mtime_ns) if path else None

    def _path(self, name: str) -> Path | None:
        path = (self._folder / name).resolve()
        is_ours = path.is_relative_to(self._folder) and path.is_file()
        return path if is_ours else None


@lru_cache(maxsize=128)
def _version(path: Path, _changed: int) -> str:
    return sha256(path.read_bytes()).hexdigest()[:16]


@lru_cache(maxsize=32)
def _packed(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), _LEVEL, mtime=0)
