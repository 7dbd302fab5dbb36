"""
Measure the check on public pairs of a statement and its page, nothing of them ours.

Chinese: a question of CMRC 2018 with its answer, over the page of the answer. English:
a sentence that CLAPnq marks as an answer, over its page. Each statement is checked as
it stands, written another way, and with an error.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final

from benchmarks.evidence.answers import CORPUS, Answer, Line
from benchmarks.result import Figure, Skipped
from citations.evidence import IndexedText, check, index

_FILES: Final = {"zh": "cmrc_trial.jsonl", "en": "clapnq_dev_even.jsonl"}
_SEED: Final = 14
_LETTERS = re.compile(r"[^a-z0-9]")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w,.]|\s?:)")
_DAY = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November"
    r"|December) (\d{1,2}) ?, (\d{4})\b"
)
_CHINESE_DAY = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_HAN_DIGITS: Final = str.maketrans("0123456789", "〇一二三四五六七八九")
_LEAST_ROUND: Final = 1_000


def false_alarms() -> Figure:
    """Measure the share of sound statements with a number that get a flag, in %."""
    count = _counted()
    flagged, all_of_them = count["sound flagged"], count["sound"]
    return Figure(100 * flagged / all_of_them, _details(count))


def caught() -> Figure:
    """Measure the share of statements with a changed digit that get a flag, in %."""
    count = _counted()
    return Figure(100 * count["error flagged"] / count["error"], _details(count))


@cache
def statements() -> tuple[Answer, ...]:
    """Read those that hold a number, one line each; skipped without the pages."""
    if not CORPUS.is_dir():
        raise Skipped(f"{CORPUS} is missing; the public pairs are not part of this")
    return (*_chinese(), *_english())


def _counted() -> Counter[str]:
    count: Counter[str] = Counter()
    chance = random.Random(_SEED)
    for one in statements():
        for kind, said in _versions(one, chance):
            flagged = bool(_flags(one, said))
            base = "error" if kind in _ERRORS else "sound"
            for key in (base, f"{one.language} {kind}", f"{one.language} {base}"):
                count[key] += 1
                count[f"{key} flagged"] += flagged
    return count


def _details(count: Counter[str]) -> str:
    keys = sorted(key for key in count if not key.endswith("flagged"))
    return "; ".join(
        f"{key} {count[f'{key} flagged']}/{count[key]}"
        f" ({100 * count[f'{key} flagged'] / count[key]:.1f} %)"
        for key in keys
    )


def _versions(one: Answer, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield a statement as it stands, its other forms, and its errors."""
    said = one.lines[0].words
    yield "as it stands", said
    for kind, change in (*_FORMS.items(), *_ERRORS.items()):
        changed = change(said, one, chance)
        if changed and changed != said:
            yield kind, changed


def _flags(one: Answer, said: str) -> list[str]:
    found = check(Line(said).cited, one.texts, one.question)
    return [flag.value for one in found for flag in one.flags]


def _chinese() -> Iterator[Answer]:
    """Yield the answers with a digit, each behind its question, as statements."""
    for row in _rows("zh"):
        if row["set"] != "cmrc page":
            continue
        for answer in row["answers"][:1]:
            if re.search(r"\d", answer):
                said = f"{row['question'].rstrip('？?')}：{answer}。"
                yield _statement(row, said)


def _english() -> Iterator[Answer]:
    """Yield the sentences of pages that people marked as the answer."""
    for row in _rows("en"):
        gold = set(row["gold"])
        for sentence in re.split(r"(?<= [.!?]) ", row["passages"][0]["text"]):
            is_gold = _LETTERS.sub("", sentence.lower()) in gold
            if is_gold and re.search(r"\d", sentence):
                yield _statement(row, sentence.strip().removesuffix(" .") + ".")


def _statement(row: dict[str, Any], said: str) -> Answer:
    passage = row["passages"][0]
    page = f"{passage['title']}\n{passage['text']}".lstrip()
    return Answer(row["question"], {1: _indexed(page)}, (Line(said),))


@cache
def _indexed(page: str) -> IndexedText:
    return index(page)


def _rows(language: str) -> Iterator[dict[str, Any]]:
    text = (CORPUS / _FILES[language]).read_text(encoding="utf-8")
    yield from map(json.loads, text.splitlines())


def _rounded(said: str, one: Answer, _: random.Random) -> str:
    """Say large numbers as about so many thousands, or with 万."""

    def about(match: re.Match[str]) -> str:
        amount = float(match[0].replace(",", ""))
        if amount < _LEAST_ROUND or _is_year(match[0]):
            return match[0]
        if one.language == "zh" and amount >= 10 * _LEAST_ROUND:
            return f"约{amount / 10_000:.1f}万"
        word = "约" if one.language == "zh" else "about "
        return f"{word}{round(amount, -2):,.0f}"

    return _NUMBER.sub(about, said)


def _rewritten(said: str, one: Answer, _: random.Random) -> str:
    """Write dates in another order, percentages and commas in another way."""
    if one.language == "zh":
        said = _CHINESE_DAY.sub(r"\1-\2-\3", said)
        said = re.sub(r"(\d{4})年(?!\d|代)", _han_year, said)
        return re.sub(r"(\d+(?:\.\d+)?) ?[%％]", r"百分之\1", said)
    said = _DAY.sub(r"\2 \1 \3", said)
    said = re.sub(r"(\d) ?%", r"\1 percent", said)
    return re.sub(r"(?<=\d),(?=\d{3})", "", said)


def _han_year(match: re.Match[str]) -> str:
    return f"{match[1].translate(_HAN_DIGITS)}年"


def _with_error(
    said: str, one: Answer, chance: random.Random, *, all_digits: bool = False
) -> str:
    """Change one number of the statement, to one that the page does not hold."""
    begin = said.find("：") + 1 if one.language == "zh" else 0
    found = [*_NUMBER_ANYWHERE.finditer(said, begin)]
    held = one.original.replace(",", "")
    for match in chance.sample(found, len(found)):
        digits = [at for at, char in enumerate(match[0]) if char.isdigit()]
        new = [*match[0]]
        for at in digits if all_digits else [chance.choice(digits)]:
            new[at] = chance.choice("123456789".replace(match[0][at], ""))
        changed = "".join(new)
        if changed.replace(",", "") not in held + one.question:
            return said[: match.start()] + changed + said[match.end() :]
    return ""


def _is_year(number: str) -> bool:
    return bool(re.fullmatch(r"1\d{3}|20\d\d", number))


_NUMBER_ANYWHERE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_Change = Callable[[str, Answer, random.Random], str]
_FORMS: Final[dict[str, _Change]] = {"rounded": _rounded, "rewritten": _rewritten}
_ERRORS: Final[dict[str, _Change]] = {
    "one digit": _with_error,
    "all digits": partial(_with_error, all_digits=True),
}
