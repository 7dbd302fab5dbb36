"""Ask a question, or find out what is wrong with search and model."""

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from contextlib import aclosing
from typing import Final

from agent.events import Answer, Failed, SearchFailed, SearchFinished
from agent.models.doctor import examine
from agent.resources import Resources
from agent.session import Mode, Session, open_session
from citations import Round, link, reference_list, round_list
from websearch.config import Settings
from websearch.doctor import Diagnosis, adiagnose, language_of_terminal, print_report

ANSWERED: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; answers and reports go to standard output."""
    arguments = _parser().parse_args(argv)
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
    )
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # real streams have it
    try:
        return int(asyncio.run(arguments.run(arguments)))
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agent", description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="log to stderr")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    ask = commands.add_parser("ask", help="answer a question, with its references")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.CHAT)
    ask.set_defaults(run=_ask)

    doctor = commands.add_parser("doctor", help="examine search and model")
    doctor.add_argument("--json", action="store_true", help="for scripts")
    doctor.set_defaults(run=_doctor)
    return parser


async def _ask(arguments: argparse.Namespace) -> int:
    resources = Resources.load()
    try:
        await resources.models.refresh()
        session = open_session(resources)
        session.choose(arguments.mode, search=True)
        return await _print_answer(session, arguments.question)
    finally:
        await resources.aclose()


async def _print_answer(session: Session, question: str) -> int:
    rounds: list[Round] = []
    async with aclosing(session.ask(question)) as events:
        async for event in events:
            match event:
                case SearchFailed(error=error):
                    print(f"The search failed: {error}", file=sys.stderr)
                case SearchFinished(query, sources):
                    rounds.append(Round(query, tuple(sources)))
                case Failed(problem):
                    print(f"The model failed: {problem}", file=sys.stderr)
                    return FAILED
                case Answer():
                    print(
                        _markdown(event, rounds if session.mode is Mode.AGENT else [])
                    )
    return ANSWERED


def _markdown(answer: Answer, rounds: Sequence[Round]) -> str:
    """Return the linked answer with a list of all sources, or of those cited."""
    if rounds:
        sources = round_list(rounds, answer.text)
    else:
        sources = reference_list(answer.text, answer.sources)
    return "\n\n".join(filter(None, [link(answer.text, answer.sources), sources]))


async def _doctor(arguments: argparse.Namespace) -> int:
    settings = Settings.load()
    language = language_of_terminal(settings.ui_language)
    search, model = await asyncio.gather(adiagnose(settings), examine())
    if arguments.json:
        _print_json(search, model, language)
    else:
        print_report(search, language)
        print_report(model, language)
    return ANSWERED if search.is_usable and model.is_usable else FAILED


def _print_json(search: Diagnosis, model: Diagnosis, language: str) -> None:
    both = search.as_dict(language) | {"model": model.as_dict(language)}
    print(json.dumps(both, indent=2))


if __name__ == "__main__":
    sys.exit(main())
