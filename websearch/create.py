"""Make a search service from the settings."""

import logging
from typing import TYPE_CHECKING, Final

from websearch.errors import InvalidInput
from websearch.service import SearchService

if TYPE_CHECKING:
    from websearch.settings import Settings

logger = logging.getLogger(__name__)

DEFAULT_BACKEND: Final = "searxng"


def create_service(
    settings: "Settings | None" = None,
    *,
    backend: str | None = None,
    default: str = DEFAULT_BACKEND,
) -> SearchService:
    """
    A service made from the settings, or for *backend* where one is named.

    *default* serves where the settings name no backend, or an unknown one.
    """
    from websearch.backends import BACKENDS  # noqa: PLC0415  pydantic is heavy
    from websearch.http import Http  # noqa: PLC0415
    from websearch.settings import Settings  # noqa: PLC0415

    settings = settings or Settings.load()
    logger.info("Search settings: %s", settings.summary())
    if backend is not None and backend not in BACKENDS:
        raise InvalidInput(f"unknown backend; known are {', '.join(BACKENDS)}")
    name = backend or settings.backend or default
    if name not in BACKENDS:
        logger.warning(
            "WEB_SEARCH_BACKEND=%s is unknown (known: %s); using %s",
            name,
            ", ".join(BACKENDS),
            default,
        )
        name = default
    return SearchService(
        BACKENDS[name](settings, Http()),
        timeout=settings.timeout,
        log_queries=settings.log_queries,
    )
