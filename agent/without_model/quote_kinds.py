"""What a question asks for, told by its words."""

import re
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class Kind(Enum):
    """What a question asks for."""

    MONEY = auto()
    VERSION = auto()
    WHEN = auto()
    COUNT = auto()
    WHO = auto()
    WHERE = auto()
    WHY = auto()
    DEFINITION = auto()
    COMPARISON = auto()
    HOW = auto()
    YES_NO = auto()
    OTHER = auto()


def kind_of(question: str) -> Kind:
    """What *question* asks for."""
    for kind, pattern in _QUESTIONS.items():
        if pattern.search(question):
            return kind
    return Kind.OTHER


def _words(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


# The first that fits, so the narrow ones come first.
_QUESTIONS: Final[Mapping[Kind, re.Pattern[str]]] = {
    Kind.MONEY: _words(
        r"多少(?:钱|元|块|美元)|[价票]格|[售票房]价|费用|收费|[收营]入|营收|利润|工资|预算"
        r"|how much.*\b(?:cost|pay|charge|earn|worth|spend|fee|price)"
        r"|how much (?:is|are|was|were) "
        r"|\b(?:price|cost|fee|salary|revenue)s? (?:of|per|in|for)\b"
        r"|\b(?:price|cost|fare|salary|wage)s?$"
    ),
    Kind.VERSION: _words(
        r"版本(?:是|号)?.{0,3}[多哪几什]|[哪几]个?版本?|最新版|\b(?:which|what)\b.*\bversion"
        r"|\blatest (?:\w+ ){0,3}(?:version|release)|最新[^，。]{0,12}版"
    ),
    Kind.COMPARISON: _words(
        r"区别|差别|一样|差异|不同|相比|对比|哪[个种家条]?[更最]?(?:好|高|大|多|快|贵|长|便宜|历史)"
        r"|哪[个种条].{0,4}[大小多高快贵好长重]|\bdifferences?\b|\bcompared?\b|\bvs\b|\bversus\b"
        r"|\b\w+er\b.* (?:than|or) |\bbetter\b|\bsame\b|^(?:is|are|does|do)\b.*\bor\b"
    ),
    Kind.WHEN: _words(
        r"什么时[候间]|何时|[时日]间$|日期|年份|哪一?[年天]|几[点月号时]|何年|多会儿"
        r"|\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b"
    ),
    Kind.COUNT: _words(
        r"多少|几[^乎何]|多[长高远大深重宽久快厚]|数量|人口"
        r"|\bhow (?:many|much|long|far|tall|high|deep|big|large|old|fast|heavy|wide"
        r"|often)\b|\bwhat is the .*(?:population|number|height|length|depth|weight"
        r"|speed|distance|size|area|age|temperature|limit|capacity|rate|point|mass"
        r"|density|percentage|share|duration)\b|\bpopulation of\b|海拔|[沸熔燃]点"
        r"|(?:[高长深宽速温]度|面积|距离|时速|[体重]重|重量|[人次]数|时长|寿命)[?？]?$"
        r"|\b(?:height|length|depth|weight|speed|distance|size|age|temperature)$"
    ),
    Kind.WHO: _words(
        r"谁|哪位|何人|哪家|哪[个位]?(?:公司|人|皇帝|国王|总统|.?[作导演专学画]家|[导演]员|导演)|作者|[原本真]名|叫什么"
        r"|\bwho(?:m|se)?\b|\bwhat company\b|\bname of\b"
    ),
    Kind.WHERE: _words(
        r"哪里|哪儿|在哪|何[处地]|哪[个座一]?(?:城市|国家?|省|地方|市|州)|什么地方|地址"
        r"|\bwhere\b|\b(?:which|what) (?:city|country|town|state|place|address)\b"
    ),
    Kind.WHY: _words(
        r"为什么|为何|为啥|原因|怎么(?:形成|来|会)|如何形成|怎样形成"
        r"|\bwhy\b|\bwhat (?:causes?|caused|makes)\b|\breasons?\b"
    ),
    Kind.DEFINITION: _words(
        r"什么是|什么叫|何谓|是什么|什么意思|定义|含义"
        r"|\bwhat (?:is|are) (?!the\b)|\bwhat's an?\b|\bmean(?:ing)?\b|\bstands? for\b"
        r"|\bdefine\b|\bwhat does an? .*\bdo\b|\bwho is\b"
    ),
    Kind.HOW: _words(r"怎么|怎样|如何|咋|方法|\bhow\b"),
    Kind.YES_NO: _words(
        r"吗|是否|([\u4e00-\u9fff])[不没]\1|有没有|能否|可否"
        r"|^\s*(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)\b"
    ),
}
