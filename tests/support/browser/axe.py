"""axe-core, the accessibility checker."""

from typing import Any

from playwright.sync_api import Page
from support.browser.npm import read_packaged

VERSION = "4.14.0"
SHA512 = (  # of the package, as the registry states it
    "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSq"
    "QeRxT/0dwNDz2GOm3zzpcQ=="
)
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


def source() -> str:
    """The checker's script."""
    return read_packaged("axe-core", VERSION, SHA512, "axe.min.js")


# What fades in or out has other colours than what stands.
STANDS = """() => document.getAnimations().every((one) =>
  one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)"""


def violations(page: Page) -> dict[str, list[str]]:
    """Rule by rule, where *page* breaks WCAG A or AA."""
    page.evaluate(source())
    page.wait_for_function(STANDS)
    found: dict[str, Any] = page.evaluate("rules => axe.run(document, rules)", RULES)
    return {
        rule["id"]: [str(node["html"])[:200] for node in rule["nodes"]]
        for rule in found["violations"]
    }
