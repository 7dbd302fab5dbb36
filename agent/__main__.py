"""Ask a question, write a report, or run the doctor."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from agent.answered import Answered
from agent.events import NoticeKind
from agent.models.doctor import examine
from agent.report_command import add_report
from agent.resources import Resources
from agent.session import answer
from agent.state import ConversationState, Mode
from citations import link, reference_list, round_list
from text.language import language_of
from untrusted.text import clean_query, for_terminal, one_line
from websearch import InvalidInput, SearchError
from websearch.command_line import (
    ANSWERED,
    FAILED,
    INTERRUPTED,
    LanguageSettings,
    language_of_terminal,
    parser_of,
    read_command,
)
from websearch.config import Settings
from websearch.doctor import adiagnose, adiagnose_reading, print_report

_NOTICES: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.NO_TOOLS: "The model can't call tools: your own words were searched",
    NoticeKind.NO_CALL: "The model did not search: your own words were searched",
    NoticeKind.NO_SEARCH: "Nothing was searched: this is the model's own knowledge",
    NoticeKind.NO_CITATION: "Nothing is cited: this is the model's own knowledge",
}
# What stands around an answer, in the language of the question.
_TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh": {
        "references": "参考文献",
        "round": "第 {number} 次搜索 · “{query}”",
        "again": "再次找到 {numbers}",
        "hint": "在新标签页打开",
        "cited": "已引用",
        "evidence": "依据",
        "full_text": "全文",
        "snippet": "摘要",
        "no_sentence": "没有找到对应的句子",
    },
    "en": {
        "references": "References",
        "round": "Search {number} · “{query}”",
        "again": "Found again: {numbers}",
        "hint": "opens in a new tab",
        "cited": "cited",
        "evidence": "Evidence",
        "full_text": "full text",
        "snippet": "snippet",
        "no_sentence": "no sentence was found",
    },
}


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run one command; answers and reports go to standard output.

    `ask` prints an answer, or what was written of it before the model failed. Where
    there is neither, it prints the error as JSON. Every failure is told on standard
    error too, and the exit code is then 1.
    """
    parser, commands = parser_of("python -m agent", __doc__)
    add_commands(commands)
    return run(read_command(parser, argv))


def add_commands(commands: Any) -> None:
    """Add all commands."""
    ask = commands.add_parser("ask", help="answer a question, with its references")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.CHAT)
    ask.add_argument(
        "--evidence",
        action="store_true",
        help="list the sentences of the sources below the answer",
    )
    ask.set_defaults(program=run, run=_ask)

    add_report(commands).set_defaults(program=run)

    doctor = commands.add_parser("doctor", help="examine search, reading and model")
    doctor.add_argument("--json", action="store_true", help="for scripts")
    doctor.set_defaults(program=run, run=_doctor)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; the exit code tells how it ended."""
    try:
        try:
            code = int(asyncio.run(arguments.run(arguments)))
        except SearchError as error:
            _print_error(error.as_dict(), str(error))
            code = FAILED
        except KeyboardInterrupt:
            code = INTERRUPTED
        sys.stdout.flush()  # fails here, and not at exit, if nobody reads any more
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


async def _ask(arguments: argparse.Namespace) -> int:
    question, mode = arguments.question, arguments.mode
    if not clean_query(question):
        raise InvalidInput("question is empty: say what to ask")
    resources = Resources.load()
    try:
        await resources.models.refresh()
        needs_search = resources.models.is_built_in
        state = ConversationState(mode=mode)
        answered = await Answered.of(answer(question, state, resources))
    finally:
        await resources.aclose()
    for kind in dict.fromkeys(notice.kind for notice in answered.notices):
        if kind in _NOTICES:
            print(_NOTICES[kind], file=sys.stderr)
    for error in answered.failed:
        if needs_search:
            raise error  # without it there is nothing to quote
        print(f"The search failed: {error}", file=sys.stderr)
    failure = f"The model failed: {answered.problem}"
    if answered.problem and not answered.text.strip():
        code = answered.problem
        fields = {"type": "ModelFailed", "message": failure, "detail_code": code}
        _print_error(fields, failure)
        return FAILED
    texts = _TEXTS[language_of(question)]
    text, sources, heading = answered.text, answered.sources, texts["references"]
    if answered.rounds and mode is Mode.AGENT:
        listed = round_list(
            answered.rounds,
            text,
            heading=heading,
            round_heading=texts["round"],
            hint=texts["hint"],
            mark=texts["cited"],
            again=texts["again"],
        )
    else:
        listed = reference_list(text, sources, heading=heading, hint=texts["hint"])
    print(for_terminal("\n\n".join(filter(None, [link(text, sources), listed]))))
    if answered.problem:
        print(f"{failure}; the answer is incomplete", file=sys.stderr)
        return FAILED
    if arguments.evidence and (sentences := _evidence(answered, texts)):
        print(f"\n{sentences}")
    return ANSWERED


def _print_error(error: Mapping[str, object], message: str) -> None:
    print(json.dumps({"error": error}, indent=2))
    print(message, file=sys.stderr)


def _evidence(answered: Answered, texts: Mapping[str, str]) -> str:
    """A list of the cited sentences, each with the best sentence of its sources."""
    lines = [f"#### {texts['evidence']}"]
    for evidence in answered.evidence:
        lines.append(f"\n- {one_line(evidence.sentence)}")
        for number, quote in zip(evidence.numbers, evidence.quotes, strict=True):
            is_read = answered.sources[number].is_read
            kind = texts["full_text" if is_read else "snippet"]
            words = f"“{one_line(quote)}”" if quote else texts["no_sentence"]
            lines.append(f"  - [{number}] {kind}: {words}")
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
