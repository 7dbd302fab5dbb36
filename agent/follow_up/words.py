"""Words of both languages that tell whether a question leans on an earlier one."""

from typing import Final


def _words(text: str, *endings: str) -> frozenset[str]:
    """Return the words of *text*, also with each of *endings*."""
    words = text.split()
    return frozenset([*words, *(word + end for word in words for end in endings)])


# ---- English

# Words that carry no subject.
FUNCTION: Final = _words("""
a about actually after against all also although always am among an and another any are
aren around as at be because been before being between both but by can can't could
currently d did didn do does doesn doing don done down during each else even ever every
exactly for from generally get gets had has have having he her here hers him his how i
if in into is isn it it's its just let let's like ll m many may me might mine more most
much must my never no nor normally not now of off often on one ones only onto or other
others our out over own per please re really s same shall she should since so some still
such t than that the their theirs them then there these they this those though through
to today too typically under until up us usually ve versus very via vs was wasn we were
weren what what's when where which while who whom whose why will with within without
would yes you your yours
""")
# Verbs and adjectives that fit any subject.
_VERBS = """
able affect again ago allow anyone anything applied apply available avoid away back bad
based basic became become began begin begun best better born build built buy calculate
call came caused change choose chosen clean come common compare compete consider contain
cook cover create curable cured current dangerous describe design develop die differ
different difficult discover easy eat effective end especially essential
established ethical everything exist expensive explain fail famous far feel felt find
first fix flies fly form found free further getting give go goes good grow happen
happening harmful healthy hear held help hold illegal impacted important improve include
increase influence install interesting invent involve join keep key kill know known last
lead learn leave left legal likely list live located long-term look lose made mainly
major make making mean meant measure modern mostly move named naturally necessary need
next occur offer open originally owned particularly pay people person pick play popular
possible potential powerful prevent primary provide publish ran real receive recent
recommend reduce relate release remove replace require run say second secure see sell
short-term shorter show side significant similar sold solve somebody someone something
soon spread start stop store stuff succeed suggest support sure take tell thing think
third took treat treatable true typical used using usual various visit want way well
went win won worked working worse write written wrote
"""
_ADJECTIVES = """
big bigger biggest cheap early fast great hard high large late long low main new nice
old safe short slow small strong tall weak worst young
"""
GENERAL: Final = _words(_VERBS, "s", "d", "ed") | _words(
    _ADJECTIVES, "r", "er", "st", "est"
)

# Nouns that need another noun: the symptoms (of what?).
_RELATIONAL = """
achievement address advantage advice age alternative amount appearance application area
argument author award background beginning benefit capital career cast categories
category cause ceo challenge character characteristic childhood children climate color
colour competitor component conclusion cons consequence contribution controversy cost
creator criticism culture cure currency customers date death definition depth detail
diagnosis diet difference director disadvantage distance downside drawback duration
economy education effect element ending enemies evidence example exception fact family
feature fee finding founder function government growth habitat headquarters height
history husband impact implication importance information ingredient invention inventor
issue kind language law layer leader length level life life-span lifespan lifetime
limitation location meaning member method model name net nickname option origin outcome
overview owner parents part phase plot population predator president prevalence
prevention price principle problem procedure process profit prognosis properties
property pros purpose rate reason recipe relation relationship religion requirement
restriction result revenue review risk role rule salary sequel shape side-effects sign
significance similarities similarity size solution source speed spouse stage step
structure summary survival symptom technique temperature term theme theories theory time
tip treatment type upside usage use users variant variety version weight width wife word
work worth
"""
RELATIONAL: Final = _words(_RELATIONAL, "s")
# Kinds of things: “the city” is one that was named before.
KINDS: Final = _words("""
actor actress album animal app area artist band battle book breed building car city club
company condition country device disease dish disorder drink drug event experiment
festival film firm food game group illness island language man medicine mountain movie
museum novel organisation organization painter person place plan plant product program
project religion river school series show singer software song species state study team
town treaty university village war website woman writer
""")
TIMES: Final = _words("""
afternoon autumn century day days decade evening fall moment month months morning night
season spring summer time week weekend weeks winter year years
""")
# Adjectives behind an “it” that means nothing: is it safe to eat raw eggs?
EXPLETIVE: Final = _words("""
bad best better cheaper common dangerous difficult easy fine good hard healthy illegal
important impossible legal necessary normal ok okay possible right rude safe true useful
useless wise worth wrong
""")
# The same of the weather: is it raining?
WEATHER: Final = _words("""
cold dark hot like rain raining snow snowing sunny time warm windy
""")
# Small classes of grammar.
THINGS: Final = _words("it its they them their theirs")
PEOPLE: Final = _words("he him his she her hers")
OWNING: Final = _words("its their theirs his her hers")
BE: Final = _words("is are was were be been being")
AUXILIARY: Final = _words("""
do does did can could will would shall should may might must has have had
""")
JOINING: Final = _words("and or but if when because so while although")
ASKING: Final = _words("""
what which who whom whose when where why how tell describe explain list
""")
SPEAKERS: Final = _words("i we you your my our me us")
PAIRING: Final = _words("""
between difference differences similarities versus vs related compare or
""")
# A turn that holds one of these, and else only words around them, is talk.
TALK: Final = _words("""
ah alright amazing answer answers awesome bullet bye cheers clearer continue cool
elaborate fine good goodbye got great haha hahaha hello hey hi hm hmm interesting joke
jokes lol morning nice no nope oh ok okay perfect please repeat rephrase reply respond
reword rewrite right say shorten simpler simplify sorry summarise summarize summary sure
thank thanks thx translate uh um understand understood welcome wow write wrong yeah yep
yes
""")
AROUND: Final = _words("""
a bit lot much very well more less again another tell give make go going use using see
know think mean want need help try show put keep explain describe detail details
detailed simple simply word words term terms sentence sentences paragraph paragraphs
point points list table format short shorter brief briefly long longer way ways style
story poem funny text response english chinese french spanish german japanese korean
italian russian portuguese arabic friend appreciate confused good night afternoon
evening day thing things everything that's
""")

