"""Text from strangers is made safe, and loses nothing that a reader sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrusted.text import clean_query, clean_text, clip, without_commands


@pytest.mark.spec("B7")
@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("<b>bold</b> title", "bold title"),
        ("Tom &amp; Jerry &lt;b&gt;", "Tom & Jerry <b>"),
        ("x <script>alert(1)</script> y", "x y"),
        ("a<br>b<p>c</p><li>d</li>", "a b c d"),
        ("<em>北京</em>天气", "北京天气"),
        ("one\ntwo\r\n\tthree\x00\x07", "one two three"),
        ("a\u200bb\u202ec\u2066d\ufeffe", "abcde"),
        ("cut emoji \ud83d", "cut emoji"),
        ("hidden\U000e0041\U000e0042 tag", "hidden tag"),
        ("List<String> and a < b > c", "List<String> and a < b > c"),
        ("👩\u200d👩\u200d👧 family", "👩\u200d👩\u200d👧 family"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        (None, ""),
        (42, ""),
    ],
)
def test_clean(dirty: object, clean: str) -> None:
    """Markup, control and invisible characters go; words and emoji stay."""
    assert clean_text(dirty) == clean


@given(st.text(st.characters()))
def test_clean_is_encodable_and_settled(text: str) -> None:
    """Whatever comes in, the result is one line of valid UTF-8 of printable text."""
    clean = clean_text(text)

    clean.encode("utf-8")
    assert "\n" not in clean
    assert clean == clean.strip()


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_query_keeps_words(text: str) -> None:
    """A query of letters, digits, signs stays letter for letter."""
    visible = "".join(c for c in text if not "\ufe00" <= c <= "\ufe0f")

    assert clean_query(visible) == visible.strip()


@pytest.mark.spec("I8")
def test_commands() -> None:
    """A leading sign that SearXNG would obey becomes its full-width twin."""
    typed = "!!g python !wp :en mode C++ <3 love\u3000!g x"
    sent = "！!g python ！wp ：en mode C++ ＜3 love\u3000！g x"

    assert without_commands(typed) == sent
    for harmless in ("wow! 12:30 a<b", "北京 天气!"):
        assert without_commands(harmless) == harmless


@pytest.mark.spec("E3")
@pytest.mark.spec("C4")
@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("汉字汉字汉字", 4, "汉字汉…"),
        ("abc👩\u200d👩\u200d👧", 6, "abc…"),
        ("ab🇨🇳🇩🇪", 4, "ab…"),
        ("ab🇨🇳🇩🇪x", 6, "ab🇨🇳…"),
        ("cafe\u0301s", 5, "caf…"),
        ("ok👍🏽x", 4, "ok…"),
        ("word word", 6, "word…"),
    ],
)
def test_clip(text: str, width: int, cut: str) -> None:
    """Text is cut between characters as a reader sees them, and says that it was."""
    assert clip(text, width) == cut


@pytest.mark.spec("C4")
@given(st.text(), st.integers(1, 300))
def test_clip_never_exceeds(text: str, width: int) -> None:
    """Nothing is longer than asked for, and what fits is untouched."""
    cut = clip(text, width)

    assert len(cut) <= width
    assert cut == text if len(text) <= width else cut.endswith("…")
