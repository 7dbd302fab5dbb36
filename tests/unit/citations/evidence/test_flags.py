"""A value that no cited source holds is flagged, and no other."""

import pytest
from support.evidence import STATION, flagged, without_braces

from citations.evidence import Flag, Kind, check, unsourced

PRICES = (
    "10月份居民消费价格同比上涨0.2%\n"
    "2025年11月9日 · 10月份，全国居民消费价格同比上涨0.2%。"
    "其中，城市上涨0.3%，农村下降0.2%；食品价格下降2.9%，服务价格上涨0.8%。"
)
TRIAL = "33,000 men had the vaccine. 29,000 men had none."
# Here and below, what is to be flagged stands in braces.
OF_THE_STATION = (
    # as the source has it
    "It has 163 rooms and is 828 metres long[1].",
    "It runs Python 3.12 with release 4.2 of the driver[1].",
    "Release 4 of the driver uses the RTX 4090[1].",
    "车站用 Python 3.12 和 RTX 4090，长 828 米[1]。",
    # names without a number: by their figures they would be flagged too often
    "Ada Lovelace built it in Berlin[1].",
    "阿达·洛芙莱斯在柏林建造了它[1]。",
    "It uses the A100 and the Model T[1].",
    "Node.js 22.1 runs there too[1].",
    "The iPhone 17 is smaller[1].",
    # rounded
    "It is about 830 metres long[1].",
    "It is about {930 metres} long[1].",
    # another unit or size
    "It is 0.83 km long[1].",
    "It is {0.73 km} long[1].",
    "车站长 828 米，即约 2717 英尺[1]。",
    "It cost about €1,500 million[1].",
    "It cost €1.5bn[1].",
    "造价 15 亿欧元[1]。",
    "造价 {25 亿欧元}[1]。",
    # dates
    "It opened on 2010-03-04[1].",
    "它于二〇一〇年三月四日启用[1]。",
    "它于{二〇一一年三月四日}启用[1]。",
    "It opened in March 2010[1].",
    # numerals
    "它有一百六十三个房间[1]。",
    "它有{一百七十三个}房间[1]。",
    "It has one hundred and sixty-three rooms[1].",
    "它节省百分之三十七的电[1]。",
    "它节省{百分之四十七}的电[1]。",
    "它节省３７％的电[1]。",
    # a difference, a sum, the rest
    "长和高相差 816 米[1]。",
    "长和高相差 {806 米}[1]。",
    "It is 816 metres longer than it is high[1].",
    "长与高合计 840 米[1]。",
    "长与高合计 {850 米}[1]。",
    "Length and height are 840 metres together[1].",
    "The other 63% are still needed[1].",
    # beside what is said of the source
    "The {950 m} are not reached[1].",
    "`port = 9999` is set[1].",
    "1. The station[1]\n2. It is long[1]",
    "It opened 16 years ago[1].",
    "In the 1990s it was planned[1].",
    # behind the last citation
    "It is 828 m long[1], and 950 m were planned.",
    # a row of a table, and cells that cite for themselves
    "| | a | b |\n|---|---|---|\n| long | 828 m[1] | {999 m} |",
    "| | a | b |\n|---|---|---|\n| long | 828 m[1] | {999 m}[1] |",
    "| | a | b |\n|---|---|---|\n| long[1] | {929 m} | {13 m} |",
)


