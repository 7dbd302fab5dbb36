"""Tell which turns name no subject: greetings, thanks, requests, code and sums."""

import re
from typing import Final

from agent.follow_up.chinese_question import any_of
from agent.follow_up.english_question import read
from agent.follow_up.english_words import FUNCTION

_MOST: Final = 80  # characters; a longer turn tells of something
_HAN = re.compile("[\u3400-\u9fff]")
_SIGNS = re.compile(r"[\W_\d]+")

# A turn that holds one of these, and else only words around them.
_TALK_ZH = """
你好 您好 嗨 哈喽 喂 早安 晚安 早上好 下午好 晚上好 再见 拜拜 谢谢 多谢 感谢 辛苦
不客气 没关系 对不起 抱歉 好的 好吧 好啊 行 可以 嗯 哦 噢 喔 哈 呵呵 嘻嘻 哇 真的
没错 不错 太棒 太好 厉害 明白 知道 懂 清楚 收到 是吗 是吧 对吗 对吧 好吗 是的 对的
不是 不对 再说 再讲 说 讲 解释 总结 概括 归纳 继续 接着 重复 重写 改写 换 回答 回复
答案 翻译 缩短 展开 详细 具体 简短 简洁 通俗 笑话 故事 加油 为什么 听不懂 看不懂
"""
_AROUND_ZH = """
我 你 您 我们 请 麻烦 帮 给 把 再 又 还 就 都 也 能 能不能 可以 可不可以 会 要 想 让
不 没 没有 太 很 更 最 吧 吗 呢 啊 呀 哦 了 的 得 地 着 过 这 那 这样 那样 这么 那么
刚才 刚刚 上面 前面 一下 一点 点 些 一些 一遍 遍 一次 次 个 一个 种 首 段 条 句 句话
话 几 两 三 一 多 少 长 短 简单 仔细 深入 大声 说法 方式 方法 语气 用 以 成 为 出来
下去 英文 中文 英语 汉语 日语 日文 法语 德语 俄语 韩语 西班牙语 普通话 大白话 语言
表格 列表 要点 格式 内容 问题 是 有 听 看 意思 好 来 吃惊 字
"""
_CORE_ZH = re.compile(any_of(_TALK_ZH.split()))
_ALL_ZH = re.compile(any_of((*_TALK_ZH.split(), *_AROUND_ZH.split())))
# To whom one talks: 你是谁, 你能做什么.
_YOU = re.compile("你(?!好)|您(?!好)")
_OF_YOU = re.compile("叫|谁|什么|名字|做|干|哪里|人|模型|怎么|样|觉得|看|吃饭|会")

_HELLO = "thanks thank thx hi hello hey bye goodbye ok okay cheers welcome"
_GREETINGS: Final = frozenset(_HELLO.split())
_SAID = """
sorry cool great nice good awesome perfect amazing wow hmm hm um uh ah oh haha
hahaha lol yes yeah yep no nope sure right fine alright please understand understood
got joke jokes continue repeat rephrase reword rewrite summarize summarise summary
shorten elaborate simplify translate answer answers reply respond say write bullet
simpler clearer wrong interesting morning
"""
_TALK: Final = _GREETINGS | frozenset(_SAID.split())
_BESIDE = """
a bit lot much very well more less again another tell give make go going use using
see know think mean want need help try show put keep explain describe detail details
detailed simple simply word words term terms sentence sentences paragraph paragraphs
point points list table format short shorter brief briefly long longer way ways
style story poem funny text response english chinese french spanish german japanese
korean italian russian portuguese arabic friend appreciate confused good night
afternoon evening day thing things everything that's
"""
_AROUND: Final = FUNCTION | frozenset(_BESIDE.split())
_WORDS = "what who whom whose when where why which how"
_ASKING: Final = frozenset(_WORDS.split())

_SUM = re.compile(
    r"[\s\d.,+\-*/\u00d7\u00f7=()^%]*\d[\s\d.,+\-*/\u00d7\u00f7=()^%]*"
    r"(?:等于|是|得)?(?:几|多少)?[?？]?"
)
_CODE = re.compile(
    r"\s*(?:```[\s\S]*|`[^`]*`|[\w.]+\([^()]*\)\s*;?|[\w.\[\]]+\s*[-+*/]?=[^=].*"
    r"|(?:import|from|def|class|return|select|sudo|pip|npm|git)\s[^?]*[.:;=()*-][^?]*)\s*",
    re.IGNORECASE | re.ASCII,
)


def is_filler(text: str) -> bool:
    """Tell if a turn says nothing of a subject."""
    if _SUM.fullmatch(text) or (_CODE.fullmatch(text) and not _HAN.search(text)):
        return True
    if len(text) > _MOST:
        return False
    return _is_chinese_talk(text) if _HAN.search(text) else _is_english_talk(text)


def greets(text: str) -> bool:
    """Tell if an English turn begins with thanks or a greeting, and only talks."""
    words = read(text)
    begins = bool(words) and words[0].low in _GREETINGS
    return begins and (words[0].low.startswith("than") or is_filler(text))


def _is_chinese_talk(text: str) -> bool:
    left = _ALL_ZH.sub("", _SIGNS.sub("", text))
    if _YOU.search(text):
        return not _OF_YOU.sub("", left)
    left = "".join(_HAN.findall(left)) if _english_part(text) else left
    return not left and _CORE_ZH.search(text) is not None


def _english_part(text: str) -> bool:
    words = read(_HAN.sub(" ", text))
    return all(word.low in _TALK for word in words)


def _is_english_talk(text: str) -> bool:
    lows = [word.low for word in read(text)]
    if not lows or (lows[0] in _ASKING and "you" not in lows):
        return False
    if lows[0] in {"thanks", "thank", "thx"}:
        return True
    return bool(_TALK & {*lows}) and all(low in _TALK | _AROUND for low in lows)
