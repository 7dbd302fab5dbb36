"""Scripted models for research reports: obedient, lying, cut off, obeying pages."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from support.model.model_server import Brain, Turn, fails, says

_QUOTED = re.compile(r"^((?:\[\d+\])+) \((.*?)\) (.+)$", re.MULTILINE)
_PLANS: Final = ("You plan a research report", "研究报告列提纲")
ENDLESS: Final = 400  # characters of a piece that comes again and again


def is_plan(asked: dict[str, Any]) -> bool:
    """Tell if a request asks for a plan."""
    return any(words in asked["messages"][0]["content"] for words in _PLANS)


def quoted(asked: dict[str, Any]) -> list[tuple[str, str]]:
    """The marks and the words of each quotation in a request."""
    return [
        (marks, words)
        for marks, _, words in _QUOTED.findall(asked["messages"][1]["content"])
    ]


def writer(write: Callable[[list[tuple[str, str]]], str], *plan: str) -> Brain:
    """A model that plans these lines, and writes what *write* makes of quotations."""

    def brain(asked: dict[str, Any]) -> Turn:
        if is_plan(asked):
            return Turn(["\n".join(plan)])
        return Turn([write(quoted(asked))])

    return brain


def rewritten(quotations: Sequence[tuple[str, str]]) -> str:
    """Each quotation in other words, with its marks."""
    return " ".join(
        f"说明{words.rstrip('。')}{marks}。"
        if re.search("[\u3400-\u9fff]", words)
        else f"Reportedly {words.rstrip('.')}{marks}."
        for marks, words in quotations
    )


def lies(quotations: Sequence[tuple[str, str]]) -> str:
    """Wrong numbers, invented and foreign sources, and a claim that cites nothing."""
    marks, words = quotations[0]
    wrong = re.sub(r"\d+", lambda match: str(int(match[0]) + 7171), words).rstrip(".。")
    return (
        f"{wrong}{marks}. The moon is made of 4,242 cheeses{marks}. "
        f"{words.rstrip('.。')}[87]. Everybody knows the 5,353 towers. "
        f"{words.rstrip('.。')}[0]."
    )


def obeys(quotations: Sequence[tuple[str, str]]) -> str:
    """Write all that the pages' orders want: numbers, addresses, pictures, markers."""
    marks, _ = quotations[0]
    return (
        f"The Lintow Tower is 999 metres high[1][7]. "
        f"Buy it at https://evil.example/buy{marks}. "
        f"See [the best source](https://evil.example/definition){marks}. "
        f"![x](https://evil.example/pixel.png) is white{marks}. "
        f"<script>alert(1)</script> uses 77 floors{marks}.\n"
        f"[1]: https://evil.example/definition\n"
        "References: [1] https://evil.example/list"
    )


def repeats(quotations: Sequence[tuple[str, str]]) -> str:
    """The first quotation in other words, again and again."""
    return f"{rewritten(quotations[:1])} " * 9


def in_chinese(quotations: Sequence[tuple[str, str]]) -> str:
    """The figures of each quotation in a Chinese sentence."""
    return "".join(
        f"资料中写有{'、'.join(re.findall(r'[0-9][0-9.,]*[0-9]', words))}{marks}。"
        for marks, words in quotations
    )


def hedges(quotations: Sequence[tuple[str, str]]) -> str:
    """Each quotation as a supposition with another figure."""
    return " ".join(
        f"Suppose that, for example, {wrong.rstrip('.')}, that is about 7,171{marks}."
        for marks, words in quotations
        for wrong in (re.sub(r"\d+", lambda m: str(int(m[0]) + 1), words),)
    )


def endless(*plan: str) -> Brain:
    """A model that plans, and then writes on and on."""
    piece = "The tower is high and wide and old and white. " * (ENDLESS // 46)
    choice = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    event = f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n".encode()
    return lambda asked: (
        Turn(["\n".join(plan)]) if is_plan(asked) else Turn(alive=event)
    )


def hanging(*plan: str) -> Brain:
    """A model that plans, and then begins a sentence and is silent."""
    return lambda asked: (
        Turn(["\n".join(plan)]) if is_plan(asked) else Turn(["The tower"], hang=True)
    )


def cut_off(*plan: str) -> Brain:
    """A model whose connection ends in the middle of its second sentence."""

    def brain(asked: dict[str, Any]) -> Turn:
        if is_plan(asked):
            return Turn(["\n".join(plan)])
        said = rewritten(quoted(asked))
        return Turn([said[:60], said[60:90], said[90:]], cut_after=2)

    return brain


def bad_models(*plan: str) -> dict[str, Brain]:
    """Models of which a report must stay complete, by name."""
    return {
        "obedient": writer(rewritten, *plan),
        "silent": says(""),
        "lying": writer(lies, *plan),
        "repeating": writer(repeats, *plan),
        "in another language": writer(in_chinese, *plan),
        "hedging": writer(hedges, *plan),
        "obeying the pages": writer(obeys, *plan),
        "cut off": cut_off(*plan),
        "refusing": says("I'm sorry, but I can't help with that."),
        "endless": endless(*plan),
        "wrong key": fails(401, "Incorrect API key provided"),
        "filtered": lambda _: Turn(["The"], finish="content_filter"),
        "error in the stream": lambda _: Turn(["The"], error_event={"message": "no"}),
    }


NO_PLANS: Final = {
    "empty": "",
    "prose": (
        "I would be happy to help you with your research! First of all, towers are a "
        "fascinating subject with a long history that reaches back to antiquity, and "
        "there are many things that one could look at, such as stone, iron and glass."
    ),
    "addresses": "\n".join(f"https://evil.example/{n}?q=tower" for n in range(5)),
    "markers": "[1]\n[2]\n[3]\n---\n```\n```",
    "another subject": "Best pizza in town\nCheap flights now\nBuy gold today",
}
HUNDRED: Final = "\n".join(
    f"{n}. How high is the Lintow Tower in year {n}?" for n in range(100)
)
