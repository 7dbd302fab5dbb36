"""What answers and advertisements look like, in Chinese and in English."""

import re
from collections.abc import Mapping
from typing import Final

from agent.without_model.quote_kinds import Kind


def _words(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_NUMERAL: Final = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
    r"|forty|fifty|hundred|thousand|million|half|[一二三四五六七八九十百千两]+)"
)
NUMBER: Final = _words(
    rf"\d[\d,.]*|\b{_NUMERAL}\b|[一二三四五六七八九十百千两]+(?=[个名位条颗座所次年天])"
)
DATE: Final = _words(
    r"\d{2,4}\s*年|\d{1,2}月(?:\d{1,2}[日号])?|[一二三四五六七八九十]+月|公元前"
    r"|\b(?:1\d|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september"
    r"|october|november|december|jan|feb|aug|sept?|oct|nov|dec)\b"
)
SAID_YES: Final = _words(r"^(?:yes|no)\b|^(?:是的|可以|不[是能可会])")
CENTURY: Final = _words(r"世纪|\bcentury\b")
# What tells a day or a year by itself; a month alone tells less.
DAY: Final = _words(r"\d{4}\s*年|\d{1,2}月\d{1,2}[日号]|\b(?:1\d|20)\d\d\b|公元前")
CLOCK: Final = _words(
    r"\b\d{1,2}[:：]\d\d|\d{1,2}[点时](?!间)|[上下]午\d|\b\d{1,2}\s?[ap]\.?m\b|\bnoon\b"
    r"|\bmidnight\b"
)
ASKS_CLOCK: Final = _words(
    r"几[点时]|营业|开门|关门|\bwhat time\b|\b(?:close|open)s?\b(?!.*\bin\b)"
)

# What an answer of each kind holds; COUNT, WHEN and WHO have more below.
EVIDENCE: Final[Mapping[Kind, re.Pattern[str]]] = {
    Kind.MONEY: _words(
        r"[$€£¥￥]\s?\d|\b(?:CHF|USD|EUR|GBP|CNY|RMB|JPY|HKD|[NSD]OK|SEK)\s?\d"
        r"|\d[\d,.]*\s?[百千万亿]*[多余]?(?:美|欧|日|港|人民币)?[元块]|免费"
        r"|\d\s?(?:dollars|euros|pounds|yuan|yen|won|rupees|francs|kron(?:or|er)|cents"
        r"|usd|eur)\b|\bfree of charge\b"
    ),
    Kind.VERSION: _words(r"\bv?\d+(?:\.\d+)+"),
    Kind.WHERE: _words(
        r"位于|地处|坐落|设[在于]|[省市县区镇乡村州岛湾]|\d+号"
        r"|\b(?:based|located|situated|lies)\b"
    ),
    Kind.WHY: _words(
        r"因为|由于|因此|因而|所以|导致|造成|引起|使得|源于|起因|缘于|随之|从而|是因|主要由"
        r"|\bbecause\b|\bdue to\b|\bcaused? by\b|\bresults? (?:of|from|in)\b"
        r"|\btherefore\b|\bleads? to\b|\bled to\b|\bowing to\b|\breason\b|\bso that\b"
        r"|(?:^|, )as\b|\bsince\b"
    ),
    Kind.DEFINITION: _words(
        r"是一[种个类项]|是指|指的是|指|即|又称|称为|定义为|简称|属于|是[^否的]{1,12}的"
        r"|\b(?:is|are) (?:an?|the)\b|\brefers? to\b|\bmeans\b|\bshort for\b"
        r"|^(?:it|this|they) (?:is|are)\b|\bstands? for\b|\bdefined as\b|\bknown as\b"
        r"|\bis when\b"
    ),
    Kind.COMPARISON: _words(
        r"[^对]比|相比|而|更|较|不如|相差|都|没有|两者"
        r"|\bthan\b|\bwhereas\b|\bwhile\b|\bbut\b|\bunlike\b|\bboth\b|\bless\b|\bmore\b"
        r"|\bcompared\b|\bhowever\b|\bdiffers?\b|\bonly\b"
    ),
    Kind.HOW: _words(
        r"先.*再|然后|即可|进入|打开|步骤|关掉|按住|选择|[应把](?!该)"
        r"|(?:^|, (?:and )?|\band |\bthen |\bfirst )(?:press|hold|tap|select|use|apply"
        r"|click|turn|run|choose|go to|remove|add|mix|rinse|place|put|set|type|enter"
        r"|wait|push|pull|wash|heat|let|make sure|install|insert|unplug|plug|scroll"
        r"|swipe|grasp|grip|lift|open|close|keep|pour|stir|squeeze|rub|soak|dab|wipe|dry"
        r"|cover|cool|lean|sit|pinch|lay|avoid|start|cut|boil|peel|store|check)\b"
        r"|\bby \w+ing\b|\bso that\b|\bworks by\b"
    ),
    Kind.YES_NO: _words(
        r"可以|不[能可宜会应要得行]|支持|没有|设有|不是|无[需法]|免费|收费|禁止|允许|[闭停]"
        r"|建议|避免|忌|慎|[有无][毒害]|安全|适量|少量"
        r"|\byes\b|\bnot\b|n't\b|\bcannot\b"
        r"|\bsupports?\b|\bincludes?\b|\boffers?\b|\bno longer\b"
        r"|\b(?:un)?safe(?:ly)?\b|\b(?:non-?)?toxic\b|\bpoison|\bharm|\bdanger|\bavoid"
        r"|\b(?:il)?legal|\ballowed\b|\bpermitted\b|\bbanned\b|\bforbidden\b|\brecommend"
    ),
}
# `A, B and C`, which answers a question for several.
LISTED: Final = _words(r"[^、]、[^、]+(?:、|[和及与])|, [^,]{1,40},? (?:and|or)\b")
# What is a little likelier there than elsewhere.
HINTS: Final[Mapping[Kind, re.Pattern[str]]] = {
    Kind.WHY: _words(r"作用|原因|使|让|\bso that\b|\bcauses?\b|\bmakes?\b"),
    Kind.HOW: _words(
        r"后|可|用|每|减少|\b(?:your|until|minutes|then|use|using|that)\b|\bto \w+ \w+"
        r"|\bwith an?\b"
    ),
    Kind.YES_NO: _words(r"能|有|不|\bcan\b|\bhas\b|\bno\b"),
}

