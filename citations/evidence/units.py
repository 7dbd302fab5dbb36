"""Know units: of one dimension, and how many base units one of them is."""

import re
from typing import Final, NamedTuple


class Unit(NamedTuple):
    """A unit; amounts of one dimension can be compared."""

    dimension: str  # '' for things that are counted
    factor: float = 1.0


COUNT: Final = Unit("")
PERCENT: Final = "%"
TIMES: Final = "times"
POINTS: Final = "points"  # of a game, or percentage points
YUAN: Final = "CNY"
DOLLAR: Final = "$"  # of a country that is not said
TIME: Final = Unit("time")  # of day, in minutes
SCORE: Final = Unit("score")  # 4-1 is 4,001
DAY: Final = 86_400.0
YEAR: Final = Unit("duration", 31_557_600.0)
CURRENCIES: Final = frozenset(
    (DOLLAR, "USD", YUAN, "EUR", "GBP", "JPY", "HKD", "TWD", "KRW", "INR")
)

_TABLE: Final = {
    PERCENT: "1 % ％ percent per_cent pct 个百分点 百分点 percentage_points"
    " percentage_point pp|0.1 ‰|0.01 个基点 基点 basis_points basis_point bps bp",
    TIMES: "1 倍 times fold",
    POINTS: "1 points point",
    "USD": "1 美元 美金 USD US$|0.01 美分",
    DOLLAR: "1 $ dollars dollar|0.01 cents cent ¢",
    YUAN: "1 元 块 人民币 元人民币 yuan RMB CNY ¥ ￥",
    "EUR": "1 欧元 € euros euro EUR",
    "GBP": "1 英镑 £ GBP|0.01 pence p",
    "JPY": "1 日元 日圆 yen JPY",
    "HKD": "1 港元 港币 港幣 HK$ HKD",
    "TWD": "1 新台币 新台幣 NT$ TWD",
    "KRW": "1 韩元 won ₩ KRW",
    "INR": "1 卢比 rupees ₹ INR",
    "length": "1000 公里 千米 km kilometers kilometer kilometres kilometre|1 米 公尺 m"
    " meters meter metres metre|0.01 厘米 公分 cm centimeters centimetres|0.001 毫米 mm"
    " millimeters millimetres|1e-6 微米 µm μm um microns|1e-9 纳米 nm nanometers"
    "|1609.344 英里 哩 miles mile mi|0.3048 英尺 呎 ft feet foot|0.0254 英寸 吋 inches"
    " inch|0.9144 码 yards yard yd|1852 海里 nautical_miles|500 里 华里",
    "area": "1e6 平方公里 平方千米 km² km2 sq_km square_kilometers square_kilometres"
    "|1 平方米 平米 ㎡ m² m2 square_meters square_metres sq_m|1e4 公顷 hectares hectare"
    " ha|666.667 亩|4046.86 英亩 acres acre|2589988 平方英里 square_miles square_mile"
    " sq_mi|0.092903 平方英尺 平方呎 square_feet sq_ft",
    "volume": "1 立方米 m³ m3 cubic_meters cubic_metres|1e9 立方公里 立方千米 km³ km3"
    " cubic_kilometers cubic_kilometres"
    "|0.001 升 L litres litre liters liter|1e-6 毫升 ml mL",
    "mass": "1 公斤 千克 kg kilograms kilogram kilos|0.001 克 g grams gram|1e-6 毫克 mg"
    "|1e-9 微克 µg μg mcg|1000 吨 公吨 tonnes tonne tons ton"
    "|0.453592 磅 lb lbs pounds pound"
    "|0.0283495 盎司 oz ounces ounce",
    "duration": "1 秒 秒钟 s sec secs seconds second|0.001 毫秒 ms milliseconds"
    "|60 分钟 min mins minutes minute|3600 小时 个小时 个钟头 h hr hrs hours hour"
    "|86400 天 days day|604800 周 个星期 星期 weeks week|2629800 个月 months month"
    "|31557600 年 年间 岁 years year yrs",
    "speed": "1 km/h kph 公里/小时 千米/小时 kmh|1.609344 mph 英里/小时|3.6 m/s 米/秒"
    " 米每秒",
    "data": "1 字节 bytes|1e3 KB kB|1e6 MB|1e9 GB|1e12 TB|1e15 PB",
    "rate": "1 MB/s|1e3 GB/s|1e6 TB/s|0.125 Mbps Mb/s|125 Gbps Gb/s",
    "power": "1 W 瓦 watts watt|1e3 kW 千瓦|1e6 MW 兆瓦|1e9 GW 吉瓦|1e7 万千瓦",
    "energy": "1 kWh kilowatt_hours kilowatt-hours kilowatt_hour 千瓦时 度电"
    "|1e3 MWh 兆瓦时|1e6 GWh|1e9 TWh",
    "charge": "1 mAh 毫安时|1000 Ah 安时",
    "frequency": "1 Hz 赫兹 赫|1e3 kHz 千赫|1e6 MHz 兆赫|1e9 GHz 吉赫",
    "voltage": "1 V 伏 伏特 volts volt|1e3 kV 千伏",
    "Celsius": "1 °C ℃ 摄氏度 degrees_Celsius",
    "Fahrenheit": "1 °F ℉ 华氏度",
}
# Words behind a number that belong to it when it is shown, and tell nothing else.
_COUNTED: Final = (
    "人次 人 名 个 家 位 次 项 座 条 届 场 辆 架 艘 套 户 票 部 种 款 颗 枚 集 层 台"
    " 张 件 部分 公顷 分 本 所 间 只 头 匹 艇 people"
)


