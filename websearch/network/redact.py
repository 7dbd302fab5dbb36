"""Keep queries, keys and credentials out of the logs of the HTTP libraries."""

import logging
from itertools import product
from typing import Final

# Ours, and that of the language model's client.
_LIBRARIES: Final = ("httpcore", "httpcore2")
_NAMES: Final = ("connection", "http11", "http2", "proxy", "socks")


def hush_http_logs() -> None:
    """
    Cut what they log at DEBUG down to the names of its events.

    Its lines hold the headers of answers, and servers repeat addresses and queries
    in them. A filter holds at every level. Calling it again changes nothing.
    """
    for library, name in product(_LIBRARIES, _NAMES):
        logging.getLogger(f"{library}.{name}").addFilter(_event_only)


def _event_only(record: logging.LogRecord) -> bool:
    record.msg, record.args = str(record.msg).partition(" ")[0], ()
    return True
