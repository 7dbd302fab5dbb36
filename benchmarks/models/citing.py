"""
How often a real model cites what it answers from, by the prompt around the results.

The pages and questions are of invented places, so that a right answer was read:
`places.toml`. All pages are in each prompt, so that the server reads them only once.
`python -m benchmarks.models.citing [PROMPT …]` prints each answer, and a table.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent.prompts import fenced, numbered_list, question_prompt, system_prompt
from benchmarks.models.llama import Llama, llama
from benchmarks.models.packages import CACHE, weights
from benchmarks.result import Figure, Skipped
from citations import Source, cited
from text.passages import Excerpt

LANGUAGES: Final = ("en", "zh")
PRODUCT: Final = "product"  # the prompt that the product writes

_PLACES: Final = tomllib.loads(
    Path(__file__).with_name("places.toml").read_text(encoding="utf-8")
)
_PROMPTS: Final = tomllib.loads(
    Path(__file__).with_name("prompts.toml").read_text(encoding="utf-8")
)
_FENCE: Final = re.compile("(?<=results-)[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer of the model: whether it cites, is right, and cites a right page."""

    question: str
    text: str
    cites: bool
    right: bool
    sound: bool


def sound() -> Figure:
    """Percent of the answers that are right and cite a page that says so."""
    if not (CACHE / "qwen" / "ready").exists():
        raise Skipped("it needs weights of 1.1 GB: make test-model MODEL=qwen")
    with _server() as server:
        answers = [one for lang in LANGUAGES for one in asked(server, PRODUCT, lang)]
    share = 100 * sum(one.sound for one in answers) / len(answers)
    return Figure(share, f"{sum(one.cites for one in answers)} of {len(answers)} cite")


def asked(server: Llama, prompt: str, language: str, seed: int = 7) -> Iterator[Cited]:
    """Ask every question of a *language* with that *prompt*."""
    places = _PLACES[language]
    sources = {
        number: Source(
            number,
            page["title"],
            f"https://{language}{number}.example.org/",
            text=page["text"].strip(),
        )
        for number, page in enumerate(places["pages"], start=1)
    }
    for asking in places["questions"]:
        question = asking["ask"]
        words = _FENCE.sub("0" * 16, _prompt(prompt, language, question, sources))
        messages = [
            {"role": "system", "content": system_prompt(question)},
            {"role": "user", "content": words},
        ]
        _, reply = server.ask(
            "POST", "/v1/chat/completions", {"messages": messages, "seed": seed}
        )
        text = reply["choices"][0]["message"]["content"]
        numbers = cited(text, sources)
        right = re.search(asking["fact"], text) is not None
        is_sound = right and bool({*numbers} & {*asking["pages"]})
        yield Cited(question, text, bool(numbers), right, is_sound)


def _prompt(
    name: str, language: str, question: str, sources: Mapping[int, Source]
) -> str:
    excerpts = {n: Excerpt(n, one.text, is_whole=True) for n, one in sources.items()}
    if name == PRODUCT:
        return question_prompt(question, sources.values(), 200, excerpts)
    results = numbered_list(sources.values(), 200, excerpts, language)
    form: str = _PROMPTS[language][name]
    return form.format(results=fenced(results), question=question)


def _server() -> Any:
    """A server as users have it: at a temperature, but with the same seed each time."""
    options = {"sampling__temp": 0.8, "sampling__grammar": None, "n_predict": 150}
    return llama(weights("qwen"), **options)


def main(names: Sequence[str]) -> None:
    """Print the answers, and how many cite, are right, and cite the right page."""
    rows = []
    with _server() as server:
        for language in LANGUAGES:
            for name in names or [PRODUCT, *_PROMPTS[language]]:
                answers = []
                for one in asked(server, name, language):
                    answers.append(one)
                    print(f"\n## {name} · {one.question}\n{one.text}", flush=True)
                counts = (
                    sum(getattr(one, part) for one in answers)
                    for part in ("cites", "right", "sound")
                )
                rows.append(f"{language} | {name} | {' | '.join(map(str, counts))}")
                print(rows[-1], file=sys.stderr, flush=True)
    print("\n".join(["", "language | prompt | cite | right | sound", *rows]))


if __name__ == "__main__":
    main(sys.argv[1:])