@pytest.mark.spec("P2")
@pytest.mark.parametrize(
    ("answer", "flag"),
    [
        ("It has 173 rooms[1].", Flag("173", Kind.NUMBER, "163")),
        ("It has 40 lifts[1].", Flag("40", Kind.NUMBER)),  # too far to be named
        ("It saves 47% of the power[1].", Flag("47%", Kind.PERCENT, "37%")),
        (
            "It cost €2.5 billion[1].",
            Flag("€2.5 billion", Kind.MONEY, "€1.5 billion"),
        ),
        ("It cost €1.5 million[1].", Flag("€1.5 million", Kind.MONEY)),
        (
            "It opened on 5 March 2010[1].",
            Flag("5 March 2010", Kind.DATE, "4 March 2010"),
        ),
        (
            "It opened on 4 March 2011[1].",
            Flag("4 March 2011", Kind.DATE, "4 March 2010"),
        ),
        ("It is 928 metres long[1].", Flag("928 metres", Kind.MEASURE, "828 metres")),
        ("It is 828 km long[1].", Flag("828 km", Kind.MEASURE)),
        (
            "It runs Python 3.13 now[1].",
            Flag("Python 3.13", Kind.VERSION, "Python 3.12"),
        ),
        ("The driver has release 4.2.7[1].", Flag("4.2.7", Kind.VERSION, "4.2.1")),
        ("It uses the RTX 5090[1].", Flag("RTX 5090", Kind.NAME, "RTX 4090")),
        ("车站使用 RTX 5090 显卡[1]。", Flag("RTX 5090", Kind.NAME, "RTX 4090")),
        ("车站长 928 米[1]。", Flag("928 米", Kind.MEASURE)),
    ],
)
def test_each_kind_of_value_is_flagged(answer: str, flag: Flag) -> None:
    """The flag tells the value, its kind, and what the source has instead."""
    (found,) = check(answer, {1: STATION})

    assert found.flags == (flag,)
    assert flag.value in found.sentence


def test_the_nearest_of_several_values_stands_among_the_same_words() -> None:
    """The flag names the one about food, of five percentages."""
    (found,) = check("食品价格下降 3.9%[1]。", {1: PRICES})

    assert found.flags == (Flag("3.9%", Kind.PERCENT, "2.9%"),)


@pytest.mark.spec("P2", "P5")
@pytest.mark.parametrize(
    ("answer", "source"),
    [
        *((answer, STATION) for answer in OF_THE_STATION),
        # worked out from the source, from the sentence, from two dates
        ("城市比农村高 0.5 个百分点[1]。", PRICES),
        ("城市上涨 0.3%、服务上涨 0.8%，相差 0.5 个百分点[1]。", PRICES),
        ("2010-01-04 启用，历时约 6 年[1]。", "From January 2004 to 4 January 2010."),
        ("The share of the rest is 0%[1].", "The first has a share of 100%."),
        # centuries are not compared
        ("该技术在20世纪90年代兴起[1]。", "该技术在1990年代兴起。"),
        ("始于19世纪60年代[1]。", "It began in the 1860s, 5 years on."),
        ("20世纪初出现[1]。", "It appeared in the early 1900s, at 7 places."),
        ("二十世纪九十年代兴起[1]。", "该技术在1990年代兴起。"),
        ("21世纪初出现[1]。", "2003年出现。"),
        # day and month may change places
        ("The date is 3/5/2024[1].", "It was on March 5, 2024."),
        ("日期是 3/5/2024[1]。", "日期是2024年3月5日。"),
        ("It was on March 5, 2024[1].", "Date: 3/5/2024."),
        ("The date is {3/6/2024}[1].", "It was on March 5, 2024."),
        # amounts and periods behind capitals are no versions
        ("It made CHF 1.3 billion[1].", "CHF 1.28 billion after CHF 1.19 billion"),
        ("It made CHF {1.7 billion}[1].", "CHF 1.28 billion"),
        ("It made AUD 2.4 billion[1].", "It made AUD 2,400 million, AUD 3 in all."),
        ("The EPS 1.3 is good[1].", "EPS 1.28, EPS 1.1 before"),
        ("The PMI 50.1 rose[1].", "PMI 50.12, PMI 49.5 before"),
        ("A pH 7.4 is healthy[1].", "Blood has pH 7.35–7.45."),
        ("Its P/E 15.3 is low[1].", "P/E 15.27, P/E 14.2 before"),
        ("In Q3 2024 it grew[1].", "In the third quarter of 2024, after Q2, it grew."),
        ("In H1 2024 it grew[1].", "In the first half of 2024 it grew, not in H2."),
        ("In FY24 it grew[1].", "In fiscal 2024 it grew, after FY23."),
        ("In WW2 it stood[1].", "It stood in the Second World War, after WW1."),
        ("The G7 agreed[1].", "The seven agreed, not the G20."),
        # ranges of versions, and versions written shorter
        ("It runs Python 3.9 and 3.10[1].", "Supports Python 3.8 to 3.12."),
        ("支持 Python 3.11[1]。", "支持 Python 3.9 及以上。"),
        ("It runs Python 3.11[1].", "It needs Python 3.8+."),
        ("It runs Python 3.11[1].", "It needs Python 3.8 or later."),
        ("It runs {Python 3.7}[1].", "Supports Python 3.8 to 3.12."),
        ("It runs {Python 3.13}[1].", "Supports Python 3.8 to 3.12."),
        ("It runs Python 3.9 and {3.13}[1].", "It runs Python 3.9 to 3.12."),
        ("It runs Django 5.0[1].", "It runs Django 5."),
        ("It runs {Django 5.1}[1].", "It runs Django 5.0."),
        ("It runs Redis 7.0[1].", "It runs Redis 7, not Redis 6."),
        ("It has PCIe 5.0[1].", "It has PCIe Gen5, not PCIe 4.0."),
        ("It stores CO2 and B12[1].", "It stores CO₂ and B₁₂, but no B₆."),
        ("It uses {GPT-4o}[1].", "It uses GPT-4.1."),
        # parts of fractions and powers are not read
        ("It had 2/3 of the voters[1].", "Two-thirds of the voters, 61 in all"),
        ("Der Wert stieg um 3,5 %[1].", "It rose by 3.5 %."),
        ("There are 10^6 of them[1].", "There are a million of them."),
        ("比重为5∶40∶55[1]。", "比重为5比40比55，共8,640亿元。"),
        # from a value behind it
        ("Up 21 m from 20 m, by 5%, by 1 m[1].", "Once 20 m, 9 men. Now 21 m."),
        # without a word for it, in an answer that has worked out half of its values
        ("{62,000 people} took part[1].", TRIAL),
        ("The groups are 4,000 apart[1]. 62,000 people took part[1].", TRIAL),
        # a row of a table, another script, a source without a word
        ("| 项 | 值 | 源 |\n|---|---|---|\n| 食品 | -{2.8%} | [1] |", PRICES),
        ("يبلغ ارتفاع البرج {829} وفيه 163 طابقا[1].", "يبلغ 828 مترا وفيه 163."),
        ("It has {163} rooms[1].", ""),
    ],
)
def test_only_what_the_source_lacks_is_flagged(answer: str, source: str) -> None:
    """Values said in another way, worked out or not compared are no errors."""
    plain, wrong = without_braces(answer)

    assert flagged(plain, source) == wrong


