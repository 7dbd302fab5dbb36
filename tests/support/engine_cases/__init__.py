"""The engines that are asked over HTTP, each with the answers that it may give."""

from support.engine_cases.baidu import BAIDU
from support.engine_cases.bocha import BOCHA
from support.engine_cases.brave import BRAVE
from support.engine_cases.case import Case
from support.engine_cases.duckduckgo import DUCKDUCKGO
from support.engine_cases.google import GOOGLE

__all__ = ["CASES", "Case"]

CASES: dict[str, Case] = {
    "ddg_html": DUCKDUCKGO,
    "baidu_html": BAIDU,
    "google": GOOGLE,
    "brave": BRAVE,
    "bocha": BOCHA,
}
