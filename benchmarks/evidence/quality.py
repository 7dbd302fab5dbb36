"""Count sound values that are flagged, and wrong ones that are not."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.evidence.answers import Answer, Line, answers
from benchmarks.result import Figure
from citations.evidence import Evidence, check

_SEED = 14
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def false_alarms() -> Figure:
    """Measure the share of sound values flagged, of answers not used for tuning."""
    return _false_alarms("held", "tuned")


def caught() -> Figure:
    """Measure the share of changed digits flagged on the same answers, in %."""
    return _caught("held", "tuned")


def reckoned_false_alarms() -> Figure:
    """Measure the same on answers dense with calculation, over one text or two."""
    return _false_alarms("reckoned")


def reckoned_caught() -> Figure:
    """Measure the share of changed digits flagged on these, in %."""
    return _caught("reckoned")


def quoted() -> Figure:
    """Measure the share of sentences of the held answers that get a quotation, in %."""
    shares = {
        name: [bool(one.quote) for answer in answers(name) for one in _evidence(answer)]
        for name in ("tuned", "held")
    }
    details = "; ".join(f"{n}: {sum(one)} of {len(one)}" for n, one in shares.items())
    return Figure(100 * sum(shares["held"]) / len(shares["held"]), details)


def numbers() -> Figure:
    """
    Measure the numbers of the held answers that stand in their quotation, in %.

    Numbers that do not stand in the source as they are written are left out.
    """
    shares = {
        name: [hit for answer in answers(name) for hit in _in_quotation(answer)]
        for name in ("tuned", "held")
    }
    details = "; ".join(
        f"{n}: {sum(hits)} of {len(hits)}" for n, hits in shares.items()
    )
    return Figure(100 * sum(shares["held"]) / len(shares["held"]), details)


def mistakes(name: str) -> Iterator[str]:
    """Yield the values of a set that are judged wrongly, for tuning."""
    for answer in answers(name):
        for line, flags in _flagged(answer, answer.lines):
            for place, is_sound in line.values.items():
                if _is_flagged(line, place, flags) == is_sound:
                    fault = "false alarm" if is_sound else "missed"
                    yield f"{fault}: {line.words[slice(*place)]} | {line.words}"


def _false_alarms(name: str, *others: str) -> Figure:
    count = _counted(name)
    details = "; ".join(f"{one}: {_row(_counted(one))}" for one in (*others, name))
    return Figure(100 * count["sound flagged"] / count["sound"], details)


def _caught(name: str, *others: str) -> Figure:
    shares = {}
    for one in (*others, name):
        for all_digits in (False, True):
            hits = [hit for a in answers(one) for hit in _planted(a, all_digits)]
            kind = "all digits" if all_digits else "one digit"
            shares[f"{one}, {kind}"] = (100 * sum(hits) / len(hits), len(hits))
    details = "; ".join(
        f"{kind} {share:.1f} % of {n}" for kind, (share, n) in shares.items()
    )
    return Figure(shares[f"{name}, one digit"][0], details)


def _counted(name: str) -> Counter[str]:
    count: Counter[str] = Counter()
    for answer in answers(name):
        for line, flags in _flagged(answer, answer.lines):
            count["sentences"] += 1
            for place, is_sound in line.values.items():
                kind = "sound" if is_sound else "wrong"
                flagged = _is_flagged(line, place, flags)
                for key in (kind, f"{answer.language} {kind}"):
                    count[key] += 1
                    count[f"{key} flagged"] += flagged
    return count


def _row(count: Counter[str]) -> str:
    parts = [f"{count['sentences']} sentences"]
    for kind in ("sound", "wrong"):
        for prefix in ("", "zh ", "en "):
            key = f"{prefix}{kind}"
            share = 100 * count[f"{key} flagged"] / max(count[key], 1)
            parts.append(
                f"{key} {count[f'{key} flagged']}/{count[key]} ({share:.1f} %)"
            )
    return ", ".join(parts)


def _flagged(
    answer: Answer, lines: Sequence[Line]
) -> Iterator[tuple[Line, Sequence[str]]]:
    """Check an answer of *lines*, and yield the flags of each."""
    waiting = _evidence(answer, lines)
    for line in lines:
        mine: list[Evidence] = []
        while waiting and waiting[0].sentence in line.words:
            mine.append(waiting.pop(0))
        yield line, [flag.value for one in mine for flag in one.flags]


def _evidence(answer: Answer, lines: Sequence[Line] = ()) -> list[Evidence]:
    written = "\n".join(f"- {line.cited}" for line in lines or answer.lines)
    return check(written, answer.texts, answer.question)


def _in_quotation(answer: Answer) -> Iterator[bool]:
    """Tell of each number of each sentence whether its quotation holds it."""
    source = {*_NUMBER.findall(answer.original)}
    for one in _evidence(answer):
        quoted = {*_NUMBER.findall(one.quote)}
        for number in {*_NUMBER.findall(one.sentence)} & source:
            yield number in quoted


def _is_flagged(line: Line, place: tuple[int, int], flags: Sequence[str]) -> bool:
    start, end = place
    spans = (match.span() for flag in flags for match in _found(flag, line.words))
    return any(first < end and start < last for first, last in spans)


def _found(flag: str, words: str) -> Iterator[re.Match[str]]:
    """Find a flag in a sentence, but not within a longer number."""
    left = r"(?<!\d)" if flag[0].isdigit() else ""
    right = r"(?!\d)" if flag[-1].isdigit() else ""
    return re.finditer(left + re.escape(flag) + right, words)


def _planted(answer: Answer, all_digits: bool) -> Iterator[bool]:
    """Change the digits of one sound value after the other, and tell what is caught."""
    chance = random.Random(_SEED)
    held = answer.original.replace(",", "") + answer.question
    for at, line in enumerate(answer.lines):
        for (start, end), is_sound in line.values.items():
            value = line.words[start:end]
            changed = _changed(value, chance, all_digits)
            if not is_sound or changed == value or _digits(changed) in held:
                continue
            words = line.words[:start] + changed + line.words[end:]
            lines = [*answer.lines[:at], replace(line, words=words)]
            *_, (last, flags) = _flagged(answer, lines)
            yield _is_flagged(last, (start, end), flags)


def _changed(value: str, chance: random.Random, all_digits: bool) -> str:
    places = [at for at, char in enumerate(value) if char in "0123456789"]
    if not places:
        return value
    chosen = places if all_digits else [chance.choice(places)]
    digits = list(value)
    for at in chosen:
        digits[at] = chance.choice("123456789".replace(value[at], ""))
    return "".join(digits)


def _digits(value: str) -> str:
    found = re.search(r"\d+(?:[.,]\d+)*", value)
    return found[0].replace(",", "") if found else value
