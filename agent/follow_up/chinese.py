"""Complete Chinese questions: pronouns, left-out subjects, and “…呢？”."""

import re
from collections.abc import Iterable
from typing import Final

from agent.events import Completion
from agent.follow_up.completion import Change, Subjects, completed
from agent.follow_up.words import (
    AROUND_ZH,
    FREE,
    GENERAL_ZH,
    GROUPS,
    KINDS_ZH,
    RELATIONAL_ZH,
    ROLES,
    TALK_ZH,
)

MOST: Final = 60  # characters; a longer question brings its subject along
_SHORT: Final = 14  # characters of a question that may be a predicate alone
_LEFT: Final = 3  # characters of a predicate that may name something
_LONGEST: Final = 24  # characters of a subject
_MOST_READ: Final = 100
_MOST_CUTS: Final = 3


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of *words*, the longest first."""
    return "|".join(map(re.escape, sorted(set(words), key=len, reverse=True)))


# ---- words that name no subject

_MOMENT: Final = (
    "大?[今明后昨前去][天年晚早]|[本这上下]个?(?:周末?|月)|周末|现在|目前|最近|[春夏秋冬]天"
    r"|[早晚]上|[上中下]午|(?:19|20)?\d\d年(?:\d{1,2}月)?|\d{1,2}月(?:\d{1,2}[日号])?"
    "|(?:周|星期)[一二三四五六日末天]"
)
# What counts, adjectives and verbs of one character, and people for whom something is
# allowed: each only where it can't be a part of a name.
_COUNTED: Final = (
    r"[几多一两每哪这那\d](?:个|种|些|次|位|款|家|座|本|部|项|条|只|件|名|岁|年|月|日|天"
    "|杯|级|倍|层|集|回|章|页|人|遍|份|张|块|元)+"
)
_ADJECTIVE: Final = (
    "(?:很|太|更|最|不|比较|挺|有多|还|这么|那么)?"
    "[大小高低长短多少快慢新旧老早晚好坏贵难近远冷热冰甜咸酸辣](?=[吗嘛呢么了，？?]|$)"
)
_VERB: Final = (
    "(?<=[能会要该以么样何谁久想不没])[\u4e00-\u9fff](?=[吗呢了的到完，？?]|$)"
    "|(?<=[能会要该以想不没都还])[\u4e00-\u9fff](?=多少|几|什么|哪)"
)
_ALLOWED: Final = f"(?:{_any_of(GROUPS)})(?=[^吗]{{0,8}}吗)"
_EMPTY = re.compile(
    f"{_MOMENT}|{_COUNTED}|{_ADJECTIVE}|{_VERB}|{_ALLOWED}"
    rf"|{_any_of((*GENERAL_ZH, *RELATIONAL_ZH))}|[\W\d_]"
)
_NOUNS = re.compile(_any_of(RELATIONAL_ZH))
_ASKS = re.compile(
    "[吗呢么]|什么|啥|怎|咋|如何|为何|哪|谁|几|多[少久长高大远深重快宽]|是否|有没有"
    f"|[能会要]不[能会要]|是不是|[?？]|{_NOUNS.pattern}"
)


def left_of(text: str) -> str:
    """Return what is left of *text* without the words that fit any subject."""
    return _EMPTY.sub("", text)


def nouns_of(text: str) -> list[str]:
    """Return the nouns of *text* that need another noun: the symptoms (of what?)."""
    return _NOUNS.findall(text)


# ---- turns that need nothing

_TALK = re.compile(_any_of(TALK_ZH))
_ONLY_TALK = re.compile(_any_of((*TALK_ZH, *AROUND_ZH)))
_HOW: Final = "怎么|怎样|如何|咋"
_FREE: Final = _any_of(FREE)
_ALONE = re.compile(
    "(?:"
    # A definition, of whatever, and what is done with a thing: 工资怎么算.
    "什么是(?![它他她这那]).+|汇率是多少"
    f"|(?!公司)(?:{_FREE})的.*|(?:{_FREE})(?:{_HOW}|会|该).*"
    f"|(?:{_HOW})[\u4e00-\u9fff]?(?:{_FREE}|[赚花]钱|学习)"
    # The clock, the weather, and what happens.
    f"|(?:当地|北京|{_MOMENT})*(?:{_MOMENT}|时间)几[点号月]"
    f"|(?:这个)?(?:{_MOMENT})+[很还会]?[冷热]吗?"
    f"|(?:{_MOMENT})*发生了什么"
    # The speakers, and where they are.
    f"|[这那]个(?:英文|中文)怎么.*|这里是哪里|哪里好[玩吃看]"
    f"|(?:{_MOMENT})+[吃喝做干玩穿](?:什么|啥).*"
    "|那?(?:你|我|我们|大家|人)呢"
    r")[\W]*"
)
_SPEAKERS = re.compile("[你您咱]")
# A word whose first character looks like a verb: 对虾怎么做, 会计证怎么考.
_WORD = re.compile(
    r"([会能要对由占离几][\u4e00-\u9fff]{1,6}?)(?=是(?!否|不是)|在哪|怎|如何|咋|需要|\s)"
)


def is_talk(question: str) -> bool:
    """Tell if a turn only greets, thanks, or asks for another form of the answer."""
    left = _ONLY_TALK.sub("", re.sub(r"[\W_\d]+", "", question))
    return not left and _TALK.search(question) is not None


def stands_alone(question: str) -> bool:
    """Tell if a question asks of something, although it names no subject of its own."""
    text = question.strip()
    if _ALONE.fullmatch(text):
        return True
    if _SPEAKERS.search(text) and not _NOUNS.search(text):
        return True
    word = _WORD.match(text)
    return word is not None and left_of(word[1]) not in {"", word[1][:1]}


# ---- what points back

# A noun of two characters says more than 这个, and stays.
_KIND: Final = _any_of(one for one in KINDS_ZH if not one[1:])
_NAMED: Final = _any_of(one for one in (*KINDS_ZH, *RELATIONAL_ZH) if one[1:])
_NO_TIME: Final = "(?![月周星世年时社夏冬春秋季暑寒天日])"
# Behind 这个 where that is all: 这个多少钱, 这个贵吗.
_WEAK: Final = rf"{_any_of(GENERAL_ZH)}|[大小高低长短贵难快慢][吗么]|\W|$"
_THING = re.compile(
    "(?<![其吉维利排])它们?(?!山)|[这那]一?"
    f"(?:个(?:(?={_NAMED}|{_WEAK})|{_KIND})"
    "|[种些款家座本部位项首场届条只类件篇台支套道所间颗棵门幅群]"
    f"(?:(?={_NAMED})|(?:{_KIND})?)){_NO_TIME}"
    "|(?:^|(?<=[，,。]))这(?=[是叫算能会有和跟对指])"
    "|该(?=公司|国|病|药|市|片|书|校|技术|产品|项目)"
    "|(?<![尤极与莫何耳])其(?=症状|原因|特点|价格|主要|作用|意义|功能|优|缺|历史|创始|成分)"
)
_PERSON = re.compile(
    "(?<![其吉维利排])[他她]们?(?![人乡日汇妈信山]|加(?!入|盟|了|过))|此人"
)
_FORMER = re.compile("前者|[前第]一[个种款]")
_LATTER = re.compile("后者|(?<![最然])后一[个种款]|第二[个种款]")
_PLACE = re.compile("这里|那里|这儿|那儿|那边|这边|当地")
_QUOTES: Final = frozenset("\"'\u2018\u2019\u201c\u201d\u300a\u300b\u300c\u300d")
_PAIR = re.compile(r"(.+?)\s*(?:和|与|跟|、|还是|或|vs\.?)\s*(.+)", re.IGNORECASE)

# ---- what is missing

# A question that begins with its predicate: 会传染吗, 有多少种, 对哪些细菌有效.
_PREDICATE = re.compile(
    "[还也都就]?(?:能(?![源量力级])|会(?![议计员])|要(?![素点塞])|对(?![联虾牛称数象比])"
    "|由(?!来)|占(?![星卜])|离(?![婚职子心别])|可以|可不可以|需要|应该|属于|附近|里面|周边"
    "|距离|什么人|多[久少大高远]|几(?![何内乎率])|哪[个种款家座]更|[葬住生死建设]在(?=哪)"
    "|最[多少快早晚低高长](?=[能可要])|为什么(?=[被会不没要能叫])"
    "|有(?=几|多少|什么(?:区别|意义|关系))|有(?!没有)(?=[^，]{1,6}吗)"
    "|(?![我你谁])[\u4e00-\u9fff]{1,2}过(?=哪|什么|几|多少)"
    "|是(?=谁|哪|什么|不是|否|怎|几))"
)
_LINKING = re.compile(
    "(?:那么|那(?=[它他她这那要能会可需有是为什怎如多哪谁几]|$)"
    r"|还有|另外|然后|所以|但是|可是|不过|请问|请|嗯|哦|好的)[，,\s]*"
)
# 什么时候生效的, 谁写的: what happened, and nobody to whom.
_HAPPENED = re.compile(
    "(?:什么时候|何时|哪一?年|在?哪里?|从哪里?|谁|怎么)[\u4e00-\u9fff]{1,3}[的了过][？?]?"
)
_COMPARED = re.compile(
    "[和跟与同][^，和跟与]{1,12}(?:比|有什么(?:区别|关系|不同|联系)|一样|哪个)"
)

_REQUEST = re.compile(
    "(?:你|请|能|可以|能不能|可不可以)+(?:请|帮|给|推荐|介绍|告诉|写|翻译|画|陪|唱|聊|讲)"
)


def complete(question: str, subjects: Subjects) -> Completion:
    """Complete *question* with what it refers to, where it leans on *subjects*."""
    text = question.strip()
    if not text or len(text) > MOST or stands_alone(text):
        return Completion.typed(question)
    if changes := _pointing(question, subjects):  # also 它的股价呢, 后者呢
        return completed(question, changes)
    fragment = _AND.fullmatch(text)
    if fragment and (words := fragment[1].strip()):
        return _continued(question, words, subjects)
    return completed(question, _missing(question, subjects))


def lacks_subject(question: str) -> bool:
    """Tell if *question* has only a predicate, or words that fit any subject."""
    left = left_of(question)
    if not left:
        return True
    if _REQUEST.match(question) or len(question) > _SHORT:
        return False
    if _COMPARED.match(question) or _HAPPENED.fullmatch(question.strip()):
        return True
    return _PREDICATE.match(question) is not None and len(left) <= _LEFT


def _pointing(question: str, subjects: Subjects) -> list[Change]:
    """Replace pronouns; nothing where the question itself says what they mean."""
    pair = _PAIR.fullmatch(subjects.pair)
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
        if _is_name(question, start, end) or _is_explained(
            question[:start], question[end:]
        ):
            return []
        changes.append(_change(question, start, end, meant))
    return changes


def _is_name(question: str, start: int, end: int) -> bool:
    """Tell if a pronoun is quoted, or begins a name that asks nothing: 他是龙."""
    around = question[:start][-1:] + question[end:][:1]
    if any(sign in _QUOTES for sign in around):
        return True
    begins = not start and question[end : end + 1] not in {"的", ""}
    return begins and not _ASKS.search(question)


def _is_explained(before: str, behind: str) -> bool:
    """Tell if the words around a pronoun say what it means."""
    clause = max(before.rfind(sign) for sign in "，,；;。？?！!")
    if clause >= 0 and left_of(before[:clause]):
        return True
    return behind[:1] == "的" and len(left_of(before)) > 1


def _missing(question: str, subjects: Subjects) -> list[Change]:
    """Add the subject to a question that names none."""
    if not subjects.subject or not _ASKS.search(question):
        return []
    lead = _LINKING.match(question)
    at = lead.end() if lead else len(question) - len(question.lstrip())
    if not lacks_subject(question[at:]):
        return []
    chooses = re.match("哪[个种款家座部本](?:更|比较|最)", question[at:])
    meant = subjects.compared if chooses else subjects.subject
    return [_change(question, at, at, meant)]


def _change(question: str, start: int, end: int, meant: str) -> Change:
    """Put *meant* at a place, with a space around letters of the alphabet."""
    left, right = question[:start][-1:], question[end:][:1]
    before = " " if left.isalnum() and _is_latin(meant[:1]) else ""
    behind = " " if right.isalnum() and _is_latin(meant[-1:]) else ""
    return Change(start, end, meant, before, behind)


def _is_latin(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


# ---- “…呢？”

_AND = re.compile(
    "(?:那么|那(?!不勒斯|曲市|英|拉提|霸|空间)|那?如果是?)?[，,]?\\s*"
    "([^，。！？?]{1,16}?)(?:的)?呢[？?！!。\\s]*"
)
_GROUP = re.compile(_any_of(GROUPS))
_LATIN = re.compile(r"[A-Za-z][\w.+#-]*(?: [\w.+#-]+)*", re.ASCII)
_OBJECT = re.compile(
    "(?:能|可以|可不可以|会|应该|要|适合|敢|喜欢)不?[多每天经常]*"
    "[吃喝用买去带看玩学养坐打穿住]([^吗呢么？?了的]{1,8})(?=[吗么嘛？?]|$)"
)


def _continued(question: str, words: str, subjects: Subjects) -> Completion:
    """Ask the last question of something else: “那北京呢？”"""
    last = subjects.last.removesuffix("呢")
    asks = _ASKS.search(words) and not _NOUNS.search(words)
    if not last or words in last or asks:
        return completed(question, _missing(question, subjects))
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
    if re.fullmatch(_MOMENT, words):
        moment = re.search(_MOMENT, last)
        return moment.span() if moment else (0, 0)
    is_group = _GROUP.fullmatch(words) is not None
    if not left_of(words) and not is_group:
        return None
    if is_group and (group := _GROUP.search(last)):
        return group.span()
    if _is_latin(words[0]) and (name := _LATIN.search(last)):
        return name.span()
    if not is_group and (found := _OBJECT.search(last)):
        return found.span(1)
    owner = subject.partition("的")[0]  # 水的沸点: that of something else
    at = last.find(subject) if subject else -1
    return (at, at + len(owner)) if at >= 0 else None


# ---- what a question is about

_TITLE = re.compile("《[^《》]{1,30}》")
_POINTING = re.compile("[它他她这那你您]|其(?![他它])")
_LEADING = re.compile(
    "(?:今天|明天|昨天|最近|现在|目前|今年|请问|请|麻烦|帮我|我想(?:知道|了解|问|去|看|买)?"
    "|告诉我|(?:再|给我)?(?:介绍|解释|说明|查|搜|找|讲|说)(?:一下|讲|说)?"
    "|推荐(?:[几一两三][款个本部家种首道些])?|什么是|什么叫|谁是|哪里有|有没有|有哪些|有什么"
    "|在?[^，。]{1,15}[中里上时后前年日][，,]|想[去看买]|我(?:喜欢|想看|想去|想买|要)"
    "|你(?:知道|听说过|了解|喜欢|认识|看过|玩过|吃过|去过|觉得)"
    r"|为什么|为何|为啥|怎么样?|怎样|如何|谁|那么|还有|谢谢|关于|[，,。\s]|的|一下)+"
)
# Where the words about the subject begin; the lookarounds keep names in one piece.
_ASKING: Final = (
    "怎么?样?|咋|如何|为什么|[为因]何|为啥|何[时地处]|什么(?:时候|地方|样)?|啥"
    "|哪[些个里儿家种位年天]?|谁|多[少久长高大远深重快宽]|几(?!何)"
)
_MODAL: Final = (
    "(?<!还)是|有(?!限)|(?<!现)在|(?<![唱乐览员协议学商工大晚宴])会(?![议计员])"
    "|(?<![阳功性智技节机核动电])能(?![源量力])|(?<![重主])要(?!素)|可[以能]|应[该当]|需要"
    "|必须|属于|适合|值得|获得|得过|被|把|(?<!对)比(?![特亚利赛例尔较])|(?<=..)离"
    "|(?<=..)(?<![好小零贪])[吃喝坐]|(?<=..)对(?![象比])|于(?!都)|包[括含]|含有|吸收|提供"
)
_ADVERB: Final = (
    "主要|一般|通常|大[概约]|到底|究竟|分别|每[天年月周日次]?|一[天年次共]|一个[月星]|很"
    "|(?<=.)还(?!是)|(?<=.)更|(?<=.)最(?![终佳])"
    "|(?<=.)[难好][学用考懂玩养种](?=[吗么嘛不，？?]|$)"
)
_SENTENCE_END: Final = "[吗呢吧了]|过(?![敏程滤])|[，,。？?！!；;：]"
_CUT = re.compile(f"{_MODAL}|{_ASKING}|{_ADVERB}|{_SENTENCE_END}")
_TRAILING = re.compile(
    rf"(?:{_MOMENT}|{_any_of(RELATIONAL_ZH)}|天气(?:预报)?|空气质量|[饭餐睡之]?前|位|成立|毕业|效力"
    r"|分布|连接|代表|凭借|[的上里中都也又再只不和与就才共冷热贵难涨跌含\s])++$"
)  # no way back: 现在现在…
# A lone verb before 过 or 了: 刘德华演过, 谁写了.
_LONE_VERB = re.compile("[演讲写死学唱拍说创看玩用买卖住考吃喝去做养]$")
_WHO = re.compile("谁[\u4e00-\u9fff]{1,3}了.+?(?=[？?。\\s]*$)")
_OWNED = re.compile("^(.+?)的(.+)$")
_ROLE = re.compile(f"(?:{_any_of(ROLES)})$")
_HOW_TO = re.compile(f"(?:请问)?(?:{_HOW})")
_DOING = re.compile(
    "(?:申请|办理|预防|治疗|制作|学习|安装|使用|选择|挑选|缓解|[养种做学用练选挑])(?=..)"
)
_DEFINING = re.compile(
    "^(?:请问|请)?(?:什么[是叫]|介绍)|(?<=..)是(?:什么|啥)(?:意思|东西)?[？?。\\s]*$"
)


def subject_of(question: str, known: str = "") -> str:
    """Return what *question* is about, after *known*, which stays if it names none."""
    text = question[:_MOST_READ].strip()
    if title := _TITLE.search(text):
        return title[0]
    if known and _PREDICATE.match(_LINKING.sub("", text, count=1)):
        return known
    head = _head(text).strip()
    owned = _OWNED.match(head)
    if owned and not left_of(owned[2]):
        head = owned[1]
    if not _DEFINING.search(text):
        shorter = _TRAILING.sub("", head).strip()
        head = shorter if len(shorter) > 1 else head
    if _HOW_TO.match(text) and (verb := _DOING.match(head)):
        head = head[verb.end() :].strip()
    if len(head) == 1 and _LONE_VERB.match(head):
        return known
    names = left_of(head) and not _POINTING.match(head)
    return head[:_LONGEST] if names else known


def pair_of(question: str) -> str:
    """Return two things that are compared, such as A 和 B; '' without."""
    head = _TRAILING.sub("", _head(question[:_MOST_READ])).strip()
    return head if _PAIR.fullmatch(head) else ""


def person_of(question: str) -> str:
    """Return a person named by a role, or by what was done: 谁写了…; '' without."""
    if who := _WHO.match(question[:_MOST_READ].strip()):
        return who[0]
    head = _head(question[:_MOST_READ]).strip()
    return head if _ROLE.search(head) and left_of(head) else ""


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
        if left_of(head):
            return head
        text = text[cut.end() :]
    return text
