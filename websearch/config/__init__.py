"""Settings, their sources, and addresses as people type them."""

from websearch.config.address import Address, BaseAddress
from websearch.config.allowed_hosts import AllowedHosts, IPNetwork
from websearch.config.files import Rejection, plain_name, read_model
from websearch.config.settings import Key, Settings, engines_named
from websearch.config.sources import CONFIG, SettingsBase, setting

__all__ = [
    "CONFIG",
    "Address",
    "AllowedHosts",
    "BaseAddress",
    "IPNetwork",
    "Key",
    "Rejection",
    "Settings",
    "SettingsBase",
    "engines_named",
    "plain_name",
    "read_model",
    "setting",
]
