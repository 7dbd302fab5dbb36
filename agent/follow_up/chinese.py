"""Complete Chinese questions: pronouns, left-out subjects, and “…呢？”."""

import re
from typing import Final

from agent.follow_up.alone import stands_alone
from agent.follow_up.chinese_question import (
    LINKING,
    MOMENT,
    NAMED,
    PREDICATE,
    any_of,
    left_of,
    says_nothing,
)
from agent.follow_up.chinese_subject import PAIR, pair_of, person_of, subject_of
from agent.follow_up.chinese_words import GENERAL, GROUPS, KINDS, RELATIONAL
from agent.follow_up.completion import Change, Completion, Subjects, completed
from agent.follow_up.filler import is_filler

__all__ = ["complete", "pair_of", "person_of", "subject_of"]

MOST: Final = 60  # characters; a longer question brings its subject along
_SHORT: Final = 14  # characters of a question that may be a predicate alone
_LEFT: Final = 3  # characters of it that may name something

_RELATION = re.compile(any_of(RELATIONAL))
_ASKS = re.compile(
    "[吗呢么]|什么|啥|怎|咋|如何|为何|哪|谁|几|多[少久长高大远深重快宽]|是否|有没有"
    f"|能不能|会不会|要不要|是不是|[?？]|{_RELATION.pattern}"
)
# ---- what points back
_KIND: Final = any_of(KINDS)
_OTHER: Final = any_of(one for one in RELATIONAL if one not in {"英文", "中文"})
_NOUN = re.compile(f"(?:{any_of(one for one in (*KINDS, *RELATIONAL) if one[1:])})$")
# Behind 这个 where that is all: 这个多少钱, 这个贵吗.
_WEAK: Final = rf"{any_of(GENERAL)}|[大小高低长短贵难快慢][吗么]|[\W]|$"
_THING = re.compile(
    "(?<![其吉维利排])(?:它们|它)(?!山)"
    f"|[这那]一?个(?:(?:{_KIND}|{_OTHER})|(?={_WEAK}))"
    "(?![月周星世年时社夏冬春秋季暑寒天日])"
    "|[这那]一?[种些款家座本部位项首场届条只类件篇台支套道所间颗棵门幅群]"
    f"(?:{_KIND})?(?![月周星世年时社夏冬春秋季暑寒天日])"
    "|(?:^|(?<=[，,。]))这(?=[是叫算能会有和跟对指])"
    "|该(?=公司|国|病|药|市|片|书|校|技术|产品|项目)"
    "|(?<![尤极与莫何耳])其(?=症状|原因|特点|价格|主要|作用|意义|功能|优|缺|历史|创始|成分"
    "|副作用|首都|人口|面积)"
)
_PERSON = re.compile(
    "(?<![其吉维利排])(?:他们|她们|他|她)(?![人乡日汇妈信山]|加(?!入|盟|了|过))|此人"
)
_QUOTES: Final = frozenset("\"'\u2018\u2019\u201c\u201d\u300a\u300b\u300c\u300d")
_PLACE = re.compile("这里|那里|这儿|那儿|那边|这边|当地")
_FORMER = re.compile("前者|前一[个种款]|第一[个种款]")
_LATTER = re.compile("后者|(?<![最然])后一[个种款]|第二[个种款]")
# 什么时候生效的, 谁写的: what happened, and nobody to whom.
_HAPPENED = re.compile(
    "(?:什么时候|何时|哪一?年|在?哪里?|从哪里?|谁|怎么)[\u4e00-\u9fff]{1,3}[的了过][？?]?"
)
_CHOICE = re.compile("哪[个种款家座部本](?:更|比较|最)")
_COMPARED = re.compile(
    "(?:和|跟|与|同)[^，和跟与]{1,12}"
    "(?:比|相比|有什么(?:区别|关系|不同|联系)|一样|哪个)"
)
_REQUEST = re.compile(
    "(?:你|请|能|可以|能不能|可不可以)+(?:请|帮|给|推荐|介绍|告诉|写|翻译|画|陪|唱|聊|讲)"
)
# ---- “…呢？”
_AND = re.compile(
    f"(?:那么|那(?!{NAMED})|那如果是?|如果是?)?[，,]?\\s*"
    "([^，。！？?]{1,16}?)(?:的)?呢[？?！!。\\s]*"
)
_MOMENT = re.compile(MOMENT)
_GROUP = re.compile(any_of(GROUPS))
_LATIN = re.compile(r"[A-Za-z][\w.+#-]*(?: [\w.+#-]+)*", re.ASCII)
_OBJECT = re.compile(
    "(?:能|可以|可不可以|会|应该|要|适合|敢|喜欢)不?(?:[多每天经常]*)"
    "[吃喝用买去带看玩学养坐打穿住]([^吗呢么？?了的]{1,8})(?=[吗么嘛？?]|$)"
)


