"""Tell the formulas of a text from its prices, and find where they end."""

import re
from string import ascii_letters, digits
from typing import Final, NamedTuple

from citations.markdown.patterns import Undecided

_CLOSERS: Final = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
_LONGEST: Final = 1_500
_DEEPEST: Final = 30  # braces inside each other: drawing them calls itself for each
_WORD: Final = 3  # letters: `sin`, `mod`; longer words are prose, or names in code
_REACH: Final = 60

_OPENER = re.compile(r"\$+|\\[(\[]")
_HAN = "\u3001-\u303f\u3400-\u9fff\uff01-\uff5e"
_TOKEN = re.compile(
    r"(?P<other>\\[()\[\]]|\n[ \t]*(?=[\r\n])|\n[ \t>]*(?:`{3}|~{3}))"
    r"|(?P<dollars>\$+)|(?P<brace>[{}])|(?P<word>[A-Za-z]+)"
    rf"|(?P<line>\n)|(?P<han>[{_HAN}€£¥]+)|\\(?:[A-Za-z]+|[^A-Za-z])"
    rf"|[^\\${{}}A-Za-z\n{_HAN}€£¥]+"
)
_SENTENCE = re.compile(r"(?:[A-Za-z]{4,} ){2}[A-Za-z]{4,}\Z")
_LINE_BEGINS = re.compile(r"(?:\A|\n)[ \t]*\Z")
_STOPS = re.compile("[，。；：！？、]")
# Commands that define others: a few letters of them could take minutes to draw.
_DEFINES = re.compile(
    r"\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand|global|long)"
    "(?![A-Za-z])"
)
# What a price does not have: a command, a power, an index, a relation.
_STRONG = re.compile(
    r"\\(?:[A-Za-z]|[{}|,;!:\\])|[\w)}\]|']\^[\w{\\*'+-]|=|(?<!-)>|[<≤≥≈]"
    r"|(?:(?<![A-Za-z])[A-Za-z0-9]|[)}\]|'])_[\w{\\*]"
)
_LETTER = re.compile(r"[^\W\d_]'*")
# `2n+1`, `f(x)`, `(a, b)`, but no words, and neither `1M` nor `5-10`.
_TERM = re.compile(
    "(?![^A-Za-z]*\\Z)(?!.*[A-Za-z]{3})"
    r"(?:[A-Za-z]|-?[(\[|]|-[A-Za-z0-9]|[0-9]{1,3}(?:[a-jl-z]|[A-Z](?<![KMBT])|\())"
    r"(?:[A-Za-z0-9.()\[\]|!'+*/-]|, ?| [+*/|-] )*"
)
_PROSE = re.compile(f"[A-Za-z]{{{_WORD + 1}}}|[{_HAN}]")
_COUNTS = re.compile(r"[0-9+*/()-]")
_SUM = re.compile(r"\w\s{0,60}[+*]\s{0,60}\w")
_PRICE = re.compile(r"\$[0-9][0-9.,]*+ [A-Za-z]")
# Signs that neither begin nor end what stands between two dollars.
_NEVER_FIRST: Final = frozenset(" \t\n)]},.;:/!?%~`–—")
_NEVER_LAST: Final = frozenset(" \t\n=+-*/<>,;:([_^&~`–—")
_LABEL_ENDS: Final = frozenset("\\([:")  # behind escaped brackets
_LETTERS: Final = frozenset(ascii_letters + digits)


class Formula(NamedTuple):
    """A formula: where it ends, what is between its signs, and whether in `$`."""

    end: int
    inner: str
    is_block: bool  # its signs are those of a formula that stands alone


