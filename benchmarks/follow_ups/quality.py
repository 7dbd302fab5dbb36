"""Measure how much of a follow-up's meaning is searched, and what is added wrongly."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from agent.follow_up import Completion, FollowUps
from agent.follow_up import rule as Rule
from agent.models.catalog import Model
from agent.models.settings import ModelSettings
from benchmarks.follow_ups.sets import ALONE, Turn, conversations, questions_alone
from benchmarks.result import Figure
from text.terms import STOPS

SETS: Final = ("cast", "tuned", "held")

_RUNS = re.compile("[\u3400-\u9fff]+")
_WORDS = re.compile(r"[a-z0-9]+(?:[.'\u2019-][a-z0-9]+)*")
_GENITIVE = re.compile("['\u2019]s?$")
_ROUNDS: Final = 5


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
    """Measure the terms searched that are needed, in %: the lowest of the sets."""
    lowest, name = min((_precision(counted(name)), name) for name in SETS)
    return Figure(100 * lowest, name)


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


def counted(name: str) -> Counter[str]:
    """
    Ask all conversations of a set, and count.

    Terms of the questions that lean are counted, and the others that are changed.
    """
    sums: Counter[str] = Counter()
    for (asked, meant), completion in _asked(name):
        if asked == meant:
            sums["alone"] += 1
            sums["changed"] += completion.is_changed
            continue
        needed, searched = terms(meant), terms(completion.query)
        sums["needed"] += len(needed)
        sums["searched"] += len(searched)
        sums["both"] += len(needed & searched)
        sums["typed"] += len(needed & terms(asked))
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


def _asked(name: str) -> Iterator[tuple[Turn, Completion]]:
    """Yield all questions but the first of each conversation."""
    for conversation in conversations(name):
        rule = Rule()
        for at, turn in enumerate(conversation):
            completion = rule.complete(turn[0])
            rule.follow(completion)
            if at:
                yield turn, completion


def _changed_of(questions: tuple[str, ...]) -> int:
    rule, count = Rule(), 0
    for question in questions:
        count += rule.complete(question).is_changed
        rule.follow(Completion.typed(question))
    return count


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
    follow_ups = FollowUps("model")
    follow_ups.follow(Completion.typed("肺癌是什么？"))
    model = _Silent(ModelSettings.model_validate({"OPENAI_API_KEY": "k"}))
    started = time.monotonic()
    await follow_ups.complete("它的症状是什么？", model)
    return time.monotonic() - started
