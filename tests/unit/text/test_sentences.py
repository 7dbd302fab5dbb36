"""Sentences of Chinese and English texts, and parts of long ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.sentences import cut, sentence_spans, sentences

TEXTS = st.text(alphabet="ab 。.!？\n,，、”’)A1桥", max_size=120)


@pytest.mark.parametrize(
    "parts",
    [
        ["今天晴。", "大桥全长1200米！", "后天呢？"],
        ["It cost 1.5 m. ", "Dr. Ng built it. ", "“So?” ", "Yes"],
        ["他说：“好。”", "然后走了。"],
        ["line\n", "line"],
        ["ارتفاعه 828؟", " وفيه 163۔"],
    ],
)
def test_sentences_end_where_a_reader_ends_them(parts: list[str]) -> None:
    """Not at abbreviations and decimal points."""
    text = "".join(parts)

    spans = [text[begin:end] for begin, end in sentence_spans(text)]

    assert [span for span in spans if span] == parts


@given(TEXTS, st.integers(1, 40))
def test_cut_leaves_out_nothing_but_spaces(text: str, longest: int) -> None:
    """Each part stands in the text, in order, and none is too long."""
    end = 0
    for first, last in cut(text, longest):
        assert 0 < last - first <= longest
        assert not text[end:first].strip()
        end = last
    assert not text[end:].strip()


def test_a_search_result_loses_the_date_before_it() -> None:
    assert [*sentences("2024年5月1日 - 大桥全长 1200 米。")] == ["大桥全长 1200 米。"]