def formula_at(text: str, at: int, *, complete: bool) -> Formula | None:
    """Return the formula that begins at *at*, with its sign; None if there is none."""
    opener = _OPENER.match(text, at)[0]  # type: ignore[index]
    begin = at + len(opener)
    if begin == len(text) and not complete:
        raise Undecided
    closer = _CLOSERS.get(opener)
    if closer is None or not _may_begin(text, at, opener):
        return None
    end = _end(text, begin, closer, complete=complete)
    if end is None:
        return None
    inner, after = text[begin:end], end + len(closer)
    if opener in ("$", r"\[") and after == len(text) and not complete:
        raise Undecided  # behind a price there may be a digit
    follows = text[after : after + 1]
    if opener == "$":
        is_one = _in_dollars(inner, follows)
    else:
        is_label = opener == r"\[" and follows in _LABEL_ENDS
        is_one = _in_brackets(inner, opener) and not is_label
    if not is_one or _DEFINES.search(inner) or "$$" in inner:
        return None
    return Formula(after, inner.strip(), opener in ("$$", r"\["))


def _may_begin(text: str, at: int, opener: str) -> bool:
    r"""Tell whether a sign may begin a formula: not `US$5`, `$5 a`, or `a \[b\]`."""
    if opener == r"\[":  # elsewhere in a line it is an escaped bracket
        return _LINE_BEGINS.search(text, max(0, at - _REACH), at) is not None
    if opener != "$":
        return True
    is_suffix = at > 0 and text[at - 1] in _LETTERS
    return not (
        is_suffix or text[at + 1 : at + 2] in _NEVER_FIRST or _PRICE.match(text, at)
    )


def _end(text: str, begin: int, closer: str, *, complete: bool) -> int | None:
    """Return where *closer* ends what begins at *begin*; None where it does not."""
    depth = 0
    for token in _TOKEN.finditer(text, begin, begin + _LONGEST):
        kind, value = token.lastgroup, token[0]
        if kind == "dollars" and token.end() == len(text) and not complete:
            raise Undecided
        if value == closer:
            return None if depth else token.start()
        if kind == "brace":
            depth += 1 if value == "{" else -1
            if not 0 <= depth <= _DEEPEST:
                return None
        elif kind == "dollars":
            if closer == "$" or not depth or len(value) > 1:
                return None
        elif kind == "other" or (not depth and _is_prose(text, begin, token, closer)):
            return None
    if len(text) - begin >= _LONGEST or complete:
        return None
    raise Undecided


def _is_prose(text: str, begin: int, token: re.Match[str], closer: str) -> bool:
    """Tell whether *token* ends the search at once: so a price holds back few words."""
    kind, end = token.lastgroup, token.end()
    if closer == "$":
        return kind in ("han", "line") or (kind == "word" and len(token[0]) > _WORD)
    reach = max(begin, end - _REACH)
    is_prose = (kind == "word" and _SENTENCE.search(text, reach, end)) or (
        kind == "han" and _STOPS.search(token[0])
    )
    return bool(is_prose) and not _STRONG.search(text, begin, end)


def _in_dollars(inner: str, after: str) -> bool:
    """Tell a formula in `$…$` from words between two prices; *after* follows it."""
    is_open = inner[-1] in _NEVER_LAST and inner[-2:-1] not in "^_\\"
    if is_open or after.isdigit() or after == "{":
        return False
    brackets = [sum(map(inner.count, pair)) for pair in ("([", ")]")]
    if "\\" not in inner and brackets[0] != brackets[1]:
        return False
    return bool(
        _STRONG.search(inner) or _LETTER.fullmatch(inner) or _TERM.fullmatch(inner)
    )


def _in_brackets(inner: str, opener: str) -> bool:
    r"""Tell a formula in `$$…$$`, `\(…\)` or `\[…\]` from escaped words and signs."""
    body = inner.strip()
    if not body or body[0] in _NEVER_FIRST or "`" in body or "</" in body:
        return False
    if _STRONG.search(body):
        return True
    if _PROSE.search(body) or not any(char.isalnum() for char in body):
        return False
    if opener == r"\[":
        return _SUM.search(body) is not None
    is_apart = opener == "$$" and inner[0] == " "  # `$$ or $$` are two prices
    return not is_apart or bool(_COUNTS.search(body) or _LETTER.fullmatch(body))
