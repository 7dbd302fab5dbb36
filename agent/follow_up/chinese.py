"""Complete Chinese questions: pronouns that are words of their own, and “…呢？”."""

import re
from typing import Final

from agent.follow_up.completion import (
    Change,
    Completion,
    Topic,
    completed,
    instead,
    joined,
)

_ASKS: Final = (
    "什么|为何|怎|咋|如何|哪|谁|几|多少|多[大小高低久长重远快深宽]|是不是|是否|有没有"
)
_END: Final = r"(?=[\s，,。？?！!；;]|$)"
# What may stand behind a pronoun that is a word of its own: 他汀 and 它石 are none.
_BEHIND: Final = (
    f"(?=的|有|会|能(?!量)|要|在|[和跟与比对被由也还都又]|{_ASKS}|[一每去今现目最]|属于|可以"
    rf"|需要|应该|叫|[活死住写演拍获创唱做]|出生|毕业|结婚|为什么|是(?:谁|什么|哪|怎|如何|几|多少|不|否|由|在))|[吗呢吧]*{_END}"
)
_PRONOUN = re.compile(
    f"(?:它|[他她])(?:们|{_BEHIND})|(?:^|(?<=[去到在从往，,]))那[里儿边]"
)
_APPOSED = re.compile("这[种家本部款座首位支](?=[\u4e00-\u9fff])")
# Words before a pronoun that name nothing themselves.
_BEFORE = re.compile(
    rf"(?:那么?|请问|但是?|可是?|所以|而且|还有|{_ASKS}|为什么|[对在从给和跟与由关于被]|你?知道"
    r"|你?觉得|[，,\s])*"
)
_OBJECT = re.compile(r"[^，,。？?！!；;]{0,10}(?<![其吉维利排犹])")
_QUOTED = re.compile("《[^《》]*》?|“[^“”]*”?|\"[^\"]*\"?|'[^']*'?")

_NO_NOUN: Final = "[我你您咱谁它他她哪几过了着吗能会要该想把被让]|[这那][个些种里儿边么是家本部款座]|可以|应该|什么|怎么|如何|为什么|多少"
_NOUN: Final = (
    rf"(?P<noun>(?:(?!{_NO_NOUN})[^\s，,。？?！!；;]| (?=[A-Za-z0-9])){{1,24}}?)"
)
_LEAD: Final = r"(?:那么?(?!不)|请问|请|[，,\s])*"
_TIME: Final = "(?:[今明昨后前去][天年晚]|[上下本这]个?[周月年]|(?:19|20)\\d\\d年?|\\d+月(?:\\d+[日号])?|最近|现在|目前)"
# Nouns of something else: 症状 (of what?).
_PARTS: Final = (
    "作者|主角|主人公|创始人|导演|歌手|首都|总部|人口|面积|高度|长度|重量|寿命|价格|票价|门票|票房|房价|市值|股价|奖金|物价"
    "|身高|年龄|生日|老婆|妻子|丈夫|女儿|儿子|父母|优点|缺点|优缺点|特点|作用|副作用|用途|原理|原因|症状|区别|历史|意义|意思"
    "|结局|剧情|内容|代表作|作品|种类|成分|性能|质量|味道|天气|气候|语言|货币|沸点|费用|治疗|预防"
)
_PART = re.compile(rf"(?:那么?|它的|他的|她的|\s)*(?:{_PARTS})")
_OWNER = re.compile(
    rf"(?P<owner>[^最更很]+?)的(?:{_PARTS})(?=是|有|怎|如何|多|在|[？?]|$)"
)
_SUBJECTS = (
    re.compile(
        rf"{_LEAD}(?:什么是|什么叫|(?:介绍|讲讲|说说|聊聊|了解)(?:一下)?){_NOUN}{_END}"
    ),
    re.compile(
        rf"{_LEAD}(?:你?(?:知道|听说过|认识|看过|听过|喜欢)){_NOUN}(?:这[本部个首][书电影歌]+)?[吗么]{_END}"
    ),
    re.compile(
        rf"{_LEAD}{_NOUN}\s?{_TIME}?(?:有(?:哪|什么|多|几|没有)|是(?:谁|什么|哪|几|由|怎|多|一?个?什么)|怎|如何|为什么|为何|在哪|多[少大高久长重远快深宽]"
        rf"|什么(?:时候|意思)|[属叫])"
    ),
)
_PERSON = re.compile("是谁|是哪[里国年]|多大|几岁|哪年|作品|认识|代表作|生平")
_KINDS = (
    re.compile(_TIME),
    re.compile("《[^《》]+》"),
    re.compile(r"[A-Za-z][\w.+#-]*(?: [\w.+#-]+)*", re.ASCII),
)
_AND = re.compile(
    rf"(?:那么?(?!不)|那如果是)?[，,\s]*(?P<other>[^\s，,。！？?！的]{{1,12}})的?呢[？?！!。\s]*"
)


def complete(question: str, topic: Topic) -> Completion:
    """Complete *question* with what a pronoun means, or with the last question."""
    text = question.strip()
    if (match := _AND.fullmatch(text)) and (
        other := _instead_of(match["other"], topic)
    ):
        return instead(question, match["other"], topic.last, other)
    for match in _PRONOUN.finditer(question):
        meant = topic.person if match[0][0] in "他她" else _owner(topic.subject)
        if meant and meant not in question and _points(question, *match.span()):
            return completed(question, [joined(question, *match.span(), meant)])
    if (match := _APPOSED.search(question)) and topic.subject not in question:
        if topic.subject and _BEFORE.fullmatch(question[: match.start()]):
            at = match.start()
            return completed(question, [joined(question, at, at, topic.subject)])
    return Completion.typed(question)


def subject_of(question: str) -> str:
    """Return the noun that *question* asks about; "" where that is not sure."""
    for pattern in _SUBJECTS:
        match = pattern.match(question)
        if match and not re.fullmatch(f"{_TIME}|{_PARTS}", match["noun"]):
            return match["noun"]
    return ""


def is_person(question: str) -> bool:
    """Tell if *question* may ask about a person."""
    return "谁" not in question or "是谁" in question


def leans(question: str) -> bool:
    """Tell if *question* asks of something that was named before, or of nothing."""
    if (
        _PRONOUN.search(question)
        or _APPOSED.search(question)
        or _PART.match(question)
        or _AND.fullmatch(question.strip())
    ):
        return True
    return not re.search(f"{_ASKS}|[吗么呢?？]", question)


def _points(question: str, start: int, end: int) -> bool:
    """Tell if a pronoun means something that the question itself does not name."""
    if any(one.start() < start < one.end() for one in _QUOTED.finditer(question)):
        return False
    before, behind = question[:start], question[end:]
    if _BEFORE.fullmatch(before) or question[start] == "那":
        return True
    return bool(_OBJECT.fullmatch(before) and re.match(rf"[吗呢吧]*{_END}", behind))


def _instead_of(other: str, topic: Topic) -> tuple[int, int] | None:
    """Return the place of what is like *other* in the last question."""
    last = topic.last
    for kind in _KINDS:
        if kind.fullmatch(other):
            alike = list(kind.finditer(last))
            if kind is _KINDS[0] and not alike:
                return 0, 0
            return alike[0].span() if len(alike) == 1 else None
    subject = topic.subject.partition("的")[0]
    if subject and last.startswith(subject) and subject[-1] == other[-1] != subject:
        return 0, len(subject)
    return None


def _owner(subject: str) -> str:
    """Return 肺癌 of 肺癌的症状: that is what 它 means."""
    match = _OWNER.fullmatch(subject)
    return match["owner"] if match else subject
