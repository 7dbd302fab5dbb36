"""The texts of the pictures in docs/images: questions, results, answers."""

QUESTION = "Python 3.14 有哪些重要变化？"
ANSWER = (
    "**Python 3.14 带来三项主要变化**[1]：\n\n"
    '- **模板字符串**：`t"…"` 得到的是 `Template` 对象，便于安全地拼接 SQL 与 HTML[2]。\n'
    "- **自由线程构建获得正式支持**：多核上的 CPU 密集任务明显变快[1][3]。\n"
    "- **注解延迟求值**：前向引用不必再写成字符串[1]。\n\n"
    "升级前请核对依赖是否已支持自由线程[3]。"
)
FOUND = (
    ("Python 3.14 有什么新变化", "https://docs.python.example/zh-cn/3.14/whatsnew", "介绍 Python 3.14 相比 3.13 的新特性：模板字符串、注解的延迟求值、自由线程构建的正式支持。"),
    ("PEP 750：模板字符串", "https://peps.python.example/pep-0750/", "模板字符串求值得到 Template 对象，让库的作者在拼接之前拿到静态部分与插值。"),
    ("自由线程 Python 实测：多核性能提升多少", "https://blog.example.com/python-314-free-threading", "在 8 核机器上对比默认构建与自由线程构建：CPU 密集的多线程任务接近线性扩展。"),
    ("PEP 649：注解的延迟求值", "https://peps.python.example/pep-0649/", "注解在需要时才求值，前向引用因此不必再写成字符串。"),
    ("升级指南与不兼容变更", "https://guide.example.org/python-314", "升级前请检查已移除的接口，以及 multiprocessing 默认启动方式的变化。"),
)  # fmt: skip
# Pages behind the results, by host: sentences, a status where it is refused, or nothing.
PAGES = {
    "docs.python.example": ["Python 3.14 的新特性是模板字符串、注解的延迟求值和自由线程构建的正式支持。", "自由线程构建从实验阶段转为正式支持，但仍不是默认构建。", "注解不再立即求值，前向引用不必写成字符串。"],
    "peps.python.example": ["模板字符串以 t 为前缀，求值得到 Template 对象，而不是字符串。", "库的作者可以在拼接之前处理静态部分与插值，从而避免注入。"],
    "blog.example.com": 403,
    "guide.example.org": [],
    "bench.example.com": ["测试使用 3.14.0 正式版，机器有 8 个核心和 32 GB 内存。", "CPU 密集的多线程任务比默认构建快 5.8 倍。", "单线程任务慢 6%，内存占用多 11%。"],
    "bench.example.net": ["The machine has 8 cores and 32 GB of memory.", "CPU-bound threads run 5.8 times as fast as in the default build.", "A single thread is 6% slower, and memory use grows by 11%."],
    "wheels.example.org": 403,
}  # fmt: skip
AGENT_QUESTION = "Python 3.14 值得升级吗？请核对多个来源"
ROUNDS = {
    "Python 3.14 新特性": FOUND,
    "自由线程 Python 3.14 性能 实测": (
        FOUND[2],
        ("自由线程构建的现状与限制", "https://docs.python.example/zh-cn/3.14/howto/free-threading", "单线程速度比默认构建慢约 5%–10%，部分 C 扩展需要重新编译。"),
        ("主流扩展库对自由线程的支持情况", "https://wheels.example.org/free-threading", "截至本月，下载量最大的 360 个扩展库中有 182 个提供自由线程的安装包。"),
    ),
    "Python 3.14 升级 不兼容 依赖": (
        FOUND[4],
        ("从 3.13 升级到 3.14：一次真实的迁移记录", "https://eng.example.com/blog/upgrade-314", "两个依赖需要等新版本；其余测试全部通过，整体用时半天。"),
        ("Python 3.14.0 发行时间表", "https://peps.python.example/pep-0745/", "PEP 745：3.14.0 的发行时间、维护期与安全支持期。"),
    ),
}  # fmt: skip
AGENT_ANSWER = (
    "**值得升级，但先核对依赖。**\n\n"
    "- **新特性**：模板字符串便于安全拼接[2]，注解改为延迟求值[4]。\n"
    "- **性能**：CPU 密集的多线程任务接近线性扩展[3]；单线程慢约 5%–10%[6]。\n"
    "- **风险**：约一半的热门扩展库已支持自由线程[7]，一次真实迁移用了半天[8]。"
)
ENGLISH_ROUNDS = {
    "Python 3.14 new features": (
        ("What's new in Python 3.14", "https://docs.python.example/3.14/whatsnew", "Template strings, deferred annotations, and the free-threaded build that is officially supported."),
        ("PEP 750: Template Strings", "https://peps.python.example/pep-0750/", "A template string evaluates to a Template, so that libraries see its parts before they are joined."),
    ),
    "Python 3.14 free threading benchmark": (
        ("Free-threaded Python, measured", "https://blog.example.com/free-threading", "On eight cores CPU-bound threads scale almost linearly; a single thread is 5-10 % slower."),
    ),
}  # fmt: skip
EVIDENCE_QUESTION = "Python 3.14 的自由线程快多少？"
EVIDENCE_FOUND = (
    ("自由线程 Python 实测", "http://bench.example.com/free-threading", "在多核机器上对比默认构建与自由线程构建的速度和内存。"),
    ("主流扩展库对自由线程的支持情况", "http://wheels.example.org/free-threading", "截至本月，下载量最大的 360 个扩展库中有 182 个提供自由线程的安装包。"),
)  # fmt: skip
EVIDENCE_ANSWER = (
    "**多线程明显变快，单线程略慢。**\n\n"
    "- **多核**：CPU 密集的多线程任务比默认构建快 5.8 倍[1]。\n"
    "- **单线程**：慢 9%，内存占用多 11%[1]。\n"
    "- **扩展库**：下载量最大的 360 个中有 182 个提供安装包[2]。\n\n"
    "预计年底会有 300 个。"
)
EVIDENCE_ENGLISH_QUESTION = "How fast is free-threaded Python 3.14?"
EVIDENCE_ENGLISH_FOUND = (
    ("Free-threaded Python, measured", "http://bench.example.net/free-threading", "The default and the free-threaded build compared, in speed and memory."),
    ("Which packages support free threading", "http://wheels.example.org/free-threading", "As of this month 182 of the 360 most downloaded packages have wheels for it."),
)  # fmt: skip
EVIDENCE_ENGLISH_ANSWER = (
    "**Much faster with threads, a little slower without.**\n\n"
    "- **Cores**: CPU-bound threads run 5.8 times as fast as in the default build[1].\n"
    "- **One thread**: 9% slower, and memory use grows by 11%[1].\n"
    "- **Packages**: 182 of the 360 most downloaded ones have wheels[2].\n\n"
    "By the end of the year 300 are expected."
)

