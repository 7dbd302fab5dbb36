"""Free ports."""

import socket
from random import SystemRandom

# Below the range from which the system takes ports for connections.
_PORTS = range(10_000, 32_000)


def free_port() -> int:
    """A loopback port on which nothing listens now."""
    while True:
        port = SystemRandom().choice(_PORTS)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
