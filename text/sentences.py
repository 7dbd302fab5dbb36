"""Cut a text into sentences, and into pieces at pauses."""

import re
from collections.abc import Iterator

_RIGHT_TO_LEFT = "\u0590-\u08ff"  # Hebrew and Arabic
_END = re.compile(
    r"[。！？۔؟][”’」』）)\"']*|[!?](?=[\u3400-\u9fff])|[\r\n\t]+"
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


def cut_at_pauses(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of pieces of *text*, none longer than *size*."""
    text, begin = text.rstrip(), 0
    while begin < len(text):
        end = len(text)
        if end - begin > size:
            pauses = [*_PAUSE.finditer(text, begin + size // 2, begin + size)]
            end = pauses[-1].end() if pauses else begin + size
        piece = text[begin:end]
        if said := piece.strip():
            first = begin + len(piece) - len(piece.lstrip())
            yield first, first + len(said)
        begin = end


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text*, unchanged but for their spaces."""
    text = _DATE.sub("", text, count=1)
    for begin, end in sentence_spans(text):
        sentence = " ".join(text[begin:end].split())
        if len(sentence) >= _SHORTEST:
            for first, last in cut_at_pauses(sentence, _LONGEST):
                yield sentence[first:last]
