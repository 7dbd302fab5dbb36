"""Tell why a page holds little to read: login, consent, CAPTCHA, paywall, script."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

_SHORT: Final = 200  # characters
_LONG: Final = 3 * _SHORT
_CHALLENGE: Final = 6 * _SHORT  # no page that only asks for a person is longer
_WIDGET: Final = 1_500
_NOTHING: Final = 20
_LARGE_HTML: Final = 20_000
_LITTLE_SHOWN: Final = 0.005
_CAPTCHA = re.compile(
    r"g-recaptcha|h-captcha|cf-challenge|cf_chl_|challenge-platform|geetest|px-captcha"
    r"|_Incapsula_|datadome|just a moment\.\.\.|cf-turnstile|unusual traffic"
    r"|verify you are (?:a )?human|are you a robot|made by a human"
    r"|complete the (?:following|security) (?:challenge|check)"
    r"|百度安全验证|安全验证|访问验证|滑动验证|人机验证|确认您是真人|请完成.{0,6}验证",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"登录|登入|注册|log ?in|sign ?in|sign ?up", re.IGNORECASE)
_CONSENT = re.compile(
    r"before you continue|we value your privacy|accept (?:all )?cookies|cookie consent"
    r"|manage (?:your )?(?:privacy|consent)|同意.{0,10}(?:cookie|隐私)",
    re.IGNORECASE,
)
_SCRIPT_WANTED = re.compile(
    r"enablejs"
    r"|(?:enable|requires?|need|turn on|activate)\W{1,3}(?:\w+\W+){0,4}javascript"
    r"|javascript\W{1,3}(?:\w+\W+){0,5}(?:enable|disabled|required)"
    r"|(?:开启|启用|打开|允许|支持).{0,12}javascript"
    r"|javascript.{0,12}(?:开启|启用|禁用)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[。！？!?]|[.](?=\s|$)")


class PageKind(StrEnum):
    """Kinds of pages; all but the first hold little to read."""

    TEXT = "text"
    NEEDS_BROWSER = "needs_browser"
    LOGIN = "login_required"
    CONSENT = "consent_required"
    CAPTCHA = "captcha_required"
    PAYWALL = "paywall"
    EMPTY = "empty_page"
    SCAN = "scanned_pdf"
    ENCRYPTED = "encrypted_pdf"
    BROKEN = "broken_pdf"


@dataclass(frozen=True, slots=True)
class PageSigns:
    """Facts that decide the kind of an HTML page."""

    title: str
    text: str
    html: str
    visible: int  # characters that a reader sees without scripts
    noscript: str  # HTML for browsers without scripts
    shell: int | None  # characters in the element that a script would fill
    has_password: bool
    statements: list[dict[str, Any]]


def page_kind(page: PageSigns) -> PageKind:
    """The kind of *page*; long text is text, whatever else stands on the page."""
    text = page.text
    if len(text) < _CHALLENGE and _CAPTCHA.search(f"{page.title} {text[:300]}"):
        return PageKind.CAPTCHA
    if len(text) >= _LONG:
        return PageKind.TEXT
    is_short = len(text) < _SHORT or len(_SENTENCE.findall(text)) <= 1
    if is_short and page.visible < _WIDGET and _CAPTCHA.search(page.html[:200_000]):
        return PageKind.CAPTCHA
    beginning = f"{page.title} {text[:1_000]}"
    if page.has_password and _LOGIN.search(beginning):
        return PageKind.LOGIN
    is_free = [str(item.get("isAccessibleForFree")).lower() for item in page.statements]
    if "false" in is_free:
        return PageKind.PAYWALL
    if _CONSENT.search(beginning):
        return PageKind.CONSENT
    if is_short:
        shown, size = page.visible, len(page.html)
        is_shell = page.shell is not None and max(page.shell, shown) < _SHORT
        is_large = size > _LARGE_HTML and shown / size < _LITTLE_SHOWN
        is_bare = shown < _SHORT / 4 or is_large
        if (
            is_shell
            or _SCRIPT_WANTED.search(f"{page.noscript[:2_000]} {text[:1_000]}")
            or (is_bare and "<script" in page.html.lower())
        ):
            return PageKind.NEEDS_BROWSER
    return PageKind.EMPTY if len(text) < _NOTHING else PageKind.TEXT
