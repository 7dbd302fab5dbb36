"""Tell a browser on this machine from everybody else."""

from contextvars import ContextVar
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from ui.server.headers import LOCAL, host_name, is_local, is_own

# The request that is being answered, for what Chainlit calls without it.
REQUEST: Final[ContextVar[Scope | None]] = ContextVar("REQUEST", default=None)
_OF_PROXIES: Final = ("forwarded", "via", "x-forwarded", "x-real-ip", "x-client-ip")


def is_at_machine(scope: Scope | None) -> bool:
    """
    Tell if a request comes from a browser on this machine, and through no proxy.

    It names the server by a local name: no other site can be called so.
    """
    if scope is None:
        return False
    headers, (client, _) = Headers(scope=scope), scope.get("client") or ("", 0)
    is_proxied = any(name.startswith(_OF_PROXIES) for name in headers)
    is_named_locally = host_name(headers.get("host", "")) in LOCAL
    return is_local(client) and is_named_locally and not is_proxied


def is_from_own_page(scope: Scope) -> bool:
    """Tell if a page of this server itself sent a request."""
    headers = Headers(scope=scope)
    return is_own(headers.get("origin", ""), headers.get("host", ""))
