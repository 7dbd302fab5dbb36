"""The history fits the model, and misleads nobody."""

import pytest

from agent.history import Turn, count_tokens, recent, without_markers
from citations import Source


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("汉" * 4_000, 4_000, 4_001), ("word " * 800, 900, 1_100), ("", 0, 1)],
    ids=["chinese", "english", "empty"],
)
def test_tokens(text: str, least: int, most: int) -> None:
    """A Han character counts as a token, English as a fourth of its letters."""
    assert least <= count_tokens(text) <= most


def turns(count: int, length: int = 10) -> list[Turn]:
    roles = ("user", "assistant")
    return [Turn(roles[n % 2], f"{n:03}" + "字" * length) for n in range(count)]  # type: ignore[arg-type]


def test_recent_fits() -> None:
    """The last turns are kept, oldest out first, beginning with a question."""
    kept = recent(turns(20), max_tokens=60)

    assert [turn.text[:3] for turn in kept] == ["016", "017", "018", "019"]
    assert kept[0].role == "user"


def test_last_answer_is_kept() -> None:
    """A last answer that is too long keeps its beginning and its end."""
    kept = recent(turns(4, length=9_000), max_tokens=1_000)

    assert [turn.role for turn in kept] == ["user", "assistant"]
    assert kept[1].text.startswith("003")
    assert sum(count_tokens(turn.text) for turn in kept) <= 1_010


SOURCES = {n: Source(n, "t", f"https://s{n}.example/a(b)") for n in (1, 2)}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("天气晴[1]，气温低[2][1]。", "天气晴，气温低。"),
        ("见【1】与[9]", "见与[9]"),
        ("`print(a[1])` 与 m[1][2]=3", "`print(a[1])` 与 m[1][2]=3"),
        ("[abc] 不动", "[abc] 不动"),
    ],
)
def test_old_markers(text: str, left: str) -> None:
    """Markers of an answer are taken out, and nothing that only looks like one."""
    assert without_markers(text, SOURCES) == left


def test_no_sources_no_change() -> None:
    """An answer without a search is remembered as it was."""
    assert without_markers("a[1] [2]", {}) == "a[1] [2]"