# ---- Chinese

# Words that fit any subject: particles, question words, common verbs, adverbs.
GENERAL_ZH: Final = _words("""
的 了 着 过 得 地 吗 呢 吧 啊 呀 么 嘛 是 有 在 和 与 跟 同 或 及 被 把 对 向 从 给 让
为 于 到 去 来 用 以 不 没 也 都 就 还 又 再 才 只 很 太 更 最 比较 挺 非常 特别 一般
通常 主要 大概 大约 到底 究竟 真 其实 能 可以 可不可以 可能 会 要 应该 该 需 必须 想
好不好 值不值得 值得 适合 什么 啥 怎么 怎样 怎么样 咋 如何 为何 哪 哪里 哪儿 哪国 谁
多少 多久 多长 多高 多大 多远 多深 多重 多快 多宽 多 几 几点 几号 是否 何时 何地 何处
什么时候 什么样 这 那 这样 那样 然后 所以 但是 可是 如果 因为 另外 而且 并且 或者 请
请问 麻烦 谢谢 告诉我 告诉 介绍 说说 讲讲 解释 说明 详细 具体 简单 举个 举 一下 我该
我想知道 我要 你能 你可以 能否 可否 人们 大家 有人 没人 别人 小时 分钟 现在 目前 如今
近期 今年 去年 明年 以后 以前 之前 之后 后来 当时 将来 第一 第二 第三 首次 第一次 里面
其中 上面 之间 方面 附近 旁边 周边 离我们 自己 提前 钱 元 块钱 早期 晚期 初期 便宜
容易 好用 好看 好吃 好玩 好喝 安全 危险 重要 严重 有名 著名 出名 流行 常见 正常 准
准确 省 划算 靠谱 有效 健康 合法 免费 开源 稳定 厉害 方便 高吗 贵吗 一样 相同 相比 比
比起来 相关 做 做成 办 弄 叫 看 找到 买 卖出 带 写过 使用 安装 下载 升级 设置 卸载
运行 应对 维护 保养 清洗 更换 注销 续费 充值 退款 取消 关闭 打开 登录 注册 连接 调整
调节 改进 优化 防治 控制 鉴别 辨别 识别 种植 养殖 烹饪 食用 搭配 清除 去除 消除 最佳
爬上去 误食 过期 有效期 收费 收钱 表面 贵不贵 难不难 远不远 大不大 险 开始 结束 出现
发生 发现 发明 提出 创立 创办 创建 成立 建成 建造 修建 制造 制作 生产 研发 开发 发布
发行 上市 推出 上映 出版 出生 去世 活了 住 生活 居住 工作 学习 治疗 治好 治愈 自愈
预防 避免 缓解 恢复 检查 诊断 传染 遗传 复发 吃 喝 服用 导致 引起 造成 形成 产生 构成
包括 包含 属于 分为 区分 判断 选择 挑选 申请 办理 预约 报名 参加 参与 获得 获奖 拿过
计算 证明 实现 支持 兼容 涨了 跌了 增加 减少 提高 降低 改善 解决 处理 操作 举行 召开
开门 关门 开放 到达 坐车 花费 充满 登上 拍到 装下 喜欢 讨厌 知道 了解 认识 理解 推荐
注意 小心 起作用 管用 存在 变成 变 成为 算是 进行 完成 继续 停止 坚持 保持 保存 存放
坏掉 值钱 赚钱 花钱 退出 加入 修好 学会 练习 入门 上手 自学 计划 打算 准备 说什么 讲了
讲的 写的 更新 最好
""")
# Nouns that need another noun: the symptoms (of what?).
RELATIONAL_ZH: Final = _words("""
症状 病因 原因 病症 疗法 治疗方法 方法 办法 药物 药品 副作用 后果 后遗症 并发症 风险
危害 影响 预后 治愈率 死亡率 发病率 生存率 存活率 传播途径 潜伏期 表现 特点 特征 特性
性质 属性 功能 作用 用途 用处 优点 缺点 优缺点 优势 劣势 好处 坏处 利弊 区别 差别 差异
不同点 相同点 共同点 异同 联系 关系 关联 原理 机制 本质 定义 概念 含义 意思 意义
几何意义 来源 由来 起源 历史 背景 发展 发展史 过程 流程 步骤 阶段 条件 要求 材料 手续
资料 规则 标准 诊断标准 类型 种类 分类 类别 品种 版本 型号 系列 颜色 尺寸 大小 重量
长度 高度 宽度 深度 厚度 面积 体积 容量 海拔 温度 速度 距离 时间 日期 时长 年龄 寿命
年份 数量 数目 比例 比率 概率 价格 价钱 单价 售价 票价 房价 物价 门票 费用 成本 学费
运费 租金 工资 薪水 收入 身家 资产 市值 股价 营收 利润 销量 产量 票房 奖金 预算 汇率
利率 税率 续航 油耗 电池 内存 屏幕 像素 性能 配置 参数 保险 保修 售后 口碑 评价 评分
口味 味道 做法 用法 吃法 玩法 读法 写法 拼音 英文 中文 名字 名称 全称 简称 别名 外号
缩写 翻译 作者 导演 主演 演员 编剧 主角 主人公 人物 角色 结局 剧情 情节 内容 主题 主旨
中心思想 代表作 作品 续集 原著 原文 全文 歌词 电视剧版 电影版 奖项 成就 贡献 理论 观点
思想 创始人 创办人 发明者 发明人 发现者 设计师 建造者 老板 总裁 董事长 首席执行官 总统
总理 主席 首相 市长 国王 皇帝 领导人 负责人 队长 教练 校长 得主 冠军 亚军 获得者 妻子
丈夫 老婆 老公 孩子 儿子 女儿 父亲 母亲 父母 家人 朋友 生平 经历 学历 国籍 籍贯 哪里人
哪国人 身高 体重 生日 死因 墓地 故乡 家乡 母校 公司 总部 地址 位置 地点 地方 电话 官网
网站 首都 省会 人口 语言 货币 宗教 气候 天气情况 经济 文化 风俗 特产 美食 小吃 景点
交通 酒店 住宿 路线 攻略 时区 国旗 国歌 邻国 签证 治安 竞争对手 对手 替代品 同类 例子
案例 应用 场景 成分 营养 营养价值 热量 材质 结构 组成部分 组成 结果 结论 效果 疗效
成功率 准确率 进展 现状 趋势 前景 未来 问题 缺陷 争议 批评 教训 经验 技巧 注意事项
事项 建议 剂量 用量 疗程 手术 复查 医保 报销 开放时间 营业时间 淡季 旺季 机票 航班
高铁 车程 行程 停车 停车场 老家 年纪 出生地 代表人物 老师 弟子 处理器 摄像头 拍照 防水
系统 颜值 保修期 充电 利息 额度 期限 手续费 门槛 首付 月供 罚款 处罚 责任 时效 安全性
生态 社区 源码 许可证 官方文档 端口 年代 朝代 时期 起因 经过 赛季 比分 主力 主场 单位
实验 分数线 录取分数线 专业 宿舍 校区 食性 花语 养护 浇水 保质期 产地 口感 豆瓣评分
片长 配乐 上映时间 员工 员工数 业务 主营业务 上市时间 邮编 区号 车牌 流量 功率 电压
电量 耗电 噪音 画质 音质 手感 外观 设计 包装 质量 品质 做工 年限 使用寿命 等级 级别
难度 难点 重点 亮点 看点 卖点 槽点 动机 目的 目标 任务 职责 权利 义务 好友 对象 男友
女友 前妻 前夫 星座 血型 学生时代 早年 晚年 评论 读者 观众 粉丝 用户 客户 市场 份额
增长率 增速 占比 供应商 股东 投资人 估值 债务 负债 规模 排名 名次 学生 优惠 项目
开幕式 闭幕式 赛程 规定 法律 政策 依据 公式 代码 语法 命令 教程 文档 习性 天敌 食物
栖息地 分布 繁殖 学名 花期 市区
""")
# People who are named by what they are to a subject.
ROLES: Final = _words("""
创始人 创办人 发明者 发明人 发现者 设计师 设计者 作者 导演 主演 编剧 主角 主人公 老板
总裁 董事长 首席执行官 总统 总理 主席 首相 市长 国王 皇帝 领导人 队长 教练 校长 得主
冠军 亚军 获得者 妻子 丈夫 老婆 老公 孩子 儿子 女儿 父亲 母亲 CEO
""")
# Kinds of things behind 这 and 那: 这本书, 这家公司.
KINDS_ZH: Final = _words("""
公司 企业 品牌 机构 组织 大学 学校 医院 城市 国家 地区 地方 省 市 县 岛 山 河 湖 景点
建筑 塔 桥 书 小说 电影 片子 片 电视剧 剧 动画 游戏 歌 曲子 专辑 作品 诗 文章 画 人
作家 作者 演员 导演 歌手 科学家 诗人 球员 皇帝 病 疾病 药 症状 疗法 疫苗 动物 植物 鸟
鱼 狗 猫 菜 食物 水果 饮料 手机 电脑 车 汽车 软件 应用 网站 产品 设备 型号 系统 语言
框架 库 技术 方法 办法 算法 模型 概念 理论 定理 定律 公式 现象 词 成语 字 事件 事情 事
战争 战役 比赛 节日 协定 协议 条约 政策 法律 规定 计划 项目 目标 活动 问题 东西
""")
# Those for whom something may be allowed: 孕妇可以喝吗.
GROUPS: Final = _words("""
孕妇 儿童 小孩 小孩子 孩子 宝宝 老人 老年人 学生 成年人 成人 男性 女性 男生 女生 新手
初学者 游客 外国人 普通人 个人
""")
# Nouns with which something is done by anybody: 工资怎么算, 房价会跌吗.
FREE: Final = _words("""
公司 时间 经济 文化 语言 货币 宗教 工资 薪水 收入 体重 身高 机票 航班 高铁 保险 房价
物价 汇率 利率 税率 工作 对象 医保 社保 法律 市场 气候 历史 概率 罚款 翻译 星座 血型
""")
# A turn that holds one of these, and else only words around them, is talk.
TALK_ZH: Final = _words("""
你好 您好 嗨 哈喽 喂 早安 晚安 早上好 下午好 晚上好 再见 拜拜 谢谢 多谢 感谢 辛苦
不客气 没关系 对不起 抱歉 好的 好吧 好啊 行 可以 嗯 哦 噢 喔 哈 呵呵 嘻嘻 哇 真的 没错
不错 太棒 太好 厉害 明白 知道 懂 清楚 收到 是吗 是吧 对吗 对吧 好吗 是的 对的 不是
不对 再说 再讲 说 讲 解释 总结 概括 归纳 继续 接着 重复 重写 改写 换 回答 回复 答案
翻译 缩短 展开 详细 具体 简短 简洁 通俗 笑话 故事 加油 为什么 听不懂 看不懂
""")
AROUND_ZH: Final = _words("""
我 你 您 我们 请 麻烦 帮 给 把 再 又 还 就 都 也 能 能不能 可以 可不可以 会 要 想 让
不 没 没有 太 很 更 最 吧 吗 呢 啊 呀 哦 了 的 得 地 着 过 这 那 这样 那样 这么 那么
刚才 刚刚 上面 前面 一下 一点 点 些 一些 一遍 遍 一次 次 个 一个 种 首 段 条 句 句话
话 几 两 三 一 多 少 长 短 简单 仔细 深入 大声 说法 方式 方法 语气 用 以 成 为 出来
下去 英文 中文 英语 汉语 日语 日文 法语 德语 俄语 韩语 西班牙语 普通话 大白话 语言
表格 列表 要点 格式 内容 问题 是 有 听 看 意思 好 来 吃惊 字
""")
