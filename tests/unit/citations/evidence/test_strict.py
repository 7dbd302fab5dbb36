"""A rewritten sentence has no figure that its quotations lack."""

from collections.abc import Iterator

import pytest

from citations.evidence import unquoted

TOWER = (
    "The tower is 318 metres high and has 57 floors and 1,204 steps.",
    "It was built from 3 May 1987 to 1991 and cost C$12.5 million.",
)
TOWER_ZH = (
    "林拓塔高318米，有57层、1204级台阶。",
    "它于1987年5月3日动工，造价1.2亿元。",
)
NO_DATES = ("The bridge is 2.4 km long and carries 90,000 cars a day.",)
NO_DATES_ZH = ("大桥全长2.4公里，每天通行9万辆汽车。",)
SOFTWARE = ("Python 3.12 is 11 percent faster; Node 20.1 needs 64 MB of memory.",)
SOFTWARE_ZH = ("Python 3.12 快了11%，Node 20.1 需要64 MB内存。",)
GIRL = ("A 15-year-old girl lives in one of 20 flats between two floors.",)
AGES = ("The canal of the 1820s was the longest of the 19th century.",)
AGES_ZH = ("这条运河建于19世纪20年代，是当时第三长的运河。",)
STATION = (
    "The station opens at 6:30 am; a ticket is $3, and trains run every 8 minutes.",
)
STATION_ZH = ("车站上午6时30分开门，票价3元，每8分钟一班，去年运送5亿人次。",)
WEATHER = ("The low is -41 °C; the share of rain rose by 5 percentage points.",)
WEATHER_ZH = ("最低气温零下41度，降雨占比上升了5个百分点。",)
ROME = ("The city fell in 221 BC, when it held 80,000 people in 12 districts.",)
ROME_ZH = ("公元前221年城破，当时全城有12个区、8万人。",)
DOSE = ("A dose is 400 mg in 250 ml of water, taken twice, for 85 dB of hearing loss.",)
DOSE_ZH = ("每次服用400毫克，兑水250毫升，用于85分贝的听力损失。",)

POWER = (
    "The plant delivers 5 MW over 20 km at 5 MPa; its link runs at 5 GB/s.",
    "It has 4 GB of memory, a file of 20 MB, 3 Kb of keys and 8 mJ of heat.",
)
POWER_ZH = ("功率为 5 MW，压力为 5 MPa，内存 4 GB，下载速度 100 Mb/s。",)
LINES_ZH = (
    "二号线事故造成两人死亡、三名工人受伤，他获得二等奖，二级风险。",
    "该馆每周两次导览，二月开放，周二闭馆，二楼是餐厅，供高二学生使用。",
    "二审判他有罪，他育有二子，全书三卷，分为两部分，初五开放。",
)
HOURS = (
    "It opens at ten in the morning and at 9 in the morning, at 3:30 in the evening.",
    "It closes at seven in the evening.",
)
HOURS_ZH = ("它上午三点关门，早上九点开始，下午七点结束。",)
MONTHS = ("It was closed in May, opened in June 2020, and peaks in Oct.",)
HALVES_ZH = ("2020年下半年营收为5亿元，2020 年底开工，上旬完工，他排名第三。",)
KINGS = (
    "World War I began under Louis XVI, as Chapter VI says.",
    "Two of the pilots met in the 1990s in a two-storey house, in early 2003.",
    "The three towers stood for a week; all four died; a type II error.",
)
TOWERS_ZH = ("三塔建成。",)
PIPE = ("The pipe is 2 inches wide; there is 1 valve, with 3/4 inch of play.",)

