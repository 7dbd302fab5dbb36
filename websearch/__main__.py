"""Provide the command line: search, read a page, run the doctor, call a tool."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any, Final

from untrusted.text import clip
from websearch.advice import advice_for
from websearch.command_line import (
    ANSWERED,
    FAILED,
    INTERRUPTED,
    LanguageSettings,
    language_of_terminal,
    parser_of,
    read_command,
)
from websearch.config.settings import Settings
from websearch.doctor.diagnose import adiagnose
from websearch.doctor.diagnosis import Diagnosis
from websearch.doctor.overview import overview
from websearch.doctor.reading import adiagnose_reading
from websearch.engines import BACKENDS
from websearch.errors import InvalidInput, SearchError
from websearch.factory import create_reader, create_service
from websearch.routing.selection import only
from websearch.tool_contract import read_arguments

_WIDTH: Final = 200  # characters of a snippet


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; JSON goes to standard output, messages to standard error."""
    parser, commands = parser_of("python -m websearch", __doc__)
    add_commands(commands)
    doctor = commands.add_parser("doctor", help="find out what is wrong with search")
    doctor.add_argument("--backend", type=_backend, metavar="A+B")
    doctor.add_argument("--json", action="store_true", help="for scripts")
    doctor.set_defaults(run=_doctor)
    return run(read_command(parser, argv))


def add_commands(commands: Any) -> None:
    """Add all commands but the doctor, which `agent` has for search and model."""
    search = commands.add_parser("search", help="search the web")
    search.add_argument("query", metavar="QUERY")
    search.add_argument("--backend", type=_backend, metavar="A+B")
    search.add_argument("--max-results", type=int, metavar="N", help="1 to 10")
    search.add_argument(
        "--format", choices=("text", "items", "results", "provider"), default="text"
    )
    search.set_defaults(program=run, run=_search)

    fetch = commands.add_parser("fetch", help="read a page")
    fetch.add_argument("url", metavar="URL")
    fetch.add_argument("--format", choices=("text", "json"), default="text")
    fetch.set_defaults(program=run, run=_fetch)

    backends = commands.add_parser("backends", help="list all engines and their state")
    backends.add_argument("--json", action="store_true", help="for scripts")
    backends.set_defaults(program=run, run=_backends)

    call = commands.add_parser("call", help="call a tool of the contract")
    call.add_argument(
        "tool", metavar="TOOL", help="web.search, web.fetch or research_report"
    )
    call.add_argument("arguments", metavar="JSON")
    call.set_defaults(program=run, run=_call)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; a failure is printed as JSON, with its cure."""
    # The tools load the settings themselves; twice, each warning would come twice.
    settings = None if arguments.run is _call else Settings.load()
    try:
        return int(arguments.run(arguments, settings))
    except SearchError as error:
        _print_json({"error": error.as_dict()})
        if error.provider is None or isinstance(error, InvalidInput):
            print(error, file=sys.stderr)  # our own message is more precise
        else:
            advice = advice_for(error, settings or Settings.load(), _language())
            print(f"{advice.title}\n{advice.cause}", file=sys.stderr)
            for step in advice.cure:
                print(f"- {step}", file=sys.stderr)
            if error.provider == "searxng":
                print("→ make doctor", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # the reader has closed the pipe
        return FAILED


def _search(arguments: argparse.Namespace, settings: Settings) -> int:
    shown = arguments.max_results
    options = {} if shown is None else {"max_results": shown}
    with create_service(settings, backend=arguments.backend) as service:
        response = service.search(arguments.query, **options)
    match arguments.format:
        case "items":
            _print_json(response.as_items())
        case "results":
            _print_json(response.as_results())
        case "provider":
            _print_json(response.as_provider_result())
        case _:
            for item in response.items[: shown or settings.max_results]:
                title, snippet = item.title or item.source, clip(item.snippet, _WIDTH)
                print(f"[{item.rank}] {title} | {item.url} | {snippet}")
            if not response.items:
                print("Nothing was found.", file=sys.stderr)
    return ANSWERED


def _fetch(arguments: argparse.Namespace, settings: Settings) -> int:
    with create_reader(settings) as reader:
        page = reader.read(arguments.url)
    if arguments.format == "json":
        _print_json(page.as_dict())
    else:
        print(page.markdown)
    return ANSWERED


def _doctor(arguments: argparse.Namespace, settings: Settings) -> int:
    async def examine() -> tuple[Diagnosis, Diagnosis | None]:
        if arguments.backend:  # that engine alone
            return await adiagnose(settings, backend=arguments.backend), None
        return await asyncio.gather(adiagnose(settings), adiagnose_reading(settings))

    diagnosis, reading = asyncio.run(examine())
    language = _language()
    if arguments.json:
        of_reading = {"reading": reading.as_dict(language)} if reading else {}
        _print_json(diagnosis.as_dict(language) | of_reading)
    else:
        from websearch.doctor.report import print_report  # noqa: PLC0415  rich is heavy

        print_report(diagnosis, language)
        if reading:
            print_report(reading, language)
    return ANSWERED if diagnosis.is_usable else FAILED


def _backends(arguments: argparse.Namespace, settings: Settings) -> int:
    language = _language()
    entries = overview(settings, language)
    if arguments.json:
        _print_json([entry.as_dict() for entry in entries])
    else:
        from rich.console import Console  # noqa: PLC0415  only reports need it

        from websearch.doctor.report import print_backends  # noqa: PLC0415

        print_backends(entries, language, Console())
    return ANSWERED


def _call(arguments: argparse.Namespace, _settings: None) -> int:
    # This program, not its package, stands above `agent`, which has all the tools.
    from agent.tools import call  # noqa: PLC0415  LangChain is heavy

    values = read_arguments(arguments.arguments)
    result = asyncio.run(call(arguments.tool, values))
    _print_json(result)
    # A report that quotes nothing has failed, as that of `agent report` has.
    return FAILED if "report" in result and not result["items"] else ANSWERED


def _backend(text: str) -> str:
    """One backend, or several joined by `+`."""
    try:
        return only(text.lower()).title
    except InvalidInput:
        known = ", ".join(BACKENDS)
        message = f"choose from {known}; join several with +"
        raise argparse.ArgumentTypeError(message) from None


def _language() -> str:
    return language_of_terminal(LanguageSettings.load().ui_language)


def _print_json(value: object) -> None:
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    print(json.dumps(value, ensure_ascii=encoding != "utf8", indent=2))


if __name__ == "__main__":
    sys.exit(main())
