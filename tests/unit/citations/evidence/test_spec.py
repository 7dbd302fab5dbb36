"""The requirements of SPEC section P that concern the check itself."""

import pytest

from citations.evidence import Flag, Kind, check, unsourced

STATION = (
    "The station\nThe station is 828 metres long and 12 metres high. It opened on"
    " 4 March 2010, cost €1.5 billion and saves 37% of the power. It has 163 rooms,"
    " runs Python 3.12 with release 4.2.1 of the driver, and uses the RTX 4090."
)


@pytest.mark.spec("P2")
@pytest.mark.parametrize(
    ("answer", "flag"),
    [
        ("It has 173 rooms[1].", Flag("173", Kind.NUMBER, "163")),
        ("It saves 47% of the power[1].", Flag("47%", Kind.PERCENT, "37%")),
        (
            "It cost €2.5 billion[1].",
            Flag("€2.5 billion", Kind.MONEY, "€1.5 billion"),
        ),
        (
            "It opened on 5 March 2010[1].",
            Flag("5 March 2010", Kind.DATE, "4 March 2010"),
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
def test_what_no_source_contains_is_flagged(answer: str, flag: Flag) -> None:
    """Each kind of value is flagged, with what the source has instead."""
    (found,) = check(answer, {1: STATION})

    assert found.flags == (flag,)
    assert flag.value in found.sentence


@pytest.mark.spec("P2")
@pytest.mark.parametrize(
    "answer",
    [
        "It has 163 rooms and is 828 metres long[1].",
        "It runs Python 3.12 with release 4.2 of the driver[1].",
        "Release 4 of the driver uses the RTX 4090[1].",
        "车站用 Python 3.12 和 RTX 4090，长 828 米[1]。",
    ],
)
def test_what_a_source_contains_is_not_flagged(answer: str) -> None:
    """The same kinds are silent where the source has them."""
    (found,) = check(answer, {1: STATION})

    assert found.flags == ()


@pytest.mark.spec("P2")
@pytest.mark.parametrize(
    "answer",
    [
        "Ada Lovelace built it in Berlin[1].",
        "阿达·洛芙莱斯在柏林建造了它[1]。",
        "It uses the A100 and the Model T[1].",
        "Node.js 22.1 runs there too[1].",
    ],
)
def test_names_of_which_the_source_says_nothing_are_silent(answer: str) -> None:
    """Names without a number stay off: by their figures they are flagged too often."""
    (found,) = check(answer, {1: STATION})

    assert found.flags == ()


@pytest.mark.spec("P5")
@pytest.mark.parametrize(
    "answer",
    [
        "It is about 830 metres long[1].",  # rounded
        "It is 0.83 km long[1].",  # another unit
        "车站长 828 米，即约 2717 英尺[1]。",
        "It cost about €1,500 million[1].",
        "造价 15 亿欧元[1]。",
        "It opened on 2010-03-04[1].",  # dates
        "它于二〇一〇年三月四日启用[1]。",
        "It opened in March 2010[1].",
        "它有一百六十三个房间[1]。",  # numerals
        "It has one hundred and sixty-three rooms[1].",
        "它节省百分之三十七的电[1]。",
        "它节省３７％的电[1]。",
        "长和高相差 816 米[1]。",  # a difference
        "It is 816 metres longer than it is high[1].",
        "长与高合计 840 米[1]。",  # a sum
        "Length and height are 840 metres together[1].",
        "The other 63% are still needed[1].",  # the rest
    ],
)
def test_other_ways_to_say_it_are_no_errors(answer: str) -> None:
    """Values that are written or worked out otherwise are not flagged."""
    (found,) = check(answer, {1: STATION})

    assert found.flags == ()


@pytest.mark.spec("P5")
@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("It is about 930 metres long[1].", "930 metres"),
        ("It is 0.73 km long[1].", "0.73 km"),
        ("造价 25 亿欧元[1]。", "25 亿欧元"),
        ("它于二〇一一年三月四日启用[1]。", "二〇一一年三月四日"),
        ("它有一百七十三个房间[1]。", "一百七十三个"),
        ("它节省百分之四十七的电[1]。", "百分之四十七"),
        ("长和高相差 806 米[1]。", "806 米"),
        ("长与高合计 850 米[1]。", "850 米"),
    ],
)
def test_errors_in_other_ways_to_say_it_are_caught(answer: str, value: str) -> None:
    """The tolerance does not let errors pass."""
    (found,) = check(answer, {1: STATION})

    assert [flag.value for flag in found.flags] == [value]


@pytest.mark.parametrize(
    "answer",
    [
        "ارتفاعه 828 مترا۔ وفيه 999 طابقا[1]۔",
        "هل ارتفاعه 999؟ وفيه 163 طابقا[1].",
        "ارتفاعه 999 مترا. وفيه 163 طابقا[1].",
    ],
)
def test_arabic_signs_end_a_sentence(answer: str) -> None:
    """Only the sentence that cites is compared."""
    (found,) = check(answer, {1: STATION})

    assert "وفيه" in found.sentence
    assert "ارتفاعه" not in found.sentence


def test_unknown_numbers_are_not_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    """The linker has logged an unknown number; the check does not."""
    check("It is 828 metres long[1][9].", {1: STATION})

    assert not caplog.records


@pytest.mark.spec("P5")
@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("该技术在20世纪90年代兴起[1]。", "该技术在1990年代兴起。"),
        ("始于19世纪60年代[1]。", "It began in the 1860s, 5 years on."),
        ("20世纪初出现[1]。", "It appeared in the early 1900s, at 7 places."),
        ("二十世纪九十年代兴起[1]。", "该技术在1990年代兴起。"),
        ("21世纪初出现[1]。", "2003年出现。"),
        ("The date is 3/5/2024[1].", "It was on March 5, 2024."),
        ("日期是 3/5/2024[1]。", "日期是2024年3月5日。"),
        ("It was on March 5, 2024[1].", "Date: 3/5/2024."),
    ],
)
def test_other_ways_to_say_a_date_are_no_errors(answer: str, source: str) -> None:
    """Centuries are not compared, and day and month may change places."""
    (found,) = check(answer, {1: source})

    assert found.flags == ()