REPORT_QUESTION = "北京和上海的地铁有多长？哪一年开通？"
REPORT_PLAN = (
    "北京地铁的运营里程是多少",
    "上海地铁的运营里程是多少",
    "北京地铁哪一年开通",
    "上海地铁哪一年开通",
    "北京和上海的地铁由谁设计",
)
REPORT_FOUND = (
    ("北京地铁概况", "http://metro.example.cn/beijing", "线网、里程与历史。"),
    ("上海地铁概况", "http://metro.example.org/shanghai", "线网、里程与历史。"),
    ("全国轨道交通年报", "http://yearbook.example.cn/rail", "各城市的运营里程。"),
    ("地铁票价查询", "http://login.example.cn/fares", "请登录后查询。"),
    ("两座城市的地铁", "http://gone.example.com/two", "网页已不存在。"),
)  # fmt: skip
REPORT_PAGES = {
    "metro.example.cn": ["北京地铁的运营里程是 879 公里。", "北京地铁在 1971 年开通。", "列车从清晨开到深夜。"],
    "metro.example.org": ["上海地铁的运营里程是 831 公里。", "上海地铁在 1993 年开通。", "车站都有电梯。"],
    "yearbook.example.cn": ["北京地铁的运营里程是 836 公里。", "年报每年春天出版。"],
    "login.example.cn": 403,
    "gone.example.com": 404,
}  # fmt: skip
REPORT_ENGLISH_QUESTION = (
    "How long are the metros of Beijing and Shanghai, and when did they open?"
)
REPORT_ENGLISH_PLAN = (
    "How long is the Beijing metro",
    "How long is the Shanghai metro",
    "When did the Beijing metro open",
    "When did the Shanghai metro open",
)
REPORT_ENGLISH_FOUND = (
    ("The Beijing metro", "http://metro.example.net/beijing", "Network, length and history."),
    ("The Shanghai metro", "http://metro.example.com/shanghai", "Network, length and history."),
    ("Fares", "http://login.example.cn/fares", "Log in first."),
)  # fmt: skip
REPORT_ENGLISH_PAGES = {
    "metro.example.net": ["The Beijing metro is 879 kilometres long.", "The Beijing metro opened in 1971.", "Trains run from early morning to midnight."],
    "metro.example.com": ["The Shanghai metro is 831 kilometres long.", "The Shanghai metro opened in 1993.", "All stations have lifts."],
}  # fmt: skip
PAGES |= REPORT_PAGES | REPORT_ENGLISH_PAGES
