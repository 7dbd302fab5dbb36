"""Words of a question that do not tell what it is about."""

import re
from collections.abc import Mapping
from typing import Final

_ENGLISH: Final = """
a an the and or of is are was were be been being am do does did done in on at to for
from with by about as into than then that this these those it its itself he she they
them their there here i me my we us our you your what which who whom whose when where
why how many much long far tall can could will would shall should may might must has
have had having not no yes if so such just also some any each other please tell know
want find look up show give hello hi hey thanks thank get don doesn s t
what's who's where's when's how's it's that's there's i'm i'd
"""
ENGLISH: Final = frozenset(_ENGLISH.split())

IRREGULAR: Final[Mapping[str, str]] = {
    "wrote": "write", "written": "write", "built": "build", "held": "hold",
    "won": "win", "spoke": "speak", "spoken": "speak", "began": "begin",
    "begun": "begin", "sold": "sell", "found": "find", "made": "make", "took": "take",
    "taken": "take", "went": "go", "gone": "go", "came": "come", "grew": "grow",
    "grown": "grow", "fell": "fall", "rose": "rise", "led": "lead", "left": "leave",
    "born": "birth", "died": "die", "dead": "die", "people": "person",
    "children": "child", "teeth": "tooth", "feet": "foot", "color": "colour",
    "center": "centre", "https": "https", "leaves": "leaf",
}  # fmt: skip

COURTESY: Final = re.compile(
    "^(?:你好|您好|嗨|哈喽)[，,。！!\\s]*|(?:请|麻烦)?(?:帮|给|替)我(?:查|搜|找|看)(?:一?下|查|找)?|请问"
    "|我想(?:知道|了解|问)(?:一?下)?|告诉我|想问(?:一?下)?|谢谢你?|查一?下|搜一?下|你知道"
    "|\\b(?:can|could|would) you (?:please )?(?:tell|show|find|help|explain)(?: me)?\\b"
    "|\\bplease (?:tell me|explain|find|search for)\\b"
    "|\\bi(?: would|'d) like to know\\b|\\bdo you know\\b",
    re.IGNORECASE,
)
# Words that ask, the longest first; what is left around them is the subject.
_ASKING = (
    "为什么|是?什么时[候间]|什么样|什么叫|什么是|是?什么意思|什么地方|是什么|什么"
    "|[是有]?多少(?:[钱元]|(?![\u4e00-\u9fff]))|哪[里儿位家些]|哪一?[年天个条座种]|何时|何[处地]|为何|怎么[样办]?"
    "|怎样|如何|是否|有没有|能不能|可不可以|是不是|会不会|可以|几(?:[点月]|号(?!线)|(?![\u4e00-\u9fff]))"
    "|多[长高远大深重宽久快]|到底|究竟|关于|一下|目前|哪|谁|吗|呢|吧|啊|呀|的|了"
)
ASKING_WORDS: Final = re.compile(_ASKING)
# For comparing, lone words that join others are cut out as well, and all that counts.
SEPARATORS: Final = re.compile(
    "[是有]?多少[个名位条颗座钱元]?|几[点月号个颗条位名次]?"
    f"|哪一?[个家座些位]?(?:公司|国家?|城市|地方|省|[市州])|{_ASKING}|区别|差别|不同|意思|原因|[是在有和与这那它他她我你您]"
)
# A Chinese question begins with its subject, unless with how, which or when.
ADVERBS: Final = re.compile("怎|如何|咋|哪|今|现|目前|最新")
# What may be left at the ends of a subject: `library in`, `by`.
REST: Final = "是在有由设到用对给请"
POINTERS: Final = "它他她"

# The same in English: these tell what kind of question it is.
KIND_WORDS: Final = frozenset(
    ["difference", "differences", "between", "versus", "vs", "mean", "meaning", "stand"]
)

# What points at something that was said before.
POINTING: Final = re.compile(
    "^(?:那|这|其|还有|另外)|[它他她](?!山)|呢[？?]?$|这[个些种家座款]|那[个些种家座款]"
    "|\\b(?:it|its|they|them|their|he|she|his|her|that one|this one|those|these)\\b"
    "|^(?:and|but|so|what about|how about)\\b",
    re.IGNORECASE,
)
