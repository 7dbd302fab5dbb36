"""The built-in answerer on the page: quotations are text, whatever they say."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from support.model.builtin import answered, quoted, response

from citations import Source, cited, page_form
from untrusted.text import for_terminal
from websearch import SearchRequest
from websearch.engines import Stub

MARKUP = st.text(alphabet="[]()<>*_`~\\!#&;\"'|$-+=1２【】 ab.\n桥", max_size=80)
SIGNS = (
    "[9]", "**b**", "<img src=x>", "&lt;", "![x](y)", "~~a~~ ~b~", "# h", "`[1]`",
    "[a]: b", "[x](https://evil.example)", "https://evil.example/a_b", "| a |", "”[3]",
    "<!--", "\\", "[1][2]", "【2】", "[[1]](b)", "$x$", "a*b*c", "_a_",
    "www.evil.example", "mailto:a@evil.example",
)  # fmt: skip


def check_page(snippet: str) -> None:
    """The page shows a list of quotations and links to the sources quoted, no more."""
    found = response(f"大桥全长1200米 {snippet}", title=snippet)
    sources = {
        n: Source(n, one.title, one.url) for n, one in enumerate(found.items, start=1)
    }
    answer = answered("大桥全长多少米？", found)
    page = page_form(answer, sources)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page)

    kinds = {token.type.rpartition("_")[0] or token.type for token in tokens}
    assert kinds == {"paragraph", "bullet_list", "list_item", "inline"}
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inline} <= {
        *("text", "text_special", "link_open", "link_close", "code_inline")
    }
    links = {child.attrs["href"] for child in inline if child.type == "link_open"}
    assert links == {source.url for source in sources.values()}
    # The page makes links of bare addresses, but not of code.
    bare = [child.content for child in inline if child.type == "text"]
    assert not any("evil.example" in text for text in bare)
    assert cited(answer, sources) == [1]


@pytest.mark.parametrize("snippet", SIGNS)
def test_a_hostile_sentence_stays_text(snippet: str) -> None:
    """No sign of a result becomes markup, a marker or a link."""
    check_page(snippet)
    check_page(f"，{snippet}a{snippet}。")


@given(MARKUP)
def test_any_signs_stay_text(snippet: str) -> None:
    """The same of signs in any order."""
    check_page(snippet)


@given(st.lists(st.one_of(MARKUP, st.text(max_size=80)), min_size=1, max_size=4))
def test_the_reader_sees_what_the_result_says(snippets: list[str]) -> None:
    """Shown, each quotation is a piece of its result, letter for letter."""
    found = response(*(f"大桥全长{n}米 {text}" for n, text in enumerate(snippets)))

    for words, marks in quoted(answered("大桥全长多少米？", found)):
        shown = for_terminal(words)
        for number in re.findall("[0-9]+", marks):
            item = found.items[int(number) - 1]
            assert shown in " ".join(item.snippet.split())


def test_plain_words_bear_no_backslash() -> None:
    """Only signs that Markdown would read are escaped."""
    text = "The X_3 bridge (built 1932!) is 503 metres long: 5~6 lanes & 100 % ok."

    assert quoted(answered("How long is the X_3 bridge?", response(text)))[0][0] == text


@pytest.mark.spec("M1")
@pytest.mark.parametrize("question", ["今天有什么科技新闻？", "What is new today?"])
async def test_samples(question: str) -> None:
    """Offline samples are quoted whatever was asked, and said to be samples."""
    found = await Stub().asearch(SearchRequest(question))

    answer = answered(question, found)

    assert ("离线演示" if question[0] == "今" else "Offline samples") in answer
    assert [marker for _, marker in quoted(answer)] == ["[1]", "[2]", "[3]"]


def test_a_page_that_calls_itself_a_sample() -> None:
    """A page of the web that bears such a title is a result like any other."""
    found = response("桥很美。大桥全长1200米。天晴。", title="离线示例：大桥")

    answer = answered("大桥全长多少米？", found)

    assert "离线演示" not in answer
    assert quoted(answer)[0] == ("大桥全长1200米。", "[1]")
