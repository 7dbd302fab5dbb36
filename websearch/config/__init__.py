"""Settings, their sources, and addresses as people type them."""

from websearch.config.address import Address, BaseAddress
from websearch.config.allowed_hosts import AllowedHosts, IPNetwork
from websearch.config.env_file import (
    ENV_FILE,
    NotWrittenError,
    change_env_file,
    in_environment,
    leave_to_env_file,
)
from websearch.config.files import Rejection, plain_name, read_model
from websearch.config.settings import Key, Settings, engines_named
from websearch.config.sources import CONFIG, SettingsBase, setting

__all__ = [
    "CONFIG",
    "ENV_FILE",
    "Address",
    "AllowedHosts",
    "BaseAddress",
    "IPNetwork",
    "Key",
    "NotWrittenError",
    "Rejection",
    "Settings",
    "SettingsBase",
    "change_env_file",
    "engines_named",
    "in_environment",
    "leave_to_env_file",
    "plain_name",
    "read_model",
    "setting",
]