# Each line stands in no quotation, or says another figure than its quotation.
LIES = {
    # suppositions, examples and conversions
    TOWER: """
        Suppose that the tower were 320 metres high.
        If 58 floors are counted, the tower has 1,204 steps.
        For example, the tower has 60 floors.
        The tower is 318 metres high, that is about 1,043 feet.
        It cost C$12.5 million, equivalent to US$9.1 million.
        It was built from 1987 to 1991, 34 years ago.
        It was built from 1981 to 1991.
        It was built in four years.
        Work began on 3 June 1987.
        Work began on 5 March 1987.
        Work began in May 1991.
        It cost $12.5 million.
        It cost C$12.5 billion.
        It cost C$1.25 million.
        The tower is 318 feet high.
        The tower is 31.8 metres high.
        The tower is 3.18 metres high.
        It has 1,204 floors.
        It has 57 steps.
        It has one floor.
        It grew fivefold, to 57 floors.
        It was built from the summer of 1987 to 1991.
        Work began on Monday, 3 May 1987.
        It has 318 rooms.
        The tower is 318 m² wide.
        Dozens of its 57 floors are empty.
        Hundreds of people built it from 1987 to 1991.
        Half of its 57 floors are empty.
        It is the second tower, 318 metres high.
        It costs C$12.5 million per year.
        It cost C$12.5 million annually.
        It was built in the early 90s.
        It was built in the 1980s.
        It was built in the 20th century.
        Last year it had 57 floors.
        The tower has 5 7 floors.
        The tower is 318½ metres high.
        The tower is 3/18 metres high.
        The tower has fifty-eight floors.
        The tower is 318–320 metres high.
        The tower is 10³ metres high.
    """,
    TOWER_ZH: """
        如果算上天线，林拓塔高326米。
        假设每层高6米，林拓塔有57层。
        例如，林拓塔有58层。
        林拓塔高318米，约合1043英尺。
        造价1.2亿元，相当于1700万美元。
        它于1987年5月3日动工，至今已有38年。
        它于1987年6月动工。
        它于1987年5月3日动工，1991年落成。
        它的造价是12亿元。
        它的造价是1.2亿美元。
        它的造价是1.2万元。
        林拓塔高318尺。
        林拓塔高318层。
        林拓塔有57级台阶。
        林拓塔于1987年春季动工。
        造价翻倍，达1.2亿元。
        林拓塔高三百一十九米。
        林拓塔有五十八层。
        它是第二高的塔，高318米。
        数百人参与了建造，塔高318米。
        近半的台阶封闭，共1204级台阶。
        它于上世纪80年代动工。
        它于20世纪80年代动工。
        林拓塔每月耗资1.2亿元。
        年均造价1.2亿元。
        塔高３１９米。
        塔有伍拾捌层。
    """,
    NO_DATES: """
        The bridge, opened in 1987, is 2.4 km long.
        Opened in November, the bridge is 2.4 km long.
        The bridge carries 90,000 cars an hour.
        The bridge carries 90,000 cars per month.
        The bridge carries 2.7 million cars a month.
        The bridge is 2.4 miles long.
        The bridge carried 90,000 cars yesterday.
        The bridge carries ninety cars a day.
    """,
    NO_DATES_ZH: """
        大桥于1987年11月开工，全长2.4公里。
        大桥于11月通车。
        大桥每月通行9万辆汽车。
        大桥每小时通行9万辆汽车。
        大桥每月通行270万辆汽车。
        大桥全长2.4里。
        大桥全长2.4平方公里。
        大桥今年通行9万辆汽车。
        大桥通行9万辆汽车已三年。
    """,
    SOFTWARE: """
        Python 3.13 is 11 percent faster.
        Python 20.1 is 11 percent faster.
        Node 3.12 needs 64 MB of memory.
        Python 3.12.1 is 11 percent faster.
        Node 20.1 needs 64 GB of memory.
        Node 20.1 needs 64 KB of memory.
        Python 3.12 is 11 times faster.
        Python 3 is 11 percent faster.
        A Ryzen 7950X is 11 percent faster.
    """,
    SOFTWARE_ZH: """
        Python 3.13 快了11%。
        Node 3.12 需要64 MB内存。
        Node 20.1 需要64 GB内存。
        Python 3.12 快了11倍。
        Python 3.12 在5G网络上快了11%。
    """,
    GIRL: """
        The girl lives above 15 floors.
        The girl lives in one of 15 flats.
        The girl lives on 20 floors.
        The girl lives in two flats.
    """,
    AGES: """
        The canal of the 1830s was the longest.
        The canal was the longest of the 18th century.
        The canal was the third longest of the 19th century.
        The canal is two centuries old.
        The canal served for decades.
    """,
    AGES_ZH: """
        这条运河建于19世纪30年代。
        这条运河建于20世纪20年代。
        这条运河建于上世纪20年代。
        这是当时第二长的运河。
        这条运河用了半个世纪。
        这条运河建于二十世纪。
    """,
    STATION: """
        The station opens at 6:30 pm.
        The station opens at 6:35 am.
        A ticket is €3.
        A ticket is 3 cents.
        Trains run every 8 hours.
        Trains run every 8 seconds.
    """,
    STATION_ZH: """
        车站下午6时30分开门。
        车站上午6时开门。
        票价3美元。
        每8小时一班。
        去年运送5亿人。
        前年运送5亿人次。
    """,
    WEATHER: """
        The record is 41 °C.
        The record low is -41 °F.
        The share of rain rose by 5 percent.
        The share of rain rose by a fifth.
    """,
    WEATHER_ZH: """
        最低气温41度。
        降雨占比上升了5%。
        降雨占比上升了五成。
        降雨占比翻了一番。
    """,
    ROME: """
        The city fell in 221 AD.
        The city fell in 221.
        It held 12,000 people.
        It held 80,000 people in 12 provinces.
    """,
    ROME_ZH: """
        公元221年城破。
        221年城破。
        全城有12万人。
        全城有8个区。
    """,
    DOSE: """
        A dose is 400 g.
        A dose is 400 µg.
        A dose is 250 mg.
        It is taken three times.
        It is for 85 Hz of hearing loss.
        A dose is 40 mg.
    """,
    DOSE_ZH: """
        每次服用400克。
        每次服用250毫克。
        兑水250升。
        用于85赫兹的听力损失。
        每次服用0.4毫克。
    """,
    # units in other letters, single numerals, halves of a day, months, groups
    POWER: """
        The plant delivers 5 mW.
        It runs at 5 mPa.
        It runs at 5mPa.
        The link runs at 5 Gb/s.
        It has 4 Gb of memory.
        It has a file of 20 Mb.
        It has 3 KB of keys.
        It has 8 MJ of heat.
    """,
    POWER_ZH: """
        功率为 5 mW。
        压力为 5 mPa。
        内存 4 Gb。
        下载速度 100 MB/s。
    """,
    LINES_ZH: """
        一号线事故。
        事故造成一人死亡。
        事故造成一名工人受伤。
        他获得一等奖。
        一级风险。
        该馆每周一次导览。
        它在一月开放。
        该馆周一闭馆。
        该馆星期一闭馆。
        该馆每周一休息。
        该馆周一至周二闭馆。
        一楼是餐厅。
        供高一学生使用。
        一审判他有罪。
        他育有一子，全书三卷。
        分为一部分。
        全书一卷。
        初三开放。
    """,
    HOURS: """
        It opens at ten in the evening.
        It opens at 9 in the evening.
        It opens at ten at night.
        It closes at seven in the morning.
        It closes in the afternoon.
    """,
    HOURS_ZH: """
        它下午三点关门。
        晚上九点开始。
        上午七点结束。
        凌晨结束。
    """,
    MONTHS: """
        It was closed in March.
        It was closed in Sept.
        It peaks in Dec.
        March is when it closes.
    """,
    HALVES_ZH: """
        2020年上半年营收为5亿元。
        2020年初开工。
        2020 年初开工。
        下旬完工。
        他排名倒数第三。
    """,
    KINGS: """
        World War II began.
        Louis XIV ruled.
        Chapter IV says so.
        There was a type I error.
        They met in the mid-1990s.
        They met in late 2003.
        One of the pilots survived.
        One of pilots survived.
        The single tower stood.
        It stood for a fortnight.
    """,
    ("All four died in three towers.",): """
        Both of them died.
        Both died.
        A pair of towers.
        A single tower.
        The duo died.
    """,
    TOWERS_ZH: """
        双塔建成。
        两塔建成。
    """,
    PIPE: """
        The pipe is 1/2 inch wide.
        The pipe is 1/2-inch wide.
        The play is 1/4 inch.
    """,
}
SOUND = {
    TOWER: """
        With 57 floors, the tower is 318 m high.
        Work began on May 3, 1987.
        Built between 1987 and 1991, it cost C$12.5 million.
        It has fifty-seven floors and 1204 steps.
        It is one of the 318-metre towers.
        It was built in 1987 and 1991.
    """,
    TOWER_ZH: """
        塔高三百一十八米，共57层。
        它1987年动工。
        动工日期是1987-05-03，造价12000万元。
        它是一座高0.318公里的塔。
    """,
    NO_DATES: "Each day 90,000 cars cross the bridge, which is 2,400 metres long.",
    NO_DATES_ZH: "大桥长2400米，每天有90000辆汽车通过。",
    SOFTWARE: "Node 20.1 needs 64 MB, and Python 3.12 is 11% faster.",
    GIRL: "She is 15, and lives in one of the 20 flats.",
    AGES: "In the nineteenth century, the canal from the 1820s was the longest.",
    AGES_ZH: "这条运河在19世纪20年代建成，长度排在第3。",
    STATION: "It opens at 6:30 a.m., and trains leave every eight minutes.",
    WEATHER_ZH: "气温最低为零下41度。",
    ROME: "In 221 BC the city fell; it had 12 districts.",
    DOSE: "Take 0.4 g in 250 ml of water.",
    POWER: """
        The plant delivers 5000 kW at 5 MPa.
        Its heat is 8 mJ, and it has 3 Kb of keys.
    """,
    POWER_ZH: "压力是 5 MPa，功率是 5000 kW。",
    LINES_ZH: """
        这是一起事故，两人死亡，一直有风险。
        该馆星期二闭馆，2月开放。
        他一般在二楼。
    """,
    HOURS: "Its hours begin at ten in the morning.",
    HOURS_ZH: "早上三点关门，下午七点结束。",
    MONTHS: "In May it was closed, in June it opened, in October it peaks.",
    HALVES_ZH: "在2020年下半年，营收为5亿元。",
    KINGS: """
        Louis XVI lived before World War I.
        A pair of pilots met in the 1990s.
        One of the towers stood for a week.
    """,
    PIPE: "There are 3/4 inch of play, and one of the valves.",
}


def lines(table: dict[tuple[str, ...], str]) -> Iterator[tuple[tuple[str, ...], str]]:
    for quotations, sentences in table.items():
        for line in sentences.strip().splitlines():
            yield quotations, line.strip()


@pytest.mark.spec("Q2")
@pytest.mark.parametrize(("quotations", "sentence"), [*lines(LIES)])
def test_no_lie_passes(quotations: tuple[str, ...], sentence: str) -> None:
    assert unquoted(sentence, quotations)


@pytest.mark.spec("Q2")
@pytest.mark.parametrize(("quotations", "sentence"), [*lines(SOUND)])
def test_the_same_figures_in_other_letters_pass(
    quotations: tuple[str, ...], sentence: str
) -> None:
    assert not unquoted(sentence, quotations)


def test_a_value_behind_many_others_is_checked() -> None:
    """A long list hides nothing; what is no sentence at all is refused."""
    sizes = [f"{n} km" for n in range(101, 160)]  # more than a chat's check reads

    assert not unquoted(", ".join(sizes), [", ".join(sizes)])
    assert unquoted(", ".join([*sizes, "77 km"]), [", ".join(sizes)]) == ["77 km"]
    assert unquoted("x" * 1_001, ["x" * 1_001])