def complete(question: str, subjects: Subjects) -> Completion:
    """Complete *question* with what it refers to, where it leans on *subjects*."""
    text = question.strip()
    if not text or len(text) > MOST or is_filler(text) or stands_alone(text):
        return Completion.typed(question)
    fragment = _AND.fullmatch(text)
    if fragment and (words := fragment[1].strip()):
        if changes := _pointing(question, subjects):  # 它的股价呢, 后者呢
            return completed(question, changes)
        return _continued(question, words, subjects)
    return _completed(question, subjects)


def _completed(question: str, subjects: Subjects) -> Completion:
    changes = _pointing(question, subjects) or _missing(question, subjects)
    return completed(question, changes)


def _pointing(question: str, subjects: Subjects) -> list[Change]:
    """Replace pronouns; nothing where the question itself says what they mean."""
    pair = PAIR.fullmatch(subjects.pair)
    meanings = (
        (_PERSON, subjects.person or subjects.subject),
        (_FORMER, pair[1] if pair else ""),
        (_LATTER, pair[2] if pair else ""),
        (_THING, subjects.subject),
        (_PLACE, subjects.subject),
    )
    changes: list[Change] = []
    for pattern, meant in meanings:
        found = pattern.search(question)
        if not found or not meant or meant in question:
            continue
        start, end = found.span()
        if _is_name(question, start, end):
            return []
        if _is_explained(question, start, end):
            return []
        if not any(one.start < end and start < one.end for one in changes):
            # 这个公式: the noun says more than 这个, and stays.
            noun = _NOUN.search(question, start, end)
            end = noun.start() if noun and noun.start() > start else end
            changes.append(_change(question, start, end, meant))
    return changes


def _is_name(question: str, start: int, end: int) -> bool:
    """Tell if a pronoun is quoted, or begins a name that asks nothing: 他是龙."""
    around = question[:start][-1:] + question[end:][:1]
    if any(sign in _QUOTES for sign in around):
        return True
    begins = not start and question[end : end + 1] not in {"的", ""}
    return begins and not _ASKS.search(question)


def _is_explained(question: str, start: int, end: int) -> bool:
    """Tell if the question itself names what the pronoun means."""
    before = question[:start]
    clause = max(before.rfind(sign) for sign in "，,；;。？?！!")
    if clause >= 0 and not says_nothing(before[:clause]):
        return True
    owns = question[end : end + 1] == "的"
    return owns and len(left_of(before)) > 1


def _missing(question: str, subjects: Subjects) -> list[Change]:
    """Add the subject to a question that names none."""
    if not subjects.subject or not _ASKS.search(question):
        return []
    lead = LINKING.match(question)
    at = lead.end() if lead else len(question) - len(question.lstrip())
    if not lacks_subject(question[at:]):
        return []
    chooses = _CHOICE.match(question[at:])
    meant = subjects.compared if chooses else subjects.subject
    return [_change(question, at, at, meant)]


def lacks_subject(question: str) -> bool:
    """Tell if *question* has only a predicate, or words that fit any subject."""
    left = left_of(question)
    if not left:
        return True
    if _REQUEST.match(question) or len(question) > _SHORT:
        return False
    if _COMPARED.match(question) or _HAPPENED.fullmatch(question.strip()):
        return True
    return PREDICATE.match(question) is not None and len(left) <= _LEFT


# ---- “…呢？”


def _continued(question: str, words: str, subjects: Subjects) -> Completion:
    """Ask the last question of something else: “那北京呢？”"""
    last = subjects.last.removesuffix("呢")
    asks = _ASKS.search(words) and not _RELATION.search(words)
    if not last or words in last or asks:
        return _completed(question, subjects)
    place = _replaced(words, last, subjects.subject)
    if place is None:
        at = question.index(words)
        meant = "" if subjects.subject in words else subjects.subject
        return completed(question, [_change(question, at, at, meant)])
    start, end = place
    query = last[:start] + words + last[end:]
    spans = ((0, start), (start + len(words), len(query)))
    return Completion(query, question, tuple(one for one in spans if one[0] < one[1]))


def _replaced(words: str, last: str, subject: str) -> tuple[int, int] | None:
    """Find what *words* stand for in the *last* question; None if they join it."""
    if _MOMENT.fullmatch(words):
        moment = _MOMENT.search(last)
        return moment.span() if moment else (0, 0)
    if says_nothing(words) and not _GROUP.fullmatch(words):
        return None
    group = _GROUP.search(last)
    if group and _GROUP.fullmatch(words):
        return group.span()
    if _is_latin(words[0]) and (name := _LATIN.search(last)):
        return name.span()
    if (found := _OBJECT.search(last)) and not _GROUP.fullmatch(words):
        return found.span(1)
    owner = subject.partition("的")[0]  # 水的沸点: that of something else
    at = last.find(subject) if subject else -1
    return (at, at + len(owner)) if at >= 0 else None


def _change(question: str, start: int, end: int, meant: str) -> Change:
    """Put *meant* at a place, with a space around letters of the alphabet."""
    left, right = question[:start][-1:], question[end:][:1]
    before = " " if left.isalnum() and _is_latin(meant[:1]) else ""
    behind = " " if right.isalnum() and _is_latin(meant[-1:]) else ""
    return Change(start, end, meant, before, behind)


def _is_latin(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()