def test_values_of_the_question_are_not_flagged() -> None:
    """They need no source, and values are worked out from them; what follows from a
    mistake is no second one."""
    answer = "It is 828 m long, 228 m more than the 600 m of another[1]."

    assert flagged(answer, STATION, known="Is it above 600 m?") == []
    assert flagged(answer, STATION) == ["228 m"]


def test_value_of_any_cited_source_is_enough() -> None:
    """Sources that contradict each other support what one of them says."""
    assert flagged("人口为 300 万[1][2]。", "人口400万。", "人口300万。") == []


@pytest.mark.spec("P4")
@pytest.mark.parametrize(
    "said",
    [
        "It weighs {45 tonnes}.",
        "It saves {47%} of it.",
        "It cost {€45}.",
        "It has {1,734} seats.",
        "It has {734} seats.",
        "它有 {734 个}座位。",
        "游客 {35 万}。",
        # names, counters, arithmetic and what everybody knows
        "Here are 15 tips.",
        "See the Top 25.",
        "It is open 24/7.",
        "I am 100% sure.",
        "我百分之百确定。",
        "Windows 95 had it.",
        "Boeing 737 flies there.",
        "Route 66 leads there.",
        "沪深300 上涨了。",
        "那里实行 996。",
        "请打 110 报警。",
        "It listens on port 8080.",
        "It stands on page 150.",
        "There are 365 days in a year.",
        "一天有 24 小时。",
        "12 × 30 = 360 km.",
        "下面是全文（约 2,000 字）。",
        "它有 3.5mm 耳机孔。",
        "**12.** The rooms",
        "（12）房间",
    ],
)
def test_figures_that_need_a_source_are_told(said: str) -> None:
    """Figures of sentences without a citation, unless a source holds them anyway."""
    plain, lacking = without_braces(said)

    found = unsourced(f"It is 828 metres long[1].\n\n{plain}", {1: STATION})

    assert [flag.value for flag in found] == lacking
