"""A value is found however it is written, and a wrong one is told from it."""

import pytest
from support.evidence import flagged

# One value written in two ways, and another value.
TWO_WAYS = [
    ("１２３４人", "1,234人", "1,235人"),
    ("20 000 000 km", "20 million km", "30 million km"),
    ("1万6千人", "16,000人", "17,000人"),
    ("5万5千欧元", "€55,000", "€65,000"),
    ("twenty-five towers", "25 towers", "26 towers"),
    ("two thousand three hundred and six men", "2,306 men", "2,316 men"),
    ("两千三百四十五万", "23,450,000", "23,550,000"),
    ("三万五人", "35,000人", "45,000人"),
    ("三万零五人", "30,005人", "31,005人"),
    ("百分之十二点五", "12.5%", "13.5%"),
    ("七成", "70%", "85.5%"),
    ("千分之三", "0.3%", "0.4%"),
    ("25 basis points", "0.25 个百分点", "0.35 个百分点"),
    ("US$57.0 billion", "57,000,000,000 USD", "58,000,000,000 USD"),
    ("72 万㎡", "0.72 平方公里", "0.75 平方公里"),
    ("时速 350 公里", "350 km/h", "360 km/h"),
    ("6 小时 15 分", "375 分钟", "385 分钟"),
    ("5 feet 11 inches", "1.80 m", "1.90 m"),
    ("2.7 倍", "2.7 times", "2.8 times"),
    ("5–10%", "from 5% to 10%", "from 5% to 11%"),
    ("1330 万至 1660 万", "13.3 million to 16.6 million", "17.6 million"),
    ("销量增长到2倍", "销量翻了一番", "销量增长到3倍"),
    ("30个月", "两年半", "24个月"),
    ("75%", "three quarters", "85.5%"),
    ("3-4 million km", "3 million km, 4 million km", "5 million km"),
    ("二〇二五年十月七日", "2025-10-07", "2025-10-08"),
    ("10/25/2025", "25 October 2025", "26 October 2025"),
    ("7th of October 2025", "October 7 , 2025", "October 8 , 2025"),
    ("Sept. 2025", "2025年9月", "2025年8月"),
    ("10月19-30日", "October 19 to October 30", "October 19 to October 31"),
    ("1981和2001年", "1981年至2001年", "1981年至2011年"),
    ("下午5点下楼", "17:00", "18:00"),
    ("at 11 : 00 a.m.", "11时00分", "10时00分"),
    ("8点半", "8:30", "8:00"),
    ("17:05.", "5:05 p.m. and", "5:06 p.m. and"),
    ("GMT 9 am", "9:00", "10:00"),
    ("版本号为2.1", "v2.1", "v2.2"),
    ("iOS 17.2", "iOS v17.2", "iOS 17.3"),
    ("GPT-4o", "GPT 4o", "GPT-5"),
    ("€20m", "€20 million", "€30 million"),
    ("$4.5m a", "$4.5 million", "$5.5 million"),
    ("26 cents", "$0.26", "$0.36"),
    ("7½ miles", "7.5 miles", "8.5 miles"),
    ("30里", "15公里", "18公里"),
    ("two dozen eggs", "24 eggs", "36 eggs"),
    ("won 4-1", "4比1", "won 4:2"),
    ("400 克", "0.4公斤", "0.4克"),
    ("400 mg", "0.4 g", "400 g"),
    ("3平方公里", "3 km²", "3立方公里"),
    ("8 cubic kilometres", "8 km³", "8 km²"),
    ("1分47秒", "107 秒", "117 秒"),
    ("48米每秒", "每秒48米", "每秒58米"),
    ("4年半", "4.5年", "5.5年"),
    ("2012年1,590平方公里", "1,590 km²", "1,690 km²"),
    ("3日8时中心", "8:00", "9:00"),
    ("每秒48米，约合时速172.8公里", "48米每秒", "58米每秒"),
    ("55p", "£0.55", "£0.65"),
]
# A value, a source that it follows from or that need not say it, and a wrong value.
FOLLOWING = [
    ("第 3 章", "8 章，第 7 节", "第 33 章"),
    ("Figure 7", "8 figures and 9 tables", "77 figures"),
    ("3 个原因", "8 人、9 次", "30 个原因"),
    ("3 reasons", "8 men and 9 women", "30 reasons"),
    ("with port=99", "with ports 80 and 81", "with port 99"),
    ("as the Boeing 737", "with 80 and 81 parts", "737 parts"),
    ("2019年增长", "2020年比上年增长", "2018年增长"),
    ("2021年完工", "2020年开工，次年完工", "2022年完工"),
    ("3月增长", "1-3月增长，5月下降", "4月增长"),
    ("in 2015, 5 years after 2010", "5 years from 2010", "in 2016"),
    ("24 rooms, 12% of 200", "200 rooms, 12% of them", "26 rooms, 12% of 200"),
    ("1,330 万", "13.3 million", "1330 万至 1660 万"),
    ("4,000,000 km", "4 million km", "3-4 million km"),
    ("80.5% of them", "66 wins and 16 defeats", "85.5% of them"),
    ("2.5 times of it", "150% up", "2.8 times of it"),
    ("more than 500", "590", "fewer than 500"),
    ("fewer than 500", "450", "more than 500"),
    ("a volcano more than 500 m", "590 m", "a casino less than 500 m"),
    ("不少于 500 人", "590 人", "不超过 500 人"),
    ("没有超过 500 人", "450 人", "有超过 500 人"),
    ("不超过 500 人", "450 人", "不低于 500 人"),
    ("no more than 500", "450", "not less than 500"),
    ("no fewer than 500", "590", "not more than 500"),
    ("历时5天", "历时5日", "历时8天"),
    ("历时5日", "历时5天，2月开始", "历时8日"),
    (
        "Go 1.22 came on 6 February 2024",
        "Go 1.22 came on 6 February 2024. Go 1.23 came on 13 August 2024",
        "Go 1.22 came on 13 August 2024",
    ),
]


def lacks(source: str, said: str) -> bool:
    """Tell whether a value of what is *said* is flagged."""
    return flagged(f"塔 tower {said}[1]", f"塔 tower {source}") != []


@pytest.mark.parametrize(
    ("said", "source", "wrong"),
    [
        *TWO_WAYS,
        *((written, plain, wrong) for plain, written, wrong in TWO_WAYS),
        *FOLLOWING,
    ],
)
def test_a_value_is_told_from_a_wrong_one(said: str, source: str, wrong: str) -> None:
    """A source that says the same in another way holds it, and lacks another value."""
    assert not lacks(source, said)
    assert lacks(source, wrong)


@pytest.mark.parametrize(
    "words", ["3D", "5G", "万一", "十分好", "90年代", "Intel 14 nm", "一半", "翻一番"]
)
def test_names_and_idioms_are_no_values(words: str) -> None:
    """Digits and numerals of names and idioms are never flagged."""
    assert not lacks("14 纳米, 2 of 77 floors in 2003", words)
