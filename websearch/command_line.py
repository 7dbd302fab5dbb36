"""The frame of a command line with commands: options, logs, language, exit codes."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, Literal

from text.language import supported
from websearch.config import SettingsBase, setting

ANSWERED: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130


class LanguageSettings(SettingsBase):
    """The language of what a person reads, on the page and in a terminal."""

    ui_language: Literal["zh-CN", "en-US", "auto"] = setting(
        "UI_LANGUAGE",
        "Language of the interface and of the doctor: `zh-CN`, `en-US`, or `auto`: "
        "Chinese where the browser or terminal asks for Chinese of any region or for "
        "no language, English for all others.",
        default="auto",
    )


def parser_of(
    program: str, description: str | None
) -> tuple[argparse.ArgumentParser, Any]:
    """The parser of *program*, and what its commands are added to."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("-v", "--verbose", action="store_true", help="log to stderr")
    return parser, parser.add_subparsers(required=True, metavar="COMMAND")


def read_command(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None
) -> argparse.Namespace:
    """Parse the command, and prepare its logs and streams."""
    arguments = parser.parse_args(argv)
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
    )
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # real streams have it
    return arguments


def language_of_terminal(chosen: str) -> str:
    """The language of the settings; for `auto`, that of the environment."""
    variables = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, variables), "")
    # `C` and `POSIX` name no language; those that do begin with a small letter.
    told = locale if locale[:1].islower() else None
    return supported(told if chosen == "auto" else chosen)
