"""Citations are found by their places in a text."""

import pytest

from citations import Marker, cited, markers


def places(text: str, known: set[int] | None = None) -> dict[str, tuple[int, ...]]:
    citations = markers(text, known)
    return {text[marker.start : marker.end]: marker.numbers for marker in citations}


@pytest.mark.spec("D1", "D6")
@pytest.mark.parametrize(
    ("text", "any_number", "known"),
    [
        (
            "晴[1]，雨【2、9】",
            {"[1]": (1,), "【2、9】": (2, 9)},
            {"[1]": (1,), "【2、9】": (2,)},
        ),
        ("> a\n> 乙[1]\n\n|`[2]`|[２]|", {"[1]": (1,), "[２]": (2,)}, None),
        ("无[9]", {"[9]": (9,)}, {}),
        ("好![1]", {"[1]": (1,)}, None),  # its link would be an image
        (
            "[[1]](https://x.example/ 't')",
            {"[[1]](https://x.example/ 't')": (1,)},
            None,
        ),
        ("[2](https://x.example/)", {}, {"[2](https://x.example/)": (2,)}),
        ("[2024](/x) ![1](/x) [a 1](/x) [a [1]](/x)", {}, None),
        ("`[1]` arr[1] $[1]$ \\[1\\]", {}, None),
    ],
    ids=[
        *("markers", "in blocks", "unknown", "behind !", "a link that cites"),
        *("a number as words", "links that don't cite", "no citations"),
    ],
)
def test_places(
    text: str,
    any_number: dict[str, tuple[int, ...]],
    known: dict[str, tuple[int, ...]] | None,
) -> None:
    """A citation has its place and its numbers, of which only known ones count."""
    assert places(text) == any_number
    assert places(text, {1, 2}) == (any_number if known is None else known)


def test_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where reading fails nothing is cited, and the log says nothing of the text."""

    def fail(*_: object) -> None:
        raise RuntimeError("晴")

    monkeypatch.setattr("citations.citing.PlainForm._cite", fail)

    assert (markers("晴[1]"), cited("晴[1]", {1})) == ([], [])
    assert "晴" not in caplog.text


def test_order() -> None:
    """The numbers that a text cites come by their first marker."""
    assert cited("晴[2, 1]，雨[3][1]", {1, 3}) == [1, 3]
    assert markers("[3]", {3}) == [Marker(0, 3, (3,))]
