"""Tell what a Chinese question is about: the words before its verb."""

import re
from typing import Final

from agent.follow_up.chinese_question import (
    LINKING,
    MOMENT,
    PREDICATE,
    any_of,
    says_nothing,
)
from agent.follow_up.chinese_words import ENDING, RELATIONAL, ROLES

PAIR = re.compile(r"(.+?)\s*(?:和|与|跟|、|还是|或|vs\.?)\s*(.+)", re.IGNORECASE)
_LONGEST: Final = 24
_MOST_READ: Final = 100
_MOST_CUTS: Final = 3

_TITLE = re.compile("《[^《》]{1,30}》")
_POINTING = re.compile("[它他她这那]|其(?![他它])")
_LEADING = re.compile(
    "(?:今天|明天|昨天|最近|现在|目前|今年|请问|请|麻烦|帮我|我想(?:知道|了解|问|去|看|买)?"
    "|告诉我|(?:再|给我)?(?:介绍|解释|说明|查|搜|找|讲|说)(?:一下|讲|说)?"
    "|推荐(?:[几一两三][款个本部家种首道些])?"
    "|什么是|啥是|什么叫|谁是|哪里有|有没有|有哪些|有什么|在?[^，。]{1,15}[中里上时后前年日][，,]"
    "|你(?:知道|听说过|了解|喜欢|认识|看过|玩过|吃过|去过|觉得)"
    "|我(?:喜欢|想看|想去|想买|要)|想[去看买]"
    r"|为什么|为何|为啥|怎么样?|怎样|如何|谁|那么|还有|谢谢|关于|[，,。\s]|的|一下)+"
)
# Where the words about the subject begin; the lookarounds keep names in one piece.
_CUT = re.compile(
    "(?<!还)是|有(?!限)|(?<!现)在|(?<![唱乐览员协议学商工大晚宴])会(?![议计员])"
    "|(?<![阳功性智技节机核动电])能(?![源量力])|可以|可能|(?<![重主])要(?!素)"
    "|应该|应当|需要|必须|怎么样?|怎样|咋|如何|为什么|为何|为啥|因何|何时|何[地处]"
    "|什么(?:时候|地方|样)?|啥|哪[些个里儿家种位年天]?|谁|多[少久长高大远深重快宽]"
    "|几(?!何)|吗|呢|吧|主要|一般|通常|大概|大约|到底|究竟|分别|属于|适合|值得|获得|得过"
    "|被|把|了|过(?![敏程滤])|[，,。？?！!；;：]|(?<=.)还(?!是)|(?<=..)(?<![好小零贪])[吃喝坐]"
    "|(?<=.)更|(?<=.)最(?![终佳])|很|(?<!对)比(?![特亚利赛例尔较])|(?<=..)离"
    "|每[天年月周日次]?|(?<=.)[难好][学用考懂玩养种](?=[吗么嘛不，？?]|$)|一[天年次共]|一个[月星]|(?<=..)对(?![象比])|于(?!都)|包括|包含|含有|吸收|提供"
)
_TRAILING = re.compile(
    f"(?:{MOMENT}|{any_of((*RELATIONAL, *ENDING))}|[饭餐睡]?前|之前|现在?"
    "|位|成立|毕业|效力|分布|连接|代表|凭借"
    r"|[的上里中都也又再只不和与就才共冷热贵难涨跌含\s])++$"  # no way back: 现在现在…
)
# A lone verb before 过 or 了: 刘德华演过, 谁写了.
_LONE_VERB = re.compile("[演讲写死学唱拍说创看玩用买卖住考吃喝去做养]$")
_WHO = re.compile("谁[\u4e00-\u9fff]{1,3}了.+?(?=[？?。\\s]*$)")
_OWNED = re.compile("^(.+?)的(.+)$")
_ROLE = re.compile(f"(?:{any_of(ROLES)})$")
_DEFINING = re.compile(
    "^(?:请问|请)?(?:什么是|什么叫|介绍)|(?<=..)是(?:什么|啥)(?:意思|东西)?[？?。\\s]*$"
)
_HOW_TO = re.compile("(?:请问)?(?:怎么|怎样|如何|咋)")
_DOING = re.compile(
    "(?:申请|办理|预防|治疗|制作|学习|安装|使用|选择|挑选|缓解|[养种做学用练选挑])(?=..)"
)


def subject_of(question: str, known: str = "") -> str:
    """Return what *question* is about, after *known*, which stays if it names none."""
    text = question[:_MOST_READ].strip()
    if title := _TITLE.search(text):
        return title[0]
    if known and PREDICATE.match(LINKING.sub("", text, count=1)):
        return known
    head = _head(text).strip()
    owned = _OWNED.match(head)
    if owned and says_nothing(owned[2]):
        head = owned[1]
    if not _DEFINING.search(text):
        shorter = _TRAILING.sub("", head).strip()
        head = shorter if len(shorter) > 1 else head
    if _HOW_TO.match(text) and (verb := _DOING.match(head)):
        head = head[verb.end() :].strip()
    if len(head) == 1 and _LONE_VERB.match(head):
        return known
    names = head and not says_nothing(head) and not _POINTING.match(head)
    return head[:_LONGEST] if names else known


def pair_of(question: str) -> str:
    """Return two things that are compared, such as A 和 B; '' without."""
    head = _TRAILING.sub("", _head(question[:_MOST_READ])).strip()
    return head if PAIR.fullmatch(head) else ""


def person_of(question: str) -> str:
    """Return a person named by a role, or by what was done: 谁写了…; '' without."""
    if who := _WHO.match(question[:_MOST_READ].strip()):
        return who[0]
    head = _head(question[:_MOST_READ]).strip()
    return head if _ROLE.search(head) and not says_nothing(head) else ""


def _head(question: str) -> str:
    """Return the words before the verb; behind it, where the question begins so."""
    text = question.strip()
    for _ in range(_MOST_CUTS):
        if leading := _LEADING.match(text):
            text = text[leading.end() :]
        cut = _CUT.search(text)
        if cut is None:
            return text
        head = text[: cut.start()]
        if cut[0] in {"过", "了"}:
            head = _LONE_VERB.sub("", head)
        if not says_nothing(head):
            return head
        text = text[cut.end() :]
    return text
