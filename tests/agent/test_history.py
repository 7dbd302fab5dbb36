"""The history fits the model, and misleads nobody."""

import pytest

from agent.history import Turn, count_tokens, recent, without_markers


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


def test_nothing_fits() -> None:
    """A single turn that is too long leaves nothing, not half of it."""
    assert recent(turns(2, length=9_000), max_tokens=100) == []


@pytest.mark.spec("E9")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("天气晴[1]，气温低[2][3]。", "天气晴，气温低。"),
        ("见【4】与[1, 2]及[^3]", "见与及"),
        ("[abc] 不动", "[abc] 不动"),
    ],
)
def test_old_markers(text: str, left: str) -> None:
    """Numbers of an earlier answer are taken out: they would mean other pages now."""
    assert without_markers(text) == left
