"""The processes that services and readers share."""

from dataclasses import dataclass, field
from typing import Self

from websearch.browser.browser import Browser
from websearch.config.settings import Settings
from websearch.parsing.workers import Workers


@dataclass(frozen=True, slots=True)
class Processes:
    """Workers that parse pages, and a browser that renders them; started when used."""

    workers: Workers = field(default_factory=Workers)
    browser: Browser = field(default_factory=Browser)

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """The processes with the browser of the settings."""
        return cls(browser=Browser(settings.chrome_path))
