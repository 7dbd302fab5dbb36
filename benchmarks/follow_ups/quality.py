"""Measure how much of a follow-up's meaning is searched, and what is added wrongly."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from agent.follow_up import Completion, FollowUps, rule
from agent.history import Turn as Said
from agent.models.catalog import Model
from agent.models.settings import ModelSettings
from benchmarks.follow_ups.sets import (
    ALONE,
    SETS,
    Turn,
    conversations,
    questions_alone,
)
from benchmarks.result import Figure
from benchmarks.servers.running import measured
from text.terms import STOPS

_DEVELOPMENT: Final = ("cast", "tuned")

_RUNS = re.compile("[\u3400-\u9fff]+")
_WORDS = re.compile(r"[a-z0-9]+(?:[.'\u2019-][a-z0-9]+)*")
_GENITIVE = re.compile("['\u2019]s?$")
_ROUNDS: Final = 5
_BEFORE: Final = 5  # questions


def found(name: str) -> Callable[[], Figure]:
    """Measure the needed terms that are searched, in %."""

    def measure() -> Figure:
        sums = counted(name)
        typed, share = (sums[key] / sums["needed"] for key in ("typed", "both"))
        told = f"typed {typed:.1%}, found {share:.1%}"
        alone = f"changed {sums['changed']} of {sums['alone']} alone"
        details = f"{told}, precision {_precision(sums):.1%}; {alone}"
        return Figure(100 * share, details)

    return measure


def precision() -> Figure:
    """Measure the terms searched that are needed, in %: the lower of two sets."""
    lowest, name = min((_precision(counted(name)), name) for name in _DEVELOPMENT)
    return Figure(100 * lowest, f"{name}; held {_precision(counted('held')):.1%}")


def changed() -> Figure:
    """Measure the questions of the sets that stand alone and are changed, in %."""
    sums = [counted(name) for name in SETS]
    wrong, alone = (sum(one[key] for one in sums) for key in ("changed", "alone"))
    return Figure(100 * wrong / alone, f"{wrong} of {alone}")


def unrelated() -> Figure:
    """Measure the same of public questions in a random order, in %."""
    counts = {name: _changed_of(questions_alone(name)) for name in ALONE}
    total = sum(len(questions_alone(name)) for name in ALONE)
    details = ", ".join(f"{name} {count}" for name, count in counts.items())
    return Figure(100 * sum(counts.values()) / total, f"{details} of {total}")


def rule_speed() -> Figure:
    """Measure the time of the rule for a question, the slowest set, in ms."""
    slowest = max(_milliseconds(name) for name in SETS)
    return Figure(slowest, "mean of each set, the best of five rounds")


def slow_model() -> Figure:
    """Measure how long a model that never answers holds a search up, in s."""
    return Figure(asyncio.run(_held_up()), "then the rule completes the question")


def written() -> Figure:
    """Measure the needed terms that are searched where a model writes, in %."""
    sums = _written()
    shares = {name: one["both"] / one["needed"] for name, one in sums.items()}
    return Figure(100 * min(shares.values()), _told(shares))


def written_precision() -> Figure:
    """Measure the terms searched that are needed where a model writes, in %."""
    shares = {name: _precision(one) for name, one in _written().items()}
    changed = sum(one["changed"] for one in _written().values())
    details = f"{_told(shares)}; changed {changed} alone"
    return Figure(100 * min(shares.values()), details)


@cache
def counted(name: str) -> Counter[str]:
    """Ask all conversations of a set without a model, and count."""
    return _counted(_asked(name))


def _counted(asked: Iterable[tuple[Turn, Completion]]) -> Counter[str]:
    """Count the terms of the questions that lean, and the others that are changed."""
    sums: Counter[str] = Counter()
    for (typed, meant), completion in asked:
        if typed == meant:
            sums["alone"] += 1
            sums["changed"] += bool(completion.added)
            continue
        needed, searched = terms(meant), terms(completion.query)
        sums["needed"] += len(needed)
        sums["searched"] += len(searched)
        sums["both"] += len(needed & searched)
        sums["typed"] += len(needed & terms(typed))
    return sums


def _precision(sums: Counter[str]) -> float:
    return sums["both"] / sums["searched"]


def terms(text: str) -> set[str]:
    """Return the words of *text* without stop words, and pairs of its characters."""
    lowered = text.lower()
    words = (_GENITIVE.sub("", word) for word in _WORDS.findall(lowered))
    found = {word for word in words if word not in STOPS}
    for run in _RUNS.findall(lowered):
        found |= {run[i : i + 2] for i in range(len(run) - 1)} or {run}
    return found


def _told(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {share:.1%}" for name, share in shares.items())


def _asked(name: str) -> Iterator[tuple[Turn, Completion]]:
    """Yield all questions but the first of each conversation."""
    for turns in conversations(name):
        questions = [typed for typed, _ in turns]
        for at in range(1, len(turns)):
            yield turns[at], rule.complete(questions[at], questions[:at])


@cache
def _written() -> dict[str, Counter[str]]:
    """Ask all conversations where a scripted model writes the queries, and count."""
    return measured("rewriter", _with_model)


async def _with_model(url: str) -> dict[str, Counter[str]]:
    settings = {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "k"}
    model = Model(ModelSettings.model_validate(settings))
    await model.load()  # takes seconds, once
    sums: dict[str, Counter[str]] = {}
    for name in SETS:
        asked: list[tuple[Turn, Completion]] = []
        for turns in conversations(name):
            follow_ups, said = FollowUps(), [Said(turns[0][0])]
            for turn in turns[1:]:
                completion = await follow_ups.complete(turn[0], said, model)
                asked.append((turn, completion))
                said.append(Said(turn[0]))
        sums[name] = _counted(asked)
    await model.aclose()
    return sums


def _changed_of(questions: tuple[str, ...]) -> int:
    """Count the questions that are changed after the five before them."""
    asked = enumerate(questions)
    return sum(
        bool(rule.complete(question, questions[max(at - _BEFORE, 0) : at]).added)
        for at, question in asked
    )


def _milliseconds(name: str) -> float:
    times = []
    for _ in range(_ROUNDS):
        started = time.process_time()
        count = sum(1 for _ in _asked(name))
        times.append(1000 * (time.process_time() - started) / count)
    return min(times)


class _Silent(Model):
    """A model that never answers."""

    async def load(self) -> Any:
        """Wait for ever."""
        await asyncio.Event().wait()


async def _held_up() -> float:
    model = _Silent(ModelSettings.model_validate({"OPENAI_API_KEY": "k"}))
    started = time.monotonic()
    said = [Said("肺癌是什么？")]
    await FollowUps().complete("它的症状是什么？", said, model)
    return time.monotonic() - started
