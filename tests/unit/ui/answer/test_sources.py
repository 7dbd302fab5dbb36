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


@pytest.mark.spec("D4", "C7")
def test_chat() -> None:
    """A search for the user's words is listed as references and others."""
    made = findings(("q", [1, 2]), call="")

    assert headings(made.lists("晴[2]")) == ["#### 参考文献", "#### 其他搜索来源"]
    assert headings(made.lists("晴")) == ["#### 搜索来源"]


@pytest.mark.spec("E8")
def test_rounds() -> None:
    """The model's searches are listed one by one, with all they found."""
    listed = findings(("甲", [1, 2]), ("乙", [3])).lists("晴[3]")

    assert headings(listed) == [
        "#### 搜索来源",
        "##### 第 1 轮 · “甲”",
        "##### 第 2 轮 · “乙”",
    ]
    assert listed.count("](https://s") == 3
    assert listed.count("已引用") == 1
    assert "Snippet 3" in listed


@pytest.mark.spec("E8")
def test_repeated_query() -> None:
    """A query that was asked twice is listed once."""
    listed = findings(("甲", [1]), ("乙", [2]), (" 甲\n", [1])).lists("")

    assert headings(listed)[1:] == ["##### 第 1 轮 · “甲”", "##### 第 2 轮 · “乙”"]


@pytest.mark.spec("E8")
def test_search_that_found_nothing() -> None:
    """A search without results is no round; asked again it may be one."""
    listed = findings(("甲", []), ("乙", [2]), ("甲", [1])).lists("")

    assert headings(listed)[1:] == ["##### 第 1 轮 · “乙”", "##### 第 2 轮 · “甲”"]


@pytest.mark.spec("E8")
def test_same_words() -> None:
    """The same words may find other pages, of another time: nothing is left out."""
    listed = findings(("甲", [1]), ("甲", [1, 2])).lists("")

    assert headings(listed)[1:] == ["##### 第 1 轮 · “甲”", "##### 第 2 轮 · “甲”"]
    assert "https://s2.example/" in listed


@pytest.mark.spec("E8")
def test_repeated_call() -> None:
    """Servers that begin to count calls anew at each step lose no round."""
    made = AnswerSources("zh-CN")
    for query, source in (("a", SOURCES[1]), ("b", SOURCES[2])):
        made.begin(SearchStarted(query, "functions:0"))
        made.add(SearchFinished(query, [source], "searxng", 5, call="functions:0"))

    assert headings(made.lists(""))[1:] == [
        "##### 第 1 轮 · “a”",
        "##### 第 2 轮 · “b”",
    ]


@pytest.mark.spec("E8")
def test_places() -> None:
    """Rounds stand in the order of asking, whichever search ended first."""
    made = AnswerSources("zh-CN")
    for name in ("a", "b", "c"):  # the last has not ended
        made.begin(SearchStarted(name, name))
    for name, source in (("b", SOURCES[2]), ("a", SOURCES[1])):
        made.add(SearchFinished(name, [source], "searxng", 5, call=name))

    assert headings(made.lists(""))[1:] == [
        "##### 第 1 轮 · “a”",
        "##### 第 2 轮 · “b”",
    ]


def test_recalled() -> None:
    """Earlier sources are listed where they are cited and were not found again."""
    listed = findings(("甲", [1, 2]), recalled=(1, 5, 6)).lists("[1][5]")

    assert headings(listed) == [
        "#### 搜索来源",
        "##### 第 1 轮 · “甲”",
        "#### 此前搜索的来源",
    ]
    earlier = listed.partition("此前")[2]
    assert "https://s5.example/" in earlier
    assert "https://s1.example/" not in earlier
    assert "https://s6.example/" not in listed


@pytest.mark.spec("E8")
@pytest.mark.parametrize("recalled", [(), (1, 2)])
def test_nothing(recalled: tuple[int, ...]) -> None:
    """Neither search nor citation: no list."""
    assert findings(recalled=recalled).lists("晴[9]") == ""


def test_recalled_alone() -> None:
    """An answer without searches lists what it cites of earlier ones."""
    listed = findings(recalled=(1, 2)).lists("晴[2]")

    assert headings(listed) == ["#### 此前搜索的来源"]
    assert "https://s1.example/" not in listed


def test_words_of_strangers() -> None:
    """A query is no markup, and no template."""
    listed = findings(("![x](http://evil.example/) {number}", [1])).lists("")

    assert "![x](" not in listed
    assert "{number}" in listed


def test_no_false_warnings(caplog: pytest.LogCaptureFixture) -> None:
    """A number that any source has is never called unknown."""
    findings(("甲", [1]), recalled=(5,)).lists("[1][5]")

    assert "No source" not in caplog.text