_UNITS: Final = dict.fromkeys(_COUNTED.split(), COUNT) | {
    name.replace("_", " "): Unit(dimension, float(factor))
    for dimension, groups in _TABLE.items()
    for factor, *names in map(str.split, groups.split("|"))
    for name in names
}
_NAMES: Final = sorted(_UNITS, key=len, reverse=True)
_AFTER = re.compile(
    r"[ \u00a0\u202f-]?(?:("
    + "|".join(re.escape(name) for name in _NAMES if not name[-1].isascii())
    + "|[%$])|("
    + "|".join(re.escape(n) for n in _NAMES if n[-1].isascii() and n not in "%$")
    + r")(?![A-Za-z0-9²³/]))"
)
_SPEED = re.compile(r".*(时速|每小时|每秒)[^,。;]{0,12}\Z")
_BEFORE = re.compile(
    r"(US\$|HK\$|NT\$|[$€£¥₩₹]|\b(?:USD|RMB|CNY|EUR|GBP|JPY|HKD|INR))[ ]?\Z"
)


def comparable(dimension: str) -> tuple[str, ...]:
    """Return the dimensions whose amounts can equal one of *dimension*."""
    if dimension == DOLLAR:
        return DOLLAR, "USD", "HKD", "TWD"
    if dimension in ("USD", "HKD", "TWD"):
        return dimension, DOLLAR
    if dimension == POINTS:
        return POINTS, PERCENT, COUNT.dimension
    return (dimension,)


def unit_behind(text: str, at: int) -> tuple[Unit | None, int]:
    """Return the unit that stands at this place, and the place of its end."""
    match = _AFTER.match(text, at)
    if match is None:
        return None, at
    unit = _UNITS[match[1] or match[2]]
    if unit.dimension == "length" and (
        speed := _SPEED.search(text, max(0, at - 24), at)
    ):
        hours = 3_600 if speed[1] == "每秒" else 1
        unit = Unit("speed", unit.factor * hours / 1000)
    return unit, match.end()


def currency_before(text: str, at: int) -> tuple[Unit | None, int]:
    """Return the currency that stands before this place, and the place it begins."""
    match = _BEFORE.search(text, max(0, at - 5), at)
    if match is None:
        return None, at
    return _UNITS[match[1]], match.start()


def right_before(words: str) -> re.Pattern[str]:
    """Compile a pattern for *words* at the end of what stands before a value."""
    return re.compile(rf"(?:{words}) ?\Z", re.IGNORECASE)
