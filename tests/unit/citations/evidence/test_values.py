"""Values are read however they are written."""

import pytest

from citations.evidence.dates import Clock, Date
from citations.evidence.quantities import Quantity
from citations.evidence.values import Kind, kind_of, values
from citations.evidence.versions import Version
from citations.evidence.words import flat


def read(text: str) -> list[object]:
    return [_plain(value) for value in values(flat(text))]


def _plain(value: object) -> object:
    match value:
        case Quantity():
            return round(value.amount, 6), value.unit.dimension
        case Date():
            return value.year, value.month, value.day
        case Clock():
            return divmod(value.minutes, 60)
        case Version():
            return value.text
    raise AssertionError(value)


@pytest.mark.parametrize(
    ("text", "amount", "dimension"),
    [
        ("1,234 人", 1234, ""),
        ("１２３４人", 1234, ""),
        ("20 000 000", 2e7, ""),
        ("1.5万", 15_000, ""),
        ("1万6千人", 16_000, ""),
        ("5万5千欧元", 55_000, "EUR"),
        ("3.2 million", 3.2e6, ""),
        ("twenty-five people", 25, ""),
        ("three hundred thousand", 300_000, ""),
        ("one hundred and sixty-three", 163, ""),
        ("two thousand three hundred and six", 2306, ""),
        ("两千三百四十五万", 23_450_000, ""),
        ("三万五", 35_000, ""),
        ("三万零五", 30_005, ""),
        ("三万亿", 3e12, ""),
        ("一百零五个", 105, ""),
        ("12 %", 12, "%"),
        ("百分之十二点五", 12.5, "%"),
        ("七成", 70, "%"),
        ("千分之三", 0.3, "%"),
        ("0.6 个百分点", 0.6, "%"),
        ("25 basis points", 0.25, "%"),
        ("一半", 50, "%"),
        ("three quarters", 75, "%"),
        ("US$57.0 billion", 5.7e10, "USD"),
        ("¥5,999", 5999, "CNY"),
        ("€20 million", 2e7, "EUR"),
        ("1.2 km", 1200, "length"),
        ("72 万㎡", 720_000, "area"),
        ("273GB/s", 273_000, "rate"),
        ("时速 350 公里", 350, "speed"),
        ("6 小时 15 分", 22_500, "duration"),
        ("5 feet 11 inches", 1.8034, "length"),
        ("2.7 倍", 2.7, "times"),
        ("翻一番", 2, "times"),
        ("20 °C", 20, "Celsius"),
    ],
)
def test_quantities(text: str, amount: float, dimension: str) -> None:
    assert read(text) == [(pytest.approx(amount), dimension)]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("2025 年 10 月 7 日", [(2025, 10, 7)]),
        ("二〇二五年十月", [(2025, 10, None)]),
        ("2025-10-07", [(2025, 10, 7)]),
        ("7/10/2025", [(2025, 10, 7)]),
        ("10/25/2025", [(2025, 10, 25)]),
        ("October 7, 2025", [(2025, 10, 7)]),
        ("7th of October 2025", [(2025, 10, 7)]),
        ("March 14 , 1958", [(1958, 3, 14)]),
        ("Sept. 2025", [(2025, 9, None)]),
        ("in 2025", [(2025, None, None)]),
        ("9月16日", [(None, 9, 16)]),
        ("10月19-30日", [(None, 10, 30), (None, 10, 19)]),
        ("2018–19", [(2019, None, None), (2018, None, None)]),
        ("1981和2001年", [(1981, None, None), (2001, None, None)]),
    ],
)
def test_dates(text: str, dates: list[object]) -> None:
    assert [one for one in read(text) if len(one) == 3] == dates  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("17:05", (17, 5)),
        ("17时5分", None),
        ("下午5点下楼", (5, 0)),
        ("at 11 : 00 a.m.", (11, 0)),
        ("8点半", (8, 30)),
        ("at 3:45 p.m.", (3, 45)),
    ],
)
def test_times(text: str, clock: object) -> None:
    assert (clock in read(text)) is (clock is not None)


@pytest.mark.parametrize(
    ("text", "name", "version", "kind"),
    [
        ("Python 3.14.2", "python", "3.14.2", Kind.VERSION),
        ("Python 3.13", "python", "3.13", Kind.VERSION),
        ("运行 3.12.4。", "", "3.12.4", Kind.VERSION),
        ("v2.1", "", "2.1", Kind.VERSION),
        ("版本号为2.1", "", "2.1", Kind.VERSION),
        ("Rust v1.75", "rust", "1.75", Kind.VERSION),
        ("iOS 17.2", "ios", "17.2", Kind.VERSION),
        ("Ubuntu 24.04", "ubuntu", "24.04", Kind.VERSION),
        ("GPT-4o", "gpt", "4", Kind.NAME),
        ("RTX 4090", "rtx", "4090", Kind.NAME),
        ("iPhone 17", "iphone", "17", Kind.NAME),
        ("A320", "a", "320", Kind.NAME),
    ],
)
def test_versions_and_models(text: str, name: str, version: str, kind: Kind) -> None:
    (found,) = (one for one in values(flat(text)) if isinstance(one, Version))

    assert (found.name, found.text, kind_of(found)) == (name, version, kind)


@pytest.mark.parametrize(
    "text",
    ["Intel 14 nm", "Some 250", "Canada 2,500", "US 50", "In May 2008", "GDP 5%"],
)
def test_what_is_no_version(text: str) -> None:
    assert not [one for one in values(flat(text)) if isinstance(one, Version)]


@pytest.mark.parametrize("text", ["3D", "5G", "万一", "十分好", "90年代"])
def test_names_and_idioms_are_no_values(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("5–10%", [5, 10]),
        ("3-4 million", [3e6, 4e6]),
        ("1330 万至 1660 万", [1.33e7, 1.66e7]),
        ("3 to 4 km", [3000, 4000]),
    ],
)
def test_ranges_share_unit_and_size(text: str, amounts: list[float]) -> None:
    found = [one for one in values(flat(text)) if isinstance(one, Quantity)]

    assert [one.amount for one in found] == amounts
    assert len({one.unit.dimension for one in found}) == 1
