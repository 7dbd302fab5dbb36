"""How often the built-in answerer quotes first the sentence that answers."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from agent.without_model.quoting import Passage, quotes
from benchmarks.result import Figure

_QUESTIONS: Final = Path(__file__).with_name("questions.toml")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what a search found, and words of the sentence that answers."""

    ask: str
    kind: str
    split: Literal["dev", "held"]
    answer: str  # '' where no result answers
    found: Sequence[Passage]
    hard: bool = False

    def is_right(self) -> bool:
        """Whether the answer is quoted first, or nothing where nothing answers."""
        chosen = quotes(self.ask, self.found)
        if not self.answer:
            return not chosen
        return bool(chosen) and self.answer in chosen[0].text


def load() -> list[Question]:
    """Our questions, those without an answer too."""
    with _QUESTIONS.open("rb") as file:
        rows = tomllib.load(file)["questions"]
    return [Question(**{**row, "found": _passages(row["found"])}) for row in rows]


def share(questions: Sequence[Question]) -> float:
    """Percentage of *questions* that are answered right."""
    return 100 * sum(one.is_right() for one in questions) / len(questions)


def first() -> Figure:
    """Of the questions that a result answers, the part where it is quoted first."""
    questions = load()
    answered = [one for one in questions if one.answer]
    groups = {
        "tuned on": [one for one in answered if one.split == "dev"],
        "kept aside": [one for one in answered if one.split == "held"],
        "hard": [one for one in answered if one.hard],
        "without an answer": [one for one in questions if not one.answer],
    }
    shares = (
        f"{name} {share(group):.1f} % of {len(group)}" for name, group in groups.items()
    )
    return Figure(share(answered), ", ".join(shares))


def _passages(rows: Sequence[Sequence[str]]) -> list[Passage]:
    return [
        Passage(number, title, text, url)
        for number, (title, url, text) in enumerate(rows, start=1)
    ]
