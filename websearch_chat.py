"""Start the app, ask, write a report, search, read a page, run the doctor."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from websearch import __main__ as websearch
from websearch.command_line import parser_of, read_command

FOLDER: Final = Path(__file__).parent.absolute()


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run one command of `websearch-chat`, from any folder.

    Its settings are those of the project's folder; files on the command line are
    those of the user's.
    """
    parser, commands = parser_of("websearch-chat", __doc__)
    run = commands.add_parser("run", help="start the app")
    run.add_argument("--host", default="127.0.0.1")
    run.add_argument("--port", type=int, default=8000)
    run.set_defaults(program=_run)
    websearch.add_commands(commands)
    words = sys.argv[1:] if argv is None else argv
    command = next((word for word in words if not word.startswith("-")), "")
    if command not in commands.choices:
        from agent import __main__ as agent  # noqa: PLC0415  LangChain is heavy

        agent.add_commands(commands)

    arguments = read_command(parser, argv)
    for name, value in vars(arguments).items():
        if isinstance(value, Path):
            setattr(arguments, name, value.absolute())
    if (FOLDER / "public").is_dir():  # no wheel, which has neither page nor settings
        os.chdir(FOLDER)
    return int(arguments.program(arguments))


def _run(arguments: argparse.Namespace) -> int:
    """Become the app's server, as `make run` starts it."""
    if not (FOLDER / "public").is_dir():
        sys.exit("run needs the project's folder: git clone, then make run")
    address = ("--headless", "--host", arguments.host, "--port", str(arguments.port))
    server = (sys.executable, "-m", "chainlit", "run", str(FOLDER / "app.py"))
    os.execv(sys.executable, (*server, *address))  # noqa: S606  no shell is wanted


if __name__ == "__main__":
    sys.exit(main())
