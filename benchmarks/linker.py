"""Measure the time of linking a streamed answer, and the delay of its tokens."""

import re
import time
from collections.abc import Callable, Iterator
from statistics import mean, median
from typing import Final

from markdown_it import MarkdownIt

from benchmarks.result import Figure
from citations import Linker, PageLinker, Source

_SIZE: Final = 100_000
_CHUNK: Final = 4
_ROUNDS: Final = 7
_SOURCES: Final = {
    number: Source(number, f"Page {number}", f"https://page{number}.example/a?b=c")
    for number in range(1, 6)
}
_PARAGRAPHS: Final = (
    "今天的天气晴朗，气温在二十度左右[1]，适合外出。预报说明天有小雨【2】，",
    "请带上雨伞；详情见 https://weather.example/today 的说明[1, 3]。\n\n",
    "The bridge was finished in 1932 and carries eight lanes of traffic[2][4]. ",
    "Its *main span* is 503 m, see `span[1]` in the table below (2019)[5].\n\n",
    "- **第一**：时钟每天慢三秒[3]\n- second item with [a link](https://x.example/)\n\n",
    "```python\nvalues[1] = span[0]\n```\n\n> 引用的文字[4]，没有别的。\n\n",
)
# Answers of one kind each, for the tokens that wait.
_KINDS: Final = {
    "prose": "".join(_PARAGRAPHS[:4]),
    "tables": (
        "| 城市 | 气温 | 来源 |\n|---|---:|---|\n| 北京 | 20 度 | [1][2] |\n"
        "| Paris | `15` | see [3] |\n| 上海 | $22$ 度 | 【1】 |\n\n"
    ),
    "lists": (
        "- **第一**：时钟每天慢三秒[3]\n  - nested item with *stress*[1]\n"
        "1. one [2]\n2. [a link](https://x.example/) and more[4]\n\n"
    ),
    "formulas": (
        "质能方程 $E = mc^2$ 与 $x[1]$[1]。\n\n$$\n\\int_0^1 x^2 dx"
        " = \\frac{1}{3}\n$$\n\n"
        "Then \\(a_1 + b_1\\) holds[2]; it costs $5[3].\n\n"
    ),
}
# Markdown that makes a naive reader take quadratic time.
_HOSTILE: Final = (
    *("[", "]", "[1]", "`", "`a`` ", "<", '<a b="', "<!-- ", "[a](", "[a][b"),
    *("![", "$", "\\[x ", ">", "- ", "https://a", "[1]: x\n", "|`a|[1]|\n"),
)
_TOKEN: Final = re.compile(r"[A-Za-z0-9]+|\s+|[^A-Za-z0-9\s]")


def parse() -> Figure:
    """Compare linking 100 kB in chunks of 4 characters with one parse of it."""
    text = _text(_SIZE)
    ours, theirs, wrong = _best(
        lambda: _stream(text), lambda: _parsed(text), lambda: _replaced(text)
    )
    details = f"{ours:.0f} ms to {theirs:.0f} ms of markdown-it; re.sub {wrong:.1f} ms"
    return Figure(ours / theirs, details)


def page() -> Figure:
    """Compare the page's form of the same text with one parse of it."""
    text = _text(_SIZE)
    ours, theirs = _best(lambda: _stream(text, PageLinker), lambda: _parsed(text))
    return Figure(ours / theirs, f"{ours:.0f} ms to {theirs:.0f} ms of markdown-it")


def growth() -> Figure:
    """Compare the time for 200 kB with that for 100 kB; hostile texts beside it."""
    half, whole = _text(_SIZE), _text(2 * _SIZE)
    small, large = _best(lambda: _stream(half), lambda: _stream(whole))
    worst, unit = max((_hostile_growth(unit), unit) for unit in _HOSTILE)
    details = f"{small:.0f} ms, {large:.0f} ms; hostile at most {worst:.1f} ({unit!r})"
    return Figure(large / small, details)


def delay() -> Figure:
    """Count the tokens that come after one before it is shown: the mean, in prose."""
    found = {
        f"{kind} ({form.__name__})": list(_delays(_TOKEN.findall(20 * text), form))
        for form in (Linker, PageLinker)
        for kind, text in _KINDS.items()
    }
    details = "; ".join(
        f"{name}: mean {mean(one):.1f}, median {median(one):.0f}, most {max(one)}"
        for name, one in found.items()
    )
    return Figure(mean(found["prose (Linker)"]), details)


def _hostile_growth(unit: str) -> float:
    """Return how much longer the double of a text of one *unit* takes."""
    half = unit * (20_000 // len(unit))
    small, large = _best(
        lambda: _stream(half, PageLinker), lambda: _stream(2 * half, PageLinker)
    )
    return large / small


def _delays(tokens: list[str], form: type[Linker] | type[PageLinker]) -> Iterator[int]:
    """Yield, for each token, the number of tokens read before it is shown in full."""
    linker = form(_SOURCES)
    waiting: list[tuple[int, int]] = []  # (its end in the text, its number)
    end = 0
    for number, token in enumerate(tokens):
        end += len(token)
        waiting.append((end, number))
        linker.feed(token)
        shown = end - linker.held
        while waiting and waiting[0][0] <= shown:
            yield number - waiting.pop(0)[1]


def _stream(text: str, form: type[Linker] | type[PageLinker] = Linker) -> str:
    linker = form(_SOURCES)
    chunks = (text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK))
    return "".join([linker.feed(chunk) for chunk in chunks]) + linker.close()


def _parsed(text: str) -> object:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def _replaced(text: str) -> str:
    """Replace markers by a plain regular expression, in code and links as well."""
    urls = {str(number): source.url for number, source in _SOURCES.items()}
    return re.sub(r"\[([0-9]+)\]", lambda m: f"[[{m[1]}]]({urls.get(m[1])})", text)


def _best(*works: Callable[[], object]) -> list[float]:
    """Return the least milliseconds of CPU of each, measured turn by turn."""
    best = [float("inf")] * len(works)
    for _ in range(_ROUNDS):
        for index, work in enumerate(works):
            started = time.process_time()
            work()
            taken = (time.process_time() - started) * 1000
            best[index] = min(best[index], taken)
    return best


def _text(size: int) -> str:
    paragraphs = "".join(_PARAGRAPHS)
    return (paragraphs * (size // len(paragraphs) + 1))[:size]
