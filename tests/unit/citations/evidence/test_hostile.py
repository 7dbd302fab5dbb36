"""Hostile sources and answers cost as much as their length, and break nothing."""

import sys
from collections.abc import Callable

import pytest

from citations.evidence import check, index

UNITS = (
    *("12,345 km 2.5% ", "1", "1,", "1.", "1 ", "1-", "$1", "[", "(", "]", "[1]"),
    *("一", "一万", "1万2千", "百分之", "三分之", "2024年1月1日", "2024-", "12:30 "),
    *("one hundred ", "May ", "1.2.3 ", "RTX 1 ", "v1.2 ", "A1", "1小时2分"),
    *("1 to 2 ", "。”", ". A", "\n", " "),
    *("a", "²", "\u200f", "\ud800", "|1[1]|\n", "> ", "`", "约", "每小时"),
)


def lines_run(work: Callable[[], object]) -> int:
    """Count the lines of our code that run; no clock is asked."""
    count = 0

    def local(_frame: object, event: str, _arg: object) -> object:
        nonlocal count
        count += event == "line"
        return local

    def trace(frame: object, _event: str, _arg: object) -> object:
        name = frame.f_code.co_filename  # type: ignore[attr-defined]
        return local if "citations/evidence" in name else None

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("unit", UNITS)
def test_index_grows_with_the_length(unit: str) -> None:
    text = unit * (600 // len(unit))

    small = lines_run(lambda: index(text).digits)
    large = lines_run(lambda: index(text * 4).digits)

    assert large < 5 * small + 500


@pytest.mark.parametrize("unit", UNITS)
def test_claim_grows_with_the_length(unit: str) -> None:
    source = index("人口 2.5% 与 12,345 km。" * 5)

    def work(size: int) -> None:
        check(f"人口 {unit * (size // len(unit))} 99%[1]。", {1: source})

    small, large = lines_run(lambda: work(300)), lines_run(lambda: work(1_500))

    assert large < 6 * small + 10_000


@pytest.mark.parametrize(
    "unit",
    [
        "[1]",
        "来源：[1]\n\n",
        "[1] 塔高 9 米。\n",
        "| 91.5 米[1] | 812 |\n",
        "总共相差约 91.5 米，占 4.7%，平均每年 812 吨[1][2]。",
        "It is about 91.5 metres, perhaps 17.3 km or nearly 4.7% more[1]. ",
    ],
)
def test_answer_of_one_unit_grows_with_the_length(unit: str) -> None:
    """Markers without end, and a model that hedges every number."""
    source = index(
        "T\n人口约 2.5%，12,345 km。The tower is 828 metres or 37% wide." * 9
    )
    head = "| a | b |\n|---|---|\n" if unit.startswith("|") else "塔 "

    def work(times: int) -> int:
        return lines_run(lambda: check(head + unit * times, {1: source, 2: source}))

    assert work(80) < 5 * work(20) + 2_000


@pytest.mark.parametrize("unit", UNITS)
def test_source_of_one_unit_is_quoted_in_short(unit: str) -> None:
    text = unit * (20_000 // len(unit))

    for one in check(f"人口 {unit} 99%[1]。", {1: text}):
        assert len(one.quote) <= 300
        assert one.quote in text


def test_four_hundred_values_in_a_line_are_no_sentence() -> None:
    line = "，".join(f"{number}.5%" for number in range(400))

    assert [one.flags for one in check(f"{line}[1]。", {1: "人口 2.5%。"})] == [()]
