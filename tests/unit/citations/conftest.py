"""The parser that checks us logs each step; nobody wants to read that."""

import logging

logging.getLogger("markdown_it").setLevel(logging.WARNING)
