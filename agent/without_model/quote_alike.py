"""Other words for the words of a question."""

from collections.abc import Collection, Mapping
from typing import Final

from agent.without_model.quote_text import terms

_GROUPS: Final = """
cost price fee sell charge pay start worth | buy purchase
ceo chief executive director | headquarters based office
population inhabitants residents people | launch liftoff lift | author write novel
design architect | create found establish invent develop patent
construct erect complete | begin start open | end finish close cease
close open hours | reset restore factory
remove drop delete clean | memory ram | big large size | fast speed quick
tall high height | far distance | old age | heavy weigh weight | need require minimum
carry capacity room | maximum limit | illness disease | protect defend
car vehicle | film movie | happen occur | kill die death | language speak official
reason cause because | doctor physician | job work career | version release stable
update upgrade | phone smartphone | laptop notebook | area surface
win winner champion | lead head chair | part member | law act | 发烧 发热
退烧 退热 | 价格 售价 票价 门票 费用 | 收入 营收 | 成立 创办 创立 建立 | 开业 开张
作者 撰写 著作 编著 | 承建 建造 施工 | 发布 推出 上市 | 最新 目前 当前
关闭 关掉 停止 | 打开 开启 | 卸载 删除 | 距离 相距
人口 居民 | 举行 举办 开幕 | 电脑 计算机 | 报名 参赛 | 区别 不同
支持 兼容 | 形成 产生 成因 | 去世 逝世 | 出生 生于 | 老板 董事 | 治疗 疗法
last keep store | symptom sign
合适 适合 适宜 | 高度 海拔 | 开放 开门 开馆 开园 闭馆 关门 营业
"""
_ALIKE: dict[str, set[str]] = {}
for _group in _GROUPS.replace("\n", " | ").split("|"):
    _members = terms(_group)
    for _member in _members:
        _ALIKE.setdefault(_member, set()).update(_members)
ALIKE: Final[Mapping[str, Collection[str]]] = _ALIKE


def alike(term: str) -> Collection[str]:
    """Other terms that may stand for *term* in an answer."""
    return ALIKE.get(term, ())
