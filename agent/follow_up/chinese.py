"""Complete Chinese questions: pronouns that are words of their own, and “…呢？”."""

import re
from typing import Final

from agent.events import Completion
from agent.follow_up.completion import Topic, completed, instead, joined

_ASKS: Final = (
    "什么|为何|怎|咋|如何|哪|谁|几|多少|多[大小高低久长重远快深宽]|是不是|是否|有没有"
)
_END: Final = r"[吗呢吧]*(?=[\s，,。？?！!；;]|$)"
# What stands behind a pronoun that is a word of its own: 他汀 and 它石 are none.
PRONOUN = re.compile(
    f"[它他她](?:们|(?=的|有|会|能(?!量)|要|在|[和跟与比对被由也还都又一每去今现目最]|{_ASKS}"
    "|可以|需要|应该|属于|叫|[活死住写演拍获创唱做讲]|出生|毕业|结婚|[为是](?=什么|谁|哪|怎|如何|几)"
    f"|是(?=多少|不|否|由|在))|(?={_END}))|(?:^|(?<=[去到在从往，,]))那[里儿边]"
)
# Words before it that name nothing themselves.
_BEFORE = re.compile(
    rf"(?:那么?|请问|但是?|可是?|所以|而且|还有|{_ASKS}|为什么|[对在从给和跟与由关于被去到往]"
    r"|你?(?:知道|觉得)|[，,\s])*"
)
_OBJECT = re.compile(
    rf"[^，,。？?！!；;]{{1,10}}(?<![其吉维利排犹])它们?{_END}[\s？?！!。]*"
)
_TIME: Final = (
    "[今明昨后前去][天年晚]|[上下本这]个?[周月年]|(?:19|20)\\d\\d年?|最近|现在|目前"
)
# Nouns of something else: 症状 (of what?).
_PARTS: Final = (
    "作者|主角|创始人|导演|歌手|首都|总部|人口|面积|高度|长度|重量|寿命|价格|票价|门票|票房"
    "|房价|市值|股价|身高|年龄|生日|优缺?点|缺点|特点|副?作用|用途|原理|原因|症状|区别|历史|意义"
    "|意思|结局|剧情|内容|代表作|作品|种类|成分|性能|质量|味道|天气|气候|语言|货币|费用"
)
_NOUN: Final = (
    r"(?P<noun>(?:(?![我你您咱谁它他她哪几过了着吗能会要该想把被让]|[这那][个些种里儿边么是家]"
    r"|什么|怎么|如何|多少)[^\s，,。？?！!；;]| (?=[A-Za-z0-9])){1,24}?)"
)
_SUBJECT = re.compile(
    rf"(?:那么?(?!不)|请问|请|[，,\s])*(?:"
    rf"(?:什么[是叫]|(?:介绍|讲讲|说说|了解)(?:一下)?){_NOUN}{_END}"
    rf"|你?(?:知道|听说过|认识|看过|听过|喜欢){_NOUN.replace('noun', 'known')}[吗么]"
    rf"|{_NOUN.replace('noun', 'first')}\s?(?:{_TIME})?(?:有(?:哪|什么|多|几)"
    "|是(?:谁|什么|哪|几|由|怎|多)|怎|如何|为什么|在哪|多[少大高久长重远快深宽]"
    "|什么(?:时候|意思)|属于|叫什么))"
)
_OWNER = re.compile(rf"(?P<owner>[^最更很]+?)的(?:{_PARTS})")
_KIND = re.compile(
    rf"(?P<time>{_TIME})|(?P<title>《[^《》]+》)|"
    r"(?P<latin>[A-Za-z][\w.+#-]*(?: [\w.+#-]+)*)",
    re.ASCII,
)
_AND = re.compile(
    r"(?:那么?(?!不)|那如果是)?[，,\s]*(?P<other>[^，,。！？?！的]{1,12}?)的?\s*呢[？?！!。\s]*"
)
# What asks of something that was named before: 它, 症状, and “…呢？”.
LEANS = re.compile(rf"{PRONOUN.pattern}|^那?(?:{_PARTS})|^{_AND.pattern}$")


def complete(question: str, topic: Topic) -> Completion:
    """Complete *question* with what a pronoun means, or with the last question."""
    if fragment := _AND.fullmatch(question.strip()):
        other, last = fragment["other"], topic.last
        alike, subject = list[tuple[int, int]](), topic.subject.partition("的")[0]
        if kind := _KIND.fullmatch(other):
            same = (k for k in _KIND.finditer(last) if k.lastgroup == kind.lastgroup)
            alike = [one.span() for one in same] or [(0, 0)] * bool(kind["time"])
        elif subject and last.startswith(subject) and subject[-1] == other[-1]:
            alike = [(0, len(subject))]
        if len(alike) == 1:
            return instead(question, other, last, alike[0])
    owner = _OWNER.fullmatch(topic.subject)  # 它 is 肺癌 of 肺癌的症状
    thing = owner["owner"] if owner else topic.subject
    for match in PRONOUN.finditer(question):
        start, end = match.span()
        meant = topic.person if match[0][0] in "他她" else thing
        if not meant or meant.rpartition("的")[2] in question:
            continue
        is_first = _BEFORE.fullmatch(question[:start]) or match[0][0] == "那"
        if is_first or _OBJECT.fullmatch(question):
            return completed(question, [joined(question, start, end, meant)])
    return Completion.typed(question)


def subject_of(question: str) -> str:
    """Return the noun that *question* asks about; "" where that is not sure."""
    match = _SUBJECT.match(question)
    noun = match and (match["noun"] or match["known"] or match["first"])
    return noun if noun and not re.fullmatch(f"{_TIME}|{_PARTS}", noun) else ""
