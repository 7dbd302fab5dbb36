"""Settings, where they come from, and addresses as people type them."""

from websearch.config.address import BaseAddress
from websearch.config.config_file import engines_named
from websearch.config.lenient import Address, Key, LenientSettings, Rejection
from websearch.config.plan import DEFAULT_BACKEND, Plan
from websearch.config.settings import Settings

__all__ = [
    "DEFAULT_BACKEND",
    "Address",
    "BaseAddress",
    "Key",
    "LenientSettings",
    "Plan",
    "Rejection",
    "Settings",
    "engines_named",
]
