"""An address in a question: a request to read it searches nothing."""

import pytest

from agent.follow_up.addresses import asks_to_read, words_beside

URL = "https://a.example/x"


@pytest.mark.parametrize(
    ("question", "is_request"),
    [
        ("{}", True),
        ("{} 总结一下这篇文章", True),
        ("{} 讲了什么？", True),
        ("请阅读{}，并告诉我要点", True),
        ("把 {} 翻译成中文", True),
        ("{} 这篇文章的作者是谁？", True),
        ("summarise {}", True),
        ("What does {} say?", True),
        ("{} - what does it say about pricing?", True),
        ("give me a summary of {}", True),
        ("{} 和 DuckDB 比哪个快？", False),
        ("有没有类似 {} 的网站", False),
        ("高铁票怎么退？{} 没说清楚", False),
        ("{} 上说的疫苗副作用有其他研究支持吗", False),
        ("Is {} faster than DuckDB?", False),
        ("What happened after {} was published?", False),
        ("{} says heat pumps fail in cold climates, is that true?", False),
    ],
)
def test_request(question: str, is_request: bool) -> None:
    """Few words without a name beside the address ask to read it, and nothing else."""
    assert asks_to_read(question.format(URL)) is is_request


def test_words_beside() -> None:
    """The words around addresses are one line, without the signs that led to them."""
    assert words_beside(f"请读：{URL}，再看{URL}，谁对？") == "请读 再看 谁对？"
