"""The bytes of a page become text, whatever its header says."""

import pytest

from websearch.parsing.charset import decode

CHINESE = "中文页面内容，人工智能与大模型。" * 5
TRADITIONAL = "中文頁面內容，人工智慧與大模型。" * 5


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE, "gbk"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5hkscs"),
        ("Café naïve – “quoted”", "cp1252"),
    ],
)
def test_undeclared(text: str, charset: str) -> None:
    """A page without any declaration is read."""
    assert decode(text.encode(charset)) == text


@pytest.mark.parametrize(
    "declared", ["utf-8", "iso-8859-1", "big5", "x" * 300, "rot13"]
)
def test_lying_header(declared: str) -> None:
    """A header that does not fit the bytes is not believed."""
    assert decode(CHINESE.encode("gbk"), declared) == CHINESE


def test_valid_utf8_outranks_header() -> None:
    """UTF-8 is never valid by chance."""
    assert decode(CHINESE.encode(), "gbk") == CHINESE


def test_meta() -> None:
    """An old name in the page means its successor."""
    page = '<meta charset="gb2312">朱镕基 喆'

    assert decode(page.encode("gbk"), "iso-8859-1") == page


@pytest.mark.parametrize("codec", ["base64", "idna", "utf-7", "zlib", "unicode_escape"])
def test_no_charset(codec: str) -> None:
    """Codecs that are no charset are not run on a stranger's bytes."""
    assert decode(b"a+AGI-\\x41" + CHINESE.encode("gbk"), codec).endswith(CHINESE)


def test_cut_character() -> None:
    """Half a character at the end is dropped."""
    assert decode(CHINESE.encode("gbk")[:-1], "gbk") == CHINESE[:-1]