# `most`, `longest`, asked for and said.
SUPERLATIVE: Final = _words(
    r"最|第[一1]|首[位个次家]|榜首|居首|\b(?:most|first|best|top|number one)\b"
    r"|\b(?:larg|bigg|tall|high|long|deep|fast|old|small|heavi|rich)est\b"
)
# Who holds an office, and who held it.
NOW: Final = _words(
    r"现任|现在|目前|当前|今年|\bwho is\b|\bcurrent(?:ly)?\b|\bnow\b|\btoday\b"
)
PAST: Final = _words(
    r"曾[任经是]|前任|原任|\b(?:was|were|former(?:ly)?|used to|served|until|ex-)\b"
)
ASKS_DAY: Final = _words(r"几[月号日]|哪一?天|\b(?:what|which) (?:day|date)\b")
OF_YEAR: Final = _words(
    r"\d月\d|[a-z]{3} \d{1,2}(?!\d)|\b\d{1,2}(?:st|nd|rd|th)? [a-z]{3}"
)
# What stands before or behind the name of who did it.
BY: Final = _words(
    r"由(?!于)|任命|当选|[撰编]写|发明|创[办立建]|担任|现任|[获夺]得|[本原真]名|荣获|授予|颁给|执导|\bby\b|\bappointed\b"
)
SURNAME: Final = re.compile(
    "(?:^|[是为由者任叫的，、《》（]|任命|北宋的|当选)"
    "([王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余"
    "杜叶程苏魏吕丁沈任姚卢姜崔钟谭陆汪范金石廖贾韦夏付方邹熊白孟秦邱江尹薛闫段雷侯龙史陶"
    "黎贺顾毛郝龚邵万钱严武戴莫孔汤毕][\u4e00-\u9fff]{1,2})"
)

# What asks, sells or fills a page, and answers nothing.
ASKING: Final = _words(
    r"[?？]\s*[”’\"')）]*$|请问|求推荐|求助|在线等|有人知道|有谁知道|想了解一下|疑问|怎么办啊"
    r"|\bi (?:was wondering|tried|need)\b|\bany(?:one| help)\b|\bplease help\b"
)
SELLING: Final = _words(
    r"立即|点击|下单|包邮|特价|优惠|抢购|免费下载|热销|火热|预订中|限时"
    r"|[买满]\S{0,3}送|扫码|上门|租赁|一站式|一对一|在线[咨客]|小时在线|全网|招生中|欢迎(?:参加|选购|咨询|关注)|拎包|送货|本期视频|带你"
    r"|\b(?:click|buy|order|book|call|shop|subscribe|sign up|apply|join|take our"
    r"|try these) (?:here|now|today|us|your|for your|our|in)\b|\bfree shipping\b"
    r"|\bon sale\b|\bbest price|\blow prices\b|\blooking for\b"
    r"|^(?:buy|book|order|find|join|see|live)\b"
)
INVITING: Final = _words(
    r"^(?:visit|take|try|watch|learn|discover|explore|become|get|save|read|use|check|meet"
    r"|stay|compare|convert|enjoy|listen|follow|download|choose|let)\b|^欢迎|^快来|^来"
)
BOASTING: Final = _words(
    r"我们|本[店站期社]|本公司|本课程|我的?觉得|\b(?:we|our|i|my)\b"
)
# Pages that rarely answer anything else than what they are called after.
SHOWCASE: Final = _words(
    r"推荐|报价|图片|壁纸|下载|培训|排行|团购|招聘|门票|攻略|预订|优惠|特惠|商城|旗舰店|文创|套餐"
    r"|礼品|玩[偶具]|租赁|计算器|查询|模型|酒店|招生|直播|淘宝|直发|特产|\b(?:best|tours?|deals?|posters?|stickers?|gifts?|courses?|quiz|review|trailer|sale"
    r"|shop|jobs|careers|wallpapers?|coupons?|videos?|photos?|webcam|tickets?|rumou?rs|buy"
    r"|documentary|exhibition|calculator|converter|puzzle|print|kit|costume|toys?)\b"
)
FILLING: Final = _words(
    r"更多(?:详情|精彩)|推荐阅读|版权所有|备案|登录|注册|上一篇|下一篇|以公告为准|另行通知|敬请|查询"
    r"|\bcookies?\b|\brights reserved\b|\blog ?in\b|\bread more\b|\blearn more\b"
    r"|\bprivacy policy\b|\bjavascript\b"
)
