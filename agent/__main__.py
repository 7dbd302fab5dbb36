"""Ask a question, write a report, or run the doctor."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Final

from agent.events import (
    Answer,
    Aside,
    Failed,
    ModelProblem,
    SearchFailed,
    SearchFinished,
    Token,
)
from agent.models.doctor import examine
from agent.report_command import add_report
from agent.resources import Resources
from agent.session import Mode, Session, open_session
from citations import Round, Source, link, reference_list, round_list
from citations.evidence import check
from untrusted.text import clean_query, escaped, one_line
from websearch import InvalidInput, SearchError
from websearch.command_line import (
    ANSWERED,
    FAILED,
    INTERRUPTED,
    LanguageSettings,
    parser_of,
    read_command,
)
from websearch.config import Settings
from websearch.doctor import (
    adiagnose,
    adiagnose_reading,
    language_of_terminal,
    print_report,
)

# As the list of references, in Chinese.
_EVIDENCE: Final = "依据"
_FULL_TEXT: Final = "全文"
_SNIPPET: Final = "摘要"
_NO_SENTENCE: Final = "没有找到对应的句子"


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run one command; answers and reports go to standard output.

    `ask` prints an answer, or what was written of it before the model failed. Where
    there is neither, it prints the error as JSON. Every failure is told on standard
    error too, and the exit code is then 1.
    """
    arguments = read_command(_parser(), argv)
    try:
        code = _run(arguments)
        sys.stdout.flush()  # fails here, and not at exit, if nobody reads any more
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _run(arguments: argparse.Namespace) -> int:
    try:
        return int(asyncio.run(arguments.run(arguments)))
    except SearchError as error:
        _print_error(error.as_dict(), str(error))
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser, commands = parser_of("agent", __doc__)

    ask = commands.add_parser("ask", help="answer a question, with its references")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.CHAT)
    ask.add_argument(
        "--evidence",
        action="store_true",
        help="list the sentences of the sources below the answer",
    )
    ask.set_defaults(run=_ask)

    add_report(commands)

    doctor = commands.add_parser("doctor", help="examine search, reading and model")
    doctor.add_argument("--json", action="store_true", help="for scripts")
    doctor.set_defaults(run=_doctor)
    return parser


async def _ask(arguments: argparse.Namespace) -> int:
    if not clean_query(arguments.question):
        raise InvalidInput("question is empty: say what to ask")
    resources = Resources.load()
    try:
        await resources.models.refresh()
        session = open_session(resources)
        session.choose(arguments.mode, search=True)
        needs_search = resources.models.is_built_in
        answer = await _print_answer(session, arguments.question, needs_search)
        if answer and arguments.evidence and (sentences := _evidence(answer)):
            print(f"\n{sentences}")
        return ANSWERED if answer else FAILED
    finally:
        await resources.aclose()


async def _print_answer(
    session: Session, question: str, needs_search: bool
) -> Answer | None:
    """Print the answer, and return it if it is complete."""
    rounds: list[Round] = []
    written: list[str] = []
    complete: Answer | None = None
    async with aclosing(session.ask(question)) as events:
        async for event in events:
            match event:
                case Token(text):
                    written.append(text)
                case Aside():
                    written.clear()
                case SearchFailed(error=error):
                    _report_search(error, needs_search)
                case SearchFinished(query, sources):
                    rounds.append(Round(query, tuple(sources)))
                case Failed(problem):
                    answer = Answer("".join(written), _sources(rounds))
                    _print_failure(problem, answer, rounds, session.mode)
                    return None
                case Answer():
                    print(_markdown(event, rounds, session.mode))
                    complete = event
    return complete


def _report_search(error: SearchError, needs_search: bool) -> None:
    """Raise *error* where no answer can do without a search, else print it."""
    if needs_search:
        raise error
    print(f"The search failed: {error}", file=sys.stderr)


def _print_failure(
    problem: ModelProblem, answer: Answer, rounds: Sequence[Round], mode: Mode
) -> None:
    """Print what the model has written of the *answer*, or the error."""
    message = f"The model failed: {problem}"
    if answer.text.strip():
        print(_markdown(answer, rounds, mode))
        print(f"{message}; the answer is incomplete", file=sys.stderr)
    else:
        error = {"type": "ModelFailed", "message": message, "detail_code": problem}
        _print_error(error, message)


def _sources(rounds: Sequence[Round]) -> Mapping[int, Source]:
    return {source.number: source for this in rounds for source in this.sources}


def _print_error(error: Mapping[str, object], message: str) -> None:
    print(json.dumps({"error": error}, indent=2))
    print(message, file=sys.stderr)


def _markdown(answer: Answer, rounds: Sequence[Round], mode: Mode) -> str:
    """Return the linked answer with a list of all sources, or of those cited."""
    if rounds and mode is Mode.AGENT:
        found = _sources(rounds)
        given = [one for n, one in answer.sources.items() if n not in found]
        rounds = [*(Round(one.url, [one]) for one in given), *rounds]
        sources = round_list(rounds, answer.text)
    else:
        sources = reference_list(answer.text, answer.sources)
    return "\n\n".join(filter(None, [link(answer.text, answer.sources), sources]))


def _evidence(answer: Answer) -> str:
    """A list of the cited sentences, each with the best sentence of its sources."""
    texts = {number: source.words for number, source in answer.sources.items()}
    lines = [f"#### {_EVIDENCE}"]
    for one in check(answer.text, texts):
        lines.append(f"\n- {escaped(one_line(one.sentence))}")
        for number, quote in zip(one.numbers, one.quotes, strict=True):
            kind = _FULL_TEXT if answer.sources[number].is_read else _SNIPPET
            words = f"“{escaped(one_line(quote))}”" if quote else _NO_SENTENCE
            lines.append(f"  - \\[{number}\\] {kind}: {words}")
    return "\n".join(lines) if len(lines) > 1 else ""


async def _doctor(arguments: argparse.Namespace) -> int:
    settings = Settings.load()
    language = language_of_terminal(LanguageSettings.load().ui_language)
    search, reading, model = await asyncio.gather(
        adiagnose(settings), adiagnose_reading(settings), examine()
    )
    if arguments.json:
        others = {"reading": reading, "model": model}
        told = {name: one.as_dict(language) for name, one in others.items()}
        print(json.dumps(search.as_dict(language) | told, indent=2))
    else:
        for diagnosis in (search, reading, model):
            print_report(diagnosis, language)
    return ANSWERED if search.is_usable and model.is_usable else FAILED


if __name__ == "__main__":
    sys.exit(main())
