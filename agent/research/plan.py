"""Plan a report: its sub-questions by a model, or by the parts of the question."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from agent.causes import ModelProblem
from agent.research.budget import ModelCalls
from agent.research.texts import TEXTS
from agent.without_model.answer import MOST_QUERY, keywords
from text.language import language_of
from text.terms import asked_terms
from untrusted.text import clip, one_line
from untrusted.urls import addresses_in, without_addresses

LEAST_LINES: Final = 3
MOST_LINES: Final = 8
MOST_GIVEN: Final = 3  # addresses in the question that are read
LONGEST_LINE: Final = MOST_QUERY  # a line is a query
HOLD_SECONDS: Final = 300  # without a change, then a plan starts as it is
MOST_SHOWN: Final = 3 * MOST_LINES  # struck lines stay in the list

_PLAN_SECONDS: Final = 20
_LEAST_TERMS: Final = 1

# A bullet or a number before a line.
_SIGN = re.compile(
    r"^\s*(?:[-*•·#>]+|\(?\d{1,2}[.)、．:：)]|[一二三四五六七八九十]{1,2}[、.．])\s*"
)
_ENDS = re.compile(r"[?？!！。;；\n]+|(?<=[a-z0-9])\.\s+(?=[A-Z])")
_AND = r"(?:、|，|,\s*(?:and|or)\s+|,\s*|\s+(?:and|or)\s+|以及|及其|和|与|及|跟|还有)"
_COMPARED = (
    re.compile(
        r"(?P<one>[^、，。]{2,30}?)(?:和|与|跟|同)(?P<two>[^、，。]{2,30}?)"
        r"(?:之间)?的?(?:区别|差别|差异|不同|异同|比较|对比|优劣)"
    ),
    re.compile(
        r"\b(?:differences? between|compare|comparison (?:of|between))\s+"
        r"(?P<one>[^,]{2,60}?)\s+(?:and|with|to|versus|vs\.?)\s+(?P<two>[^,?]{2,60})",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<one>[^,，]{2,60}?)\s+(?:vs\.?|versus)\s+(?P<two>[^,，?？]{2,60})",
        re.IGNORECASE,
    ),
)
# The list is split later: items and the words between them in one pattern would be
# tried in ever more ways.
_LISTED = (
    re.compile(r"^(?P<of>[^:：]{2,60})[:：]\s*(?P<list>[^:：]{3,160})$"),
    re.compile(r"(?P<of>[\w -]{2,60})['’]s\s+(?P<list>[\w', -]{3,160})$"),
    re.compile(r"(?P<of>[^、，,]{2,40})的(?P<list>[^的:：]{3,120})"),
    re.compile(
        r"(?P<list>[\w', -]{5,160}?)\s+(?:of|in|for)\s+(?P<of>[^,?]{2,80})",
        re.IGNORECASE,
    ),
)
_LONGEST_ITEM: Final = 40
_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|how|why)\b", re.IGNORECASE
)
_OPENING = re.compile(
    r"^(?:(?:请|帮我|写一[份篇])*(?:关于|介绍|说明|分析|比较|对比|研究|调查|报告)(?:一下)?"
    r"|what (?:is|are|were|was)\b|(?:tell me (?:all )?|everything )about\b"
    r"|(?:describe|explain|compare)\b|(?:write |give )?(?:me )?(?:an? )?(?:research )?"
    r"(?:report|overview) (?:on|about|of)\b|the\b)\s*",
    re.IGNORECASE,
)
_ASKING = "how|what|when|where|who|whom|whose|why|which"
_ASKS = re.compile(
    r"什么|何时|多少|哪|谁|几[个年月位次种]|多[高大长远深重快久宽]|为什么|为何|怎|如何|是否|吗"
    rf"|\b(?:{_ASKING})\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    rf"(?:[，,]\s*(?:and\s+)?|\s+and\s+)(?=(?:{_ASKING})\b)|[，；;]|以及|还有",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"^(?:I|we|my|our|hello|hi|hey|thanks?|please help|我|我们|你好|您好|谢谢)"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z][\w-]*(?: (?:(?:of|de|the|von) )?[A-Z0-9][\w-]*)*")
_CHINESE_SUBJECT = re.compile(
    r"^(?:请问)?([^，,]{2,20}?)(?=[，,]|有多|的|是|在|有|每|何|几|哪|谁|怎|如何|为什么|什么|多少"
    r"|多[高大长远深重快久宽]|吗|能|会|需要)"
)


class Origin(StrEnum):
    """The author of a plan."""

    MODEL = "model"
    PARTS = "parts"  # the parts of the question
    WORDINGS = "wordings"  # the question in several wordings
    USER = "user"


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A line of the plan, and the queries that are searched for it."""

    text: str
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The sub-questions of a report; *given* are the addresses in the question."""

    lines: tuple[SubQuestion, ...]
    origin: Origin
    given: tuple[str, ...] = ()
    problem: ModelProblem | None = None  # why the model wrote no plan


async def make_plan(question: str, calls: ModelCalls) -> Plan:
    """Let the model write the plan; by rule where there is none, or it writes none."""
    # In a thread: a question of 20,000 characters takes a while.
    plan = await asyncio.to_thread(plan_by_rule, question)
    if not calls.are_possible or not plan.lines[0].queries:
        return plan
    texts = TEXTS[language_of(question)]
    written = await calls.ask(
        texts["plan"].format(least=LEAST_LINES, most=MOST_LINES),
        clip(question, MOST_QUERY * 10),
        _PLAN_SECONDS,
    )
    about, lines = {*asked_terms(question)}, dict[str, None]()
    for line in written.text.splitlines():
        said = one_line(_SIGN.sub("", line.strip()).strip('*_`"“” '), 10 * LONGEST_LINE)
        is_usable = len(said) <= LONGEST_LINE and not said.endswith((":", "："))
        if is_usable and about & {*asked_terms(said)} and not addresses_in(said, 1):
            lines[said] = None
    if written.problem is not None or len(lines) < LEAST_LINES:
        return replace(plan, problem=written.problem)
    return replace(plan, lines=_asked([*lines]), origin=Origin.MODEL)


def plan_by_rule(question: str) -> Plan:
    """Plan without a model: the parts of the question, else several wordings of it."""
    given = addresses_in(question, MOST_GIVEN)
    said = without_addresses(question) if given else question
    if given and len(asked_terms(said)) < _LEAST_TERMS:
        pages = tuple(SubQuestion(url, ()) for url in given)
        return Plan(pages, Origin.WORDINGS, tuple(given))
    parts = _parts(said)
    if len(parts) > 1:
        return Plan(_asked(parts), Origin.PARTS, tuple(given))
    # The question, its keywords, and its keywords with a word for figures.
    whole = clip(" ".join(said.split()), LONGEST_LINE)
    words = clip(keywords(said), LONGEST_LINE - 20)
    figures = f"{words} {TEXTS[language_of(said)]['figures']}" if words else ""
    wordings = tuple(dict.fromkeys(one for one in (whole, words, figures) if one))
    return Plan((SubQuestion(whole, wordings),), Origin.WORDINGS, tuple(given))


def changed(plan: Plan, lines: Sequence[str]) -> Plan:
    """Return *plan* with the *lines* of the user."""
    known = {line.text: line for line in plan.lines}
    if [*lines] == [*known]:
        return plan
    new = tuple(
        known.get(one, SubQuestion(one, (one,))) for one in dict.fromkeys(lines)
    )
    return replace(plan, lines=new, origin=Origin.USER)


class PlanDraft:
    """Lines that can be struck and added; after some seconds they start as they are."""

    def __init__(self, lines: Sequence[str], seconds: float) -> None:
        self.lines = [*lines]
        self.struck: set[int] = set()
        self.is_held = False
        loop = asyncio.get_running_loop()
        self._decided: asyncio.Future[Sequence[str]] = loop.create_future()
        self._limit = loop.call_later(seconds, self._decide)

    @property
    def kept(self) -> Sequence[str]:
        """The lines that will be searched."""
        numbered = enumerate(self.lines)
        return [line for number, line in numbered if number not in self.struck]

    @property
    def is_open(self) -> bool:
        """True while the plan can be changed."""
        return not self._decided.done()

    @property
    def seconds_left(self) -> float:
        """Seconds until the plan starts by itself."""
        return max(self._limit.when() - asyncio.get_running_loop().time(), 0)

    def hold(self) -> None:
        """Stop the countdown, for a time that is enough to change the plan."""
        self.is_held = True
        self._limit.cancel()
        loop = asyncio.get_running_loop()
        self._limit = loop.call_later(HOLD_SECONDS, self._decide)

    def toggle(self, number: int) -> bool:
        """Strike a line, or take it back; False where there would be too many."""
        if not 0 <= number < len(self.lines):
            return True
        if number in self.struck and len(self.kept) >= MOST_LINES:
            return False
        self.struck ^= {number}
        self.hold()
        return True

    def add(self, words: str) -> bool:
        """Add each line of *words*; False where there would be too many."""
        lines = (one_line(line, LONGEST_LINE) for line in words.splitlines())
        new = [line for line in lines if line]
        room = min(MOST_LINES - len(self.kept), MOST_SHOWN - len(self.lines))
        self.lines += new[: max(room, 0)]
        self.hold()
        return len(new) <= room

    def start(self) -> None:
        """Search the lines that are kept, if there are any."""
        if self.kept:
            self._decide()

    async def decided(self) -> Sequence[str]:
        """Wait for the lines that are searched; none if nobody kept one in time."""
        try:
            return await self._decided
        finally:
            self._limit.cancel()

    def _decide(self) -> None:
        if self.is_open:
            self._decided.set_result(self.kept)


def _asked(lines: Sequence[str]) -> tuple[SubQuestion, ...]:
    return tuple(SubQuestion(line, (line,)) for line in lines[:MOST_LINES])


def _parts(question: str) -> list[str]:
    """
    Return what *question* asks, as parts that can be searched one by one.

    These are its sentences or clauses, or the things that its one sentence lists.
    """
    said = (" ".join(part.split()).strip("，,、 ") for part in _ENDS.split(question))
    told = [clip(one, LONGEST_LINE) for one in dict.fromkeys(said) if asked_terms(one)]
    asked = [one for one in told if not _TALK.search(one)] or told
    if len(asked) == 1 and (parts := _things(asked[0])):
        return parts
    clauses: list[str] = []
    for sentence in asked:  # cut before each question: words before it belong to it
        cut, before = list[str](), ""
        for part in _NEXT.split(sentence):
            words = f"{before}{part}".strip("，,；; ")
            before = "" if _ASKS.search(part) else f"{words}，"
            if not before and asked_terms(words):
                cut.append(words)
        rest = before.strip("，")
        if rest and cut:
            cut[-1] = f"{cut[-1]}，{rest}"
        clauses += cut if len(cut) > 1 else [sentence]
    clauses = clauses[:MOST_LINES]
    subject = _subject(told) if len(clauses) > 1 else ""
    if not subject:
        return [*dict.fromkeys(clauses)] if asked[1:] else []
    # A part that speaks of it as `it`, or not at all, begins with its name.
    about = {*asked_terms(subject)}
    named = f"{subject}：" if language_of(subject) == "zh" else f"{subject}: "
    named_parts = (
        one if about & {*asked_terms(one)} else clip(f"{named}{one}", LONGEST_LINE)
        for one in clauses
    )
    return [*dict.fromkeys(named_parts)]


def _subject(sentences: Sequence[str]) -> str:
    """Return the name of the thing that *sentences* ask about, '' where none is."""
    for sentence in sentences:
        match = _CHINESE_SUBJECT.search(_OPENING.sub("", sentence))
        if match and language_of(sentence) == "zh":
            return str(match[1]).strip()
        first = sentence.split(" ")[0]
        names = [one[0] for one in _NAME.finditer(sentence) if one[0] != first]
        if names:
            return max(names, key=len).removeprefix(f"{first} ")
    return ""


def _things(sentence: str) -> list[str]:
    """Return what *sentence* compares, or lists of a subject; none if unsure."""
    for pattern in _COMPARED:
        if match := pattern.search(sentence):
            both = [_OPENING.sub("", match[name].strip()) for name in ("one", "two")]
            if all(asked_terms(one) for one in both):
                return [*both, sentence]
    said = _OPENING.sub("", sentence)
    for pattern in _LISTED:
        if match := pattern.search(said):
            subject = _OPENING.sub("", match["of"].strip())
            listed = re.split(_AND, match["list"], flags=re.IGNORECASE)
            things = [_OPENING.sub("", one.strip()) for one in listed]
            things = [one for one in things if one and asked_terms(one)]
            is_list = len(things) > 1 and max(map(len, things)) <= _LONGEST_ITEM
            if is_list and asked_terms(subject) and not _VERB.search(match["list"]):
                is_chinese = language_of(sentence) == "zh"
                form = "{of}的{thing}" if is_chinese else "{thing} of {of}"
                return [form.format(of=subject, thing=one) for one in things]
    return []
