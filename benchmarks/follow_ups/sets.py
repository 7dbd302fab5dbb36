"""
Read labelled conversations, and questions that stand alone.

In our own sets a line `# name` begins a conversation; each further line is a question,
and behind an arrow stands what it means where it leans on those before it.
"""

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.result import Skipped

CORPORA: Final = Path(__file__).parents[3] / "shared" / "corpora"
CAST: Final = CORPORA / "followups" / "cast2019_odd.jsonl"
SETS: Final = ("cast", "tuned", "held")
ALONE: Final = ("cmrc_trial", "clapnq_dev_even")
Turn: TypeAlias = tuple[str, str]  # a question as typed, and written out

_ARROW: Final = " → "
_SEED: Final = 3


@cache
def conversations(name: str) -> tuple[tuple[Turn, ...], ...]:
    """Read `cast`, `tuned` or `held`; skipped where the public set is missing."""
    if name == "cast":
        return tuple(_cast())
    text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    blocks = re.split(r"^# .*$", text, flags=re.MULTILINE)[1:]
    return tuple(tuple(map(_turn, block.strip().splitlines())) for block in blocks)


@cache
def questions_alone(name: str) -> tuple[str, ...]:
    """Read the questions of a public set in a random order: none leans on another."""
    path = CORPORA / "qa" / f"{name}.jsonl"
    if not path.is_file():
        raise Skipped(f"{path} is missing; the questions are not part of this")
    lines = path.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    random.Random(_SEED).shuffle(questions)
    return tuple(questions)


def _cast() -> Iterator[tuple[Turn, ...]]:
    if not CAST.is_file():
        raise Skipped(f"{CAST} is missing; the set is not part of this")
    for line in CAST.read_text(encoding="utf-8").splitlines():
        turns = json.loads(line)["turns"]
        yield tuple((one["asked"].strip(), one["meant"].strip()) for one in turns)


def _turn(line: str) -> Turn:
    asked, _, meant = line.partition(_ARROW)
    return asked, meant or asked
