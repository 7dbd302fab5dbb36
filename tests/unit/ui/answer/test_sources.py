"""The sources that an answer may cite, and their lists."""

import pytest

from agent.events import SearchFinished, SearchStarted
from citations import Source
from ui.answer.sources import AnswerSources

SOURCES = {
    n: Source(n, f"Title {n}", f"https://s{n}.example/", f"Snippet {n}")
    for n in range(1, 7)
}


def findings(
    *searches: tuple[str, list[int]], call: str = "c", recalled: tuple[int, ...] = ()
) -> AnswerSources:
    made = AnswerSources("zh-CN")
    made.recall({n: SOURCES[n] for n in recalled})
    for place, (query, numbers) in enumerate(searches):
        name = call and f"{call}{place}"
        made.begin(SearchStarted(query, name))
        found = [SOURCES[n] for n in numbers]
        made.add(SearchFinished(query, found, "searxng", 5, call=name))
    return made


def headings(listed: str) -> list[str]:
    return [line for line in listed.splitlines() if line.startswith("#")]


def rounds(*queries: str) -> list[str]:
    numbered = enumerate(queries, start=1)
    found = [f"##### 第 {n} 次搜索 · “{query}”" for n, query in numbered]
    return ["#### 搜索来源", *found] if found else []


@pytest.mark.spec("D4", "C7", "E8")
@pytest.mark.parametrize(
    ("searches", "used", "listed"),
    [
        ([("甲", [1, 2]), ("乙", [3])], [3], rounds("甲", "乙")),
        ([("甲", [1]), ("乙", [2]), (" 甲\n", [1])], [], rounds("甲", "乙")),
        ([("甲", []), ("乙", [2]), ("甲", [1])], [], rounds("乙", "甲")),
        ([("甲", [1]), ("甲", [1, 2])], [], rounds("甲", "甲")),
        ([("甲", [1, 2])], [1, 5], [*rounds("甲"), "#### 此前搜索的来源"]),
        ([], [5], ["#### 此前搜索的来源"]),
        ([], [9], []),
    ],
    ids=[
        *("two searches", "repeated query", "nothing found at first", "other pages"),
        *("earlier source", "earlier source alone", "nothing cited"),
    ],
)
def test_rounds(
    searches: list[tuple[str, list[int]]], used: list[int], listed: list[str]
) -> None:
    """Each search of the model that found something is a round, and what is cited of
    earlier answers stands below."""
    made = findings(*searches, recalled=(1, 5, 6)).lists(used)

    assert headings(made) == listed
    assert ("https://s5.example/" in made) is (5 in used)
    assert "https://s6.example/" not in made


@pytest.mark.spec("D4", "C7")
@pytest.mark.parametrize(
    ("used", "listed"),
    [([2], ["#### 参考文献", "#### 其他搜索来源"]), ([], ["#### 搜索来源"])],
)
def test_chat(used: list[int], listed: list[str]) -> None:
    """A search for the user's words is listed as references and others."""
    assert headings(findings(("q", [1, 2]), call="").lists(used)) == listed


@pytest.mark.spec("E8")
def test_repeated_call() -> None:
    """Servers that begin to count calls anew at each step lose no round."""
    made = AnswerSources("zh-CN")
    for query, source in (("a", SOURCES[1]), ("b", SOURCES[2])):
        made.begin(SearchStarted(query, "functions:0"))
        made.add(SearchFinished(query, [source], "searxng", 5, call="functions:0"))

    assert headings(made.lists([])) == rounds("a", "b")


def test_words_of_strangers() -> None:
    """A query is no markup, and no template."""
    listed = findings(("![x](http://evil.example/) {number}", [1])).lists([])

    assert "![x](" not in listed
    assert "{number}" in listed
