"""Cut texts into sentences and terms, and read what a question asks for."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 240  # characters of a sentence that is quoted
SHORTEST: Final = 4

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_HAN_RUN = re.compile(f"[{_HAN}]+")
_WORD = re.compile(rf"\d+(?:[.,]\d+)*%?|[^\W\d_{_HAN}]+")
_END = re.compile(
    r"[。！？][”’」』）)]*|[!?](?=[\u3400-\u9fff])|[\r\n\t]+"
    r"|[.!?][\"”')]*\s+(?=[\"'“‘(\[]?[A-Z0-9])"
    r"|\s((?:\.{3}|[…·])\s)"  # separates the parts of a snippet; belongs to none
)
_ABBREVIATION = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs?|etc|al|approx|Inc|Ltd|Co|Corp|Fig|Vol|Jr|Sr"
    r"|Gen|Sen|Gov|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z])\.$"
)
_PAUSE = re.compile(r"[,;，；、:：]\s*|\s")
# Some engines put the date of a page before its text.
_DATE = re.compile(
    r"^\s*(?:\d{4}年\d{1,2}月\d{1,2}日|\d{4}-\d\d-\d\d|\d+ ?(?:天|小时)前"
    r"|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d+ (?:day|hour)s? ago)"
    r" ?(?:[-—·…:|]|\.{3}) ?"
)
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:(?<![su])s|ies|es|ed|e|ing|y)$")
_STOPS = """
a an the and or of is are was were be been being am do does did done in on at to for
from with by about as into than then that this these those it its he she they them
their there here i me my we us our us you your what which who whom whose when where
why how can could will would shall should may might must has have had not no if so
such just also some any each please tell know many much s t hello hi hey thanks thank
"""
STOPS: Final = frozenset(_STOPS.split())
ASKING: Final = (
    "请问|请?帮我[查搜找看]?(?:一?下)?|告诉我|我想知道|[是在有]?(?:什么时[候间]|什么|多少|哪[里儿位家些个年天一座种]*|谁"
    "|几[个位名次年月点]?)|为什么|为何|怎么样?|怎样|如何|是否|吗|呢|你好|您好"
)
_ASKING = re.compile(f"{ASKING}|[是的了在有和与被由于对其中及个]")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of question: its pattern, that of its answer, the score without one."""

    asks: re.Pattern[str]
    looks: re.Pattern[str]
    share: float  # share of the score that a sentence without it keeps


_TIME = _Kind(
    re.compile(
        r"什么时[间候]|何时|哪一?[年天]|[哪几]月|几[点号时]|日期|时间|\bwhen\b|\bdate\b"
        r"|\b(?:what|which) (?:year|date|day|month|time)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\d)(?:1\d|20)\d\d(?!\d)|\d{1,2}[年月日号点时:：]|世纪|century"
        r"|\d ?[apAP]\.?[mM]|[一二三四五六七八九十]+[年月日]"
        r"|\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b\.? \d"
        r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
    ),
    share=0.35,
)
_NUMBER = _Kind(
    re.compile(
        r"多少|几[^乎何]|多[长高远大深重宽久快]|版本|人[口数]|[高长深温速宽]度|面积|数量"
        r"|[价票]格|[率额量数]$|how (?:many|much|long|far|tall|high|deep|big|large|old"
        r"|fast|heavy|wide)|\b(?:population|height|speed|distance|temperature|number"
        r"|rate|version|price|cost)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\d[\d.,]*%?"
        r"|[一二两三四五六七八九十百千万亿]+[个名位条颗座所次年天月人万亿倍只种部件家岁度]"
        r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand"
        r"|[mb]illion)\b"
    ),
    share=0.3,
)
_PERSON = _Kind(
    re.compile(r"谁|哪位|何人|作者|\bwho(?:m|se)?\b", re.IGNORECASE),
    re.compile(
        r"[A-Z][\w'’-]+(?: (?:van|de|von|of|the) )?(?: ?[A-Z][\w'’.-]+)+"
        r"|[\u4e00-\u9fff]·[\u4e00-\u9fff]|(?<=[\u4e00-\u9fff])[A-Z]\w+"
        r"|(?:[由是为]|作者|导演|主席|总统|总理|[市校院部会]长)[\u4e00-\u9fff]{2,4}"
    ),
    share=0.8,
)
_PLACE = _Kind(
    re.compile(
        r"哪里|哪儿|在哪(?![个一年天些种])|何[处地]|哪[个座一]?(?:城市|国家?|省|地方|市|州)"
        r"|什么地方|地[址点]|\bwhere\b|location"
        r"|(?:which|what) (?:city|country|town|state|place)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:in|at|on|near|of|to|from) (?:the |central |\w+ern )?[A-Z]\w+"
        r"|[\u4e00-\u9fff]{1,4}[省市县区州国岛镇村路街]|位于|坐落|地处"
    ),
    share=0.8,
)
_KINDS = (_TIME, _NUMBER, _PERSON, _PLACE)  # the first match is used
_QUESTION = re.compile(r"[?？]\W*$|^请问")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text*, unchanged but for their spaces."""
    text = _DATE.sub("", text, count=1)
    for begin, end in spans(text):
        yield from _pieces(text[begin:end])


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each sentence of *text*, of any length."""
    begin = 0
    for match in _END.finditer(text):
        dot = match.start() + 1
        if match[0][0] == "." and _ABBREVIATION.search(text, max(begin, dot - 9), dot):
            continue
        yield begin, match.start(1) if match[1] else match.end()
        begin = match.end()
    yield begin, len(text)


def _pieces(sentence: str) -> Iterator[str]:
    """Cut a sentence that is too long for a quotation at its pauses."""
    sentence = " ".join(sentence.split())
    while len(sentence) > LONGEST:
        pauses = list(_PAUSE.finditer(sentence, LONGEST // 2, LONGEST))
        end = pauses[-1].end() if pauses else LONGEST
        yield sentence[:end].strip()
        sentence = sentence[end:].strip()
    if len(sentence) >= SHORTEST:
        yield sentence


def plain(text: str) -> str:
    """Lower-case *text*, with full-width letters and digits made ordinary ones."""
    if _FULL_WIDTH.search(text):
        text = unicodedata.normalize("NFKC", text)
    return text.lower()


def words(text: str) -> list[str]:
    """Return the words of plain *text* without the commonest English endings."""
    return [_ENDING.sub("", word) for word in _WORD.findall(text) if word not in STOPS]


def terms(text: str) -> list[str]:
    """Return the words of plain *text*; of Chinese, characters and pairs of them."""
    found = words(text)
    for run in _HAN_RUN.findall(text):
        found += run
        found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found


def is_character(term: str) -> bool:
    """Tell whether *term* is one Chinese character, which says little alone."""
    return len(term) == 1 and not term.isascii()


def asked_terms(question: str) -> list[str]:
    """Return the terms that tell what *question* is about, each once."""
    return list(dict.fromkeys(terms(_ASKING.sub(" ", plain(question)))))


def is_question(sentence: str) -> bool:
    """Tell whether *sentence* asks something."""
    return _QUESTION.search(sentence) is not None


def share_without(question: str, sentence: str) -> float:
    """
    Return the share of its score that *sentence* keeps: 1 if it has what is asked for.

    A question for a time, a number, a person or a place expects one in its answer.
    """
    kind = next((kind for kind in _KINDS if kind.asks.search(question)), None)
    if kind is None:
        return 1.0
    new = (match[0] not in question for match in kind.looks.finditer(sentence))
    return 1.0 if any(new) else kind.share
