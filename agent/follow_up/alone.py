"""Questions that stand on their own although they name no subject of their own."""

import re
from typing import Final

from agent.follow_up.chinese_question import MOMENT, any_of, left_of
from agent.follow_up.chinese_words import DEFINED, FREE, RELATIONAL
from agent.follow_up.english_words import AUXILIARY, TIMES
from agent.follow_up.english_words import RELATIONAL as NOUNS

_FREE: Final = any_of(FREE)
_DEFINED: Final = any_of(DEFINED)
_HOW: Final = "怎么|怎样|如何|咋"
_END: Final = r"[了呢啊呀的？?！!。\s]*"
_ALONE = re.compile(
    "(?:请问|请)?(?:"
    # A definition, of whatever: 什么是时间, 汇率是多少.
    "(?:什么是|啥是|什么叫|何为|何谓)(?![它他她这那]).+"
    f"|(?:{_DEFINED})(?:到底|究竟)?是[什啥]么?{_END}"
    f"|(?:汇率|利率|税率)是多少{_END}"
    # Something that is done with a thing, or that it does: 工资怎么算, 房价会跌吗.
    f"|(?!公司)(?:{_FREE})的.*|(?:{_FREE})(?:{_HOW}|会|该|应该|要(?!多|几)).*"
    f"|(?:{_HOW})(?:才能)?[\u4e00-\u9fff]{{1,2}}(?:{_FREE}){_END}"
    f"|(?:{_HOW})(?:才能|快速|更好地?)*(?:赚钱|花钱|省钱|学习){_END}"
    # The clock, the weather, and what happens.
    f"|(?:{MOMENT}|当地|北京)*(?:时间)?(?:是|都)*(?:{MOMENT}|时间|了)"
    f"(?:是|都)*几[点号月]\\w?{_END}"
    f"|(?:当地|北京)?时间(?:是)?几点{_END}"
    f"|(?:{MOMENT})+(?:是|都)*(?:几[点号]|星期几|周几|礼拜几).*"
    f"|(?:这个)?(?:{MOMENT})+(?:天气)?(?:会|还|很|有多|下)*[冷热雨雪][吗不么]*{_END}"
    f"|(?:{MOMENT})*(?:都|又)?发生了?(?:什么|啥)事?情?{_END}"
    # The speakers, and where they are.
    f"|[这那]个(?:英文|中文)怎么.*|这[里儿]?是哪[里儿]?{_END}"
    f"|哪[里儿](?:比较|最|更)?好[玩吃看]{_END}"
    f"|(?:{MOMENT})+(?:该|去|要)?(?:吃|喝|做|干|玩|穿)(?:什么|啥|哪).*"
    f"|[是对好行真][的]?[吗吧么]{_END}"
    ")"
)
_YOU = re.compile("[你您咱]")
_NOUN = re.compile(any_of(RELATIONAL))
# A word whose first character looks like a verb: 对虾怎么做, 会计证怎么考.
_WORD = re.compile(
    r"([会能要对由占离几][\u4e00-\u9fff]{1,6}?)(?=是(?!否|不是)|在哪|怎|如何|咋|需要|\s)"
)
_TALK = re.compile(
    "(?:那|那么)?(?:你们?|您|我们?|咱们?|人|人家|别人|大家)呢[？?！!。\\s]*"
)

_MOMENT_EN: Final = (
    f"(?:this|last|next) (?:{'|'.join(TIMES)})|today|tonight|tomorrow|yesterday"
)
_NOW: Final = rf"(?: (?:now|right now|currently|{_MOMENT_EN}))?"
_CLOCK = re.compile(
    "(?:so |and |but )?(?:"
    r"(?:what|which)(?:'s| is)?(?: the| today's)?(?: current| local| exact)? "
    rf"(?:time|date|day|year|month|week)(?: of the week)?"
    rf"(?: is it| it is| is today)?{_NOW}"
    rf"|what(?:'s| is)(?: up| new| happening| going on| wrong"
    rf"| the news| the matter){_NOW}"
    r"|what (?:happened|happens|is happening|will happen|changed|came out) "
    rf"(?:{_MOMENT_EN})"
    rf"|what is (?:an? )?(?:{'|'.join(NOUNS)})"
    r")\W*",
    re.IGNORECASE,
)
# Something is to be done, with something: how to lose weight.
_DOING = re.compile(
    rf"\b(?:how|ways?|where|what) to \w+(?: \w+ly)? (?:an? )?(?:{'|'.join(NOUNS)})\b",
    re.IGNORECASE,
)
_IT_NOUN = re.compile(
    rf"\b(?:{'|'.join(AUXILIARY)}) it \w+(?<!ly) (?:do|does|mean|work|cost|earn)\b",
    re.IGNORECASE,
)
_LET_IT = re.compile(r"\blet it (?:be|go|\w+)\W*$", re.IGNORECASE)


def stands_alone(question: str) -> bool:
    """Tell if a Chinese question asks of something, and no subject fits into it."""
    text = question.strip()
    if _ALONE.fullmatch(text) or _TALK.fullmatch(text):
        return True
    if _YOU.search(text) and not _NOUN.search(text):
        return True
    word = _WORD.match(text)
    return (
        word is not None and bool(left_of(word[1])) and left_of(word[1]) != word[1][:1]
    )


def stands_alone_in_english(question: str) -> bool:
    """Tell the same of an English one: the clock, a definition, a thing to do."""
    text = question.strip().replace("\u2019", "'")
    if _CLOCK.fullmatch(text):
        return True
    return any(one.search(text) for one in (_DOING, _IT_NOUN, _LET_IT))
