"""Parse base addresses as people type them, and keep their credentials apart."""

import base64
import ipaddress
import re
from dataclasses import dataclass, field
from typing import Annotated, Any, Self
from urllib.parse import unquote, urlsplit

import ada_url
from pydantic.functional_validators import BeforeValidator
from pydantic_settings import NoDecode

# Paths that are copied along with the address from a browser or another app.
_TAIL = re.compile(r"(?:/+search)?/*$", re.IGNORECASE)
_SCHEMELESS = re.compile(r"[\w.-]+(?::[0-9]{1,5})?(?:/\S*)?")


@dataclass(frozen=True, slots=True)
class BaseAddress:
    """The address of a server; no repr and no message contains its credentials."""

    url: str
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read *text*; ValueError names the right form and quotes nothing."""
        typed = text.strip()
        scheme, mark, rest = typed.partition("://")
        if not mark or scheme.lower() not in {"http", "https"}:
            hint = ""
            if _SCHEMELESS.fullmatch(typed):
                hint = ", as in http://localhost:8080"
            raise ValueError(f"an address that begins with http:// or https://{hint}")
        authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
        path = re.split(r"[?#]", rest[len(authority) :], maxsplit=1)[0]
        if "@" in rest[len(authority) :]:
            raise ValueError("/ ? # in the password written as %2F %3F %23")
        if not authority:
            raise ValueError("an address that names a host")
        if re.search(r"[\s\\<>\"\x00-\x1f\x7f]", authority + path):
            raise ValueError("an address without spaces, quotes, < and >")
        try:
            parsed = ada_url.URL(f"{scheme}://{authority}{_TAIL.sub('', path)}")
            parts = urlsplit(f"{scheme}://{authority}")
        except ValueError:
            raise ValueError("a complete address") from None
        # The quote is allowed in a path, but would end one in a command to copy.
        place = str(parsed.pathname).rstrip("/").replace("'", "%27")
        url = f"{parsed.protocol}//{parsed.host}{place}"
        if parts.username is None and parts.password is None:
            return cls(url)
        return cls(url, unquote(parts.username or ""), unquote(parts.password or ""))

    @property
    def host(self) -> str:
        """Host name without port."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """Port, also where the address leaves it out."""
        parts = urlsplit(self.url)
        return parts.port or (443 if parts.scheme == "https" else 80)

    @property
    def is_loopback(self) -> bool:
        """True for the machine or container of the program itself."""
        return is_loopback(self.host)

    @property
    def has_credentials(self) -> bool:
        """True if a user name or password came with the address."""
        return bool(self.user or self.password)

    def authorization(self, key: str | None) -> dict[str, str]:
        """The header for our credentials: the address's own, else *key* as a token."""
        if self.has_credentials:
            pair = f"{self.user or ''}:{self.password or ''}".encode()
            return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
        return {"Authorization": f"Bearer {key}"} if key else {}

    def __str__(self) -> str:
        """The address without its credentials."""
        return self.url


def is_loopback(host: str) -> bool:
    """True if *host* is this machine, by any of the names and addresses it has."""
    name = host.lower().removesuffix(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    # 0.0.0.0 and :: are connected to as loopback.
    return address.is_loopback or address.is_unspecified


def without_credentials(text: str) -> str:
    """Hide everything before the last @ of *text*, even if it is malformed."""
    return re.sub(r"^([a-zA-Z]{1,10}:/+)?.*@", r"\1…@", text, count=1, flags=re.DOTALL)


def _address(value: Any) -> BaseAddress:
    return value if isinstance(value, BaseAddress) else BaseAddress.parse(str(value))


def _proxy(value: Any) -> BaseAddress:
    address = _address(value)
    if urlsplit(address.url).path:
        raise ValueError("a proxy's host and port without a path")
    return address


Address = Annotated[BaseAddress, NoDecode, BeforeValidator(_address)]
Proxy = Annotated[BaseAddress, NoDecode, BeforeValidator(_proxy)]
