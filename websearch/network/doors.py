"""Which door to the network an engine has: its own, or the one for web pages."""

from websearch.config.settings import Settings, is_page_engine
from websearch.network.client import Http


class Doors:
    """
    The doors of one service, each with its connections.

    Engines whose web pages we read share the settings of `web.fetch`: its proxy and its
    User-Agent. SearXNG and the engines with a key are asked directly.
    """

    def __init__(self, settings: Settings) -> None:
        self._own = Http()
        self._pages = Http(
            proxy=settings.fetch_proxy, user_agent=settings.fetch_user_agent
        )

    def of(self, backend: str) -> Http:
        """The door for *backend*."""
        return self._pages if is_page_engine(backend) else self._own
