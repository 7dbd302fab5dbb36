"""Decode the bytes of a page: byte order mark, valid UTF-8, declaration, guess."""

import codecs
import re
from typing import Final

_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_META = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE
)
_XML = re.compile(
    rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE
)
# Pages name an old charset and use its successor.
_SUCCESSOR: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "iso8859-1": "cp1252",
    "ascii": "utf-8",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
# What browsers decode; Python knows more codecs, and not all of them are harmless.
_CHARSETS: Final = frozenset(
    {
        *("utf-8", "utf-16-le", "utf-16-be", "gb18030", "big5hkscs"),
        *("cp932", "euc_jp", "iso2022_jp", "cp949"),
        *("cp866", "cp874", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
        *(f"cp{page}" for page in range(1250, 1259)),
        *(f"iso8859-{part}" for part in range(2, 17)),
    }
)
_WESTERN: Final = "cp1252"
_TOLERATED: Final = 0.02  # share of unreadable bytes that a declared charset may leave
_SAMPLE: Final = 100_000
_ENOUGH: Final = 0.4  # share of everyday characters that makes a text Chinese
_ASCII_END: Final = 0x80

# Rows of the everyday characters: first byte, second byte.
_COMMON: Final = {
    "gb18030": (range(0xB0, 0xD8), frozenset(range(0xA1, 0xFF))),
    "big5hkscs": (
        range(0xA4, 0xC7),
        frozenset([*range(0x40, 0x7F), *range(0xA1, 0xFF)]),
    ),
}


def decode(data: bytes, declared: str | None = None) -> str:
    """Text of *data*; *declared* is the charset of the Content-Type header."""
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return _text(data[len(mark) :], charset)
    # UTF-8 is never valid by chance, so it outranks a header that lies.
    if not _unreadable(data, "utf-8"):
        return _text(data, "utf-8")
    stated = _META.search(data, 0, 4096) or _XML.search(data, 0, 200)
    for name in (declared, stated[1].decode("ascii") if stated else None):
        try:
            charset = codecs.lookup((name or "").strip(" \"'")).name
        except (LookupError, ValueError):
            continue
        charset = _SUCCESSOR.get(charset, charset)
        # Western proves nothing: every byte is valid in it.
        is_proof = charset in _CHARSETS and charset != _WESTERN
        if is_proof and _unreadable(data, charset) < _TOLERATED:
            return _text(data, charset)
    sample = data[:_SAMPLE]
    if _unreadable(sample, "utf-8") < _TOLERATED:
        return _text(data, "utf-8")
    scores = {charset: _common(sample, charset) for charset in _COMMON}
    best = max(scores, key=scores.__getitem__)
    return _text(data, best if scores[best] > _ENOUGH else _WESTERN)


def _text(data: bytes, charset: str) -> str:
    """Decode; a character that the byte cap cut in half at the end is dropped."""
    text = codecs.getincrementaldecoder(charset)("replace").decode(data, final=False)
    return text.replace("\x00", "\ufffd")


def _unreadable(data: bytes, charset: str) -> float:
    """Share of the bytes beyond ASCII that *charset* cannot read."""
    text = codecs.getincrementaldecoder(charset)("replace").decode(data, final=False)
    wrong = text.count("\ufffd")
    beyond_ascii = len(data.translate(None, bytes(range(128))))
    return wrong / max(1, beyond_ascii) if wrong else 0.0


def _common(data: bytes, charset: str) -> float:
    """Share of everyday characters among all pairs of bytes beyond ASCII."""
    leads, trails = _COMMON[charset]
    pairs = common = at = 0
    while at < len(data) - 1:
        if data[at] < _ASCII_END:
            at += 1
            continue
        pairs += 1
        common += data[at] in leads and data[at + 1] in trails
        at += 2
    return common / pairs - 3 * _unreadable(data, charset) if pairs else 0.0
