"""Text of strangers, made harmless for a prompt: no markers, no fences."""

import re
from urllib.parse import quote

# Brackets in which somebody may write a citation, and what they become.
_OPENING = "[\u3010\u3014\u3016\u301a\uff3b\ufe5d\u2045\u2772\u27e6"
_CLOSING = "]\u3011\u3015\u3017\u301b\uff3d\ufe5e\u2046\u2773\u27e7"
_ROUND = str.maketrans(_OPENING + _CLOSING, "(" * len(_OPENING) + ")" * len(_CLOSING))
_OPEN, _CLOSE = (f"[{re.escape(signs)}]" for signs in (_OPENING, _CLOSING))
_OPENS = re.compile(_OPEN)
_BRACKET = re.compile(f"{_OPEN}|{_CLOSE}")
_DIGIT = "\\d\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u249b\u2776-\u2793"
_NO_LETTERS = re.compile(rf"[\W_{_DIGIT}]{{3,}}")
_DIGITS = re.compile(f"[{_DIGIT}]")
# `[source 1]`, and `[1\u2020source]` of some models.
_NAMED = re.compile(
    rf"{_OPEN}[\W_]{{0,4}}(?:sources?|src|refs?|references?|cite|citations?|notes?"
    r"|web|docs?|results?|search|\u641c\u7d22|\u7ed3\u679c|\u6765\u6e90|\u8d44\u6599"
    r"|\u5f15\u7528|\u53c2\u8003|\u6587\u732e|\u51fa\u5904|\u7f51\u9875|\u6ce8)"
    rf"[\W_]{{0,4}}[{_DIGIT}][\W_{_DIGIT}]{{0,40}}?{_CLOSE}"
    rf"|{_OPEN}[\W_]{{0,4}}[{_DIGIT}][\W_{_DIGIT}]{{0,20}}\u2020.{{0,40}}?{_CLOSE}",
    re.IGNORECASE,
)
_LINK = re.compile(r"\](?=\()")
# The prompt puts results between two lines that begin so.
_FENCE = re.compile(r"(?<!=)={2,}(?=[\W_]{0,8}search[\W_]{0,8}results)", re.IGNORECASE)


def unmark(text: str) -> str:
    """
    Turn a stranger's `[1]` into `(1)`, so that it can't pass for one of ours.

    Other kinds of markers, numbers as words of a link, and the line that ends our
    results are changed likewise.
    """
    text = _FENCE.sub("", text)
    if text.translate(_ROUND) == text:
        return text
    text = _NAMED.sub(_rounded, text)
    text = _NO_LETTERS.sub(_without_numbers, text)
    return _LINK.sub("] ", text)


def unmark_url(url: str) -> str:
    """Percent-encode the brackets in *url*, except those of an IPv6 host."""
    scheme, separator, rest = url.partition("://")
    host = re.split("[/?#]", rest, maxsplit=1)[0]
    path = _BRACKET.sub(lambda sign: quote(sign[0]), rest[len(host) :])
    return f"{scheme}{separator}{host}{path}"


def _rounded(match: re.Match[str]) -> str:
    return match[0].translate(_ROUND)


def _without_numbers(run: re.Match[str]) -> str:
    """Make brackets round, from the first before a digit to the last behind one."""
    text = run[0]
    opening = _OPENS.search(text)
    digit = opening and _DIGITS.search(text, opening.end())
    end = 1 + max(text.rfind(sign) for sign in _CLOSING)
    if opening is None or digit is None or end < digit.end():
        return text
    start = opening.start()
    return text[:start] + text[start:end].translate(_ROUND) + text[end:]