@pytest.mark.spec("P5")
@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It made CHF 1.3 billion[1].", "CHF 1.28 billion after CHF 1.19 billion"),
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
        ("It runs Python 3.9 and 3.10[1].", "Supports Python 3.8 to 3.12."),
        ("支持 Python 3.11[1]。", "支持 Python 3.9 及以上。"),
        ("It runs Python 3.11[1].", "It needs Python 3.8+."),
        ("It runs Python 3.11[1].", "It needs Python 3.8 or later."),
        ("It runs Django 5.0[1].", "It runs Django 5."),
        ("It runs Redis 7.0[1].", "It runs Redis 7, not Redis 6."),
        ("It has PCIe 5.0[1].", "It has PCIe Gen5, not PCIe 4.0."),
        ("It stores CO2 and B12[1].", "It stores CO₂ and B₁₂, but no B₆."),
    ],
)
def test_what_looks_like_a_version_is_no_error(answer: str, source: str) -> None:
    """Amounts and periods behind capitals are no versions; ranges hold versions."""
    (found,) = check(answer, {1: source})

    assert found.flags == ()


@pytest.mark.spec("P2")
@pytest.mark.parametrize(
    ("answer", "source", "value"),
    [
        ("It made CHF 1.7 billion[1].", "CHF 1.28 billion", "1.7 billion"),
        ("It runs Python 3.7[1].", "Supports Python 3.8 to 3.12.", "Python 3.7"),
        ("It runs Python 3.13[1].", "Supports Python 3.8 to 3.12.", "Python 3.13"),
        ("It runs Python 3.9 and 3.13[1].", "It runs Python 3.9 to 3.12.", "3.13"),
        ("It runs Django 5.1[1].", "It runs Django 5.0.", "Django 5.1"),
        ("It uses GPT-4o[1].", "It uses GPT-4.1.", "GPT-4o"),
        ("The date is 3/6/2024[1].", "It was on March 5, 2024.", "3/6/2024"),
    ],
)
def test_wrong_versions_and_dates_are_caught(
    answer: str, source: str, value: str
) -> None:
    """The tolerance of versions and dates does not let errors pass."""
    (found,) = check(answer, {1: source})

    assert [flag.value for flag in found.flags] == [value]


@pytest.mark.spec("P4")
@pytest.mark.parametrize(
    "said",
    [
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
def test_figures_that_need_no_source(said: str) -> None:
    """Names, counters, arithmetic and what everybody knows are not counted."""
    assert unsourced(f"It is 828 metres long[1].\n\n{said}", {1: STATION}) == []


@pytest.mark.spec("P4")
@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("It weighs 45 tonnes.", "45 tonnes"),
        ("It saves 47% of it.", "47%"),
        ("It cost €45.", "€45"),
        ("It has 1,734 seats.", "1,734"),
        ("It has 734 seats.", "734"),
        ("它有 734 个座位。", "734 个"),
        ("游客 35 万。", "35 万"),
    ],
)
def test_figures_that_need_a_source(said: str, value: str) -> None:
    """Amounts that no source holds are counted."""
    found = unsourced(f"It is 828 metres long[1].\n\n{said}", {1: STATION})

    assert [flag.value for flag in found] == [value]


@pytest.mark.spec("P5")
@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It had 2/3 of the voters[1].", "Two-thirds of the voters, 61 in all"),
        ("Der Wert stieg um 3,5 %[1].", "It rose by 3.5 %."),
        ("There are 10^6 of them[1].", "There are a million of them."),
        ("共有 12 345 人[1]。", "共有12345人。"),
        ("电话是 010-12345678[1]。", "电话见网站，共 3 个。"),
        ("Call 400-800-1234[1].", "Call the number on the site."),
        ("比例为 3:2[1]。", "比例为三比二。"),
    ],
)
def test_numbers_that_are_not_read_are_silent(answer: str, source: str) -> None:
    """Parts of fractions, powers, ratios and telephone numbers are no values."""
    (found,) = check(answer, {1: source})

    assert found.flags == ()
