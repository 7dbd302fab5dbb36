"""What linking an answer costs while it streams, and how long it holds text back."""

import re
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Final

from markdown_it import MarkdownIt

from benchmarks.result import Figure
from citations import Linker, Source

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
_TOKEN: Final = re.compile(r"[A-Za-z0-9]+|\s+|[^A-Za-z0-9\s]")


def parse() -> Figure:
    """Linking 100 kB in chunks of 4 characters, as a multiple of one parse of it."""
    text = _text(_SIZE)
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    works = (lambda: _stream(text), lambda: parser.parse(text), lambda: _replaced(text))
    ours, theirs, wrong = _best(*works)
    details = f"{ours:.0f} ms to {theirs:.0f} ms of markdown-it; re.sub {wrong:.1f} ms"
    return Figure(ours / theirs, details)


def growth() -> Figure:
    """Time for 200 kB to time for 100 kB."""
    half, whole = _text(_SIZE), _text(2 * _SIZE)
    small, large = _best(lambda: _stream(half), lambda: _stream(whole))
    return Figure(large / small, f"{small:.0f} ms, {large:.0f} ms")


def delay() -> Figure:
    """Tokens that have to come after one, before the one can be shown; the median."""
    text = _text(_SIZE // 10)
    delays = list(_delays(_TOKEN.findall(text)))
    late = sum(one > 1 for one in delays) / len(delays)
    worst = max(delays)
    return Figure(median(delays), f"{late:.1%} wait for more than 1, at most {worst}")


def _delays(tokens: list[str]) -> Iterator[int]:
    """For each token: how many more were read when its last character was shown."""
    linker = Linker(_SOURCES)
    waiting: list[tuple[int, int]] = []  # (where it ends in the text, its place)
    end = 0
    for place, token in enumerate(tokens):
        end += len(token)
        waiting.append((end, place))
        linker.feed(token)
        shown = end - linker.held
        while waiting and waiting[0][0] <= shown:
            yield place - waiting.pop(0)[1]


def _stream(text: str) -> str:
    linker = Linker(_SOURCES)
    chunks = (text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK))
    return "".join([linker.feed(chunk) for chunk in chunks]) + linker.close()


def _replaced(text: str) -> str:
    """What a plain regular expression does, in code and links as well."""
    urls = {str(number): source.url for number, source in _SOURCES.items()}
    return re.sub(r"\[([0-9]+)\]", lambda m: f"[[{m[1]}]]({urls.get(m[1])})", text)


def _best(*works: Callable[[], object]) -> list[float]:
    """Milliseconds of CPU that each takes, turn by turn: the minimum."""
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
