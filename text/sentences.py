"""Cut a text into sentences, and into pieces at pauses."""

import re
from collections.abc import Iterator

from text.language import HAN_RANGE

_RIGHT_TO_LEFT = "\u0590-\u08ff"  # Hebrew and Arabic
_END = re.compile(
    rf"[。！？۔؟][”’」』）)\"']*|[!?](?=[{HAN_RANGE}])|[\r\n\t]+"
    rf"|[.!?][\"”')]*\s+(?=[\"'“‘(«\[]?[A-Z0-9{_RIGHT_TO_LEFT}])"
    r"|(?<!\d)[.!?][\"”')]*\s+(?=[\u3400-\u9fff])"
    r"|\s((?:\.{3}|[…·])\s)"  # separates parts of a snippet; belongs to none
)
_PAUSE = re.compile(r"[,;，；、:：؛،]\s*|\s+")
_ABBREVIATION = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs?|etc|al|approx|Inc|Ltd|Co|Corp|Fig|Vol|Jr|Sr"
    r"|Gen|Sen|Gov|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z]"
    r"|[ap]\.m|e\.g|i\.e|ca)\.\Z"
)
# Some engines put the date of a page before its text.
_DATE = re.compile(
    r"^\s*(?:\d{4}年\d{1,2}月\d{1,2}日|\d{4}-\d\d-\d\d|\d+ ?(?:天|小时)前"
    r"|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d+ (?:day|hour)s? ago)"
    r" ?(?:[-—·…:|]|\.{3}) ?"
)
_LONGEST, _SHORTEST = 240, 4  # characters of a sentence that is quoted


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each sentence of *text*, of any length."""
    begin = 0
    for match in _END.finditer(text):
        dot = match.start() + 1
        if match[0][0] == "." and _ABBREVIATION.search(text, max(begin, dot - 9), dot):
            continue
        yield begin, match.start(1) if match[1] else match.end()
        begin = match.end()
    yield begin, len(text)


def cut(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Yield beginning and end of each sentence, or of its parts up to *longest*."""
    for begin, end in sentence_spans(text):
        for first, last in cut_at_pauses(text[begin:end], longest):
            yield begin + first, begin + last


def cut_at_pauses(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Yield beginning and end of parts of *text*, none longer than *longest*."""
    text, begin = text.rstrip(), 0
    while begin < len(text):
        end = len(text)
        if end - begin > longest:
            pauses = [*_PAUSE.finditer(text, begin + longest // 2, begin + longest)]
            end = pauses[-1].end() if pauses else begin + longest
        part = text[begin:end]
        if words := part.strip():
            first = begin + len(part) - len(part.lstrip())
            yield first, first + len(words)
        begin = end


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a search result, unchanged but for their spaces."""
    text = _DATE.sub("", text, count=1)
    for begin, end in cut(text, _LONGEST):
        sentence = " ".join(text[begin:end].split())
        if len(sentence) >= _SHORTEST:
            yield sentence
