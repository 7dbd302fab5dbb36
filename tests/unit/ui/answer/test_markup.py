"""The Markdown of an answer, while it streams and at its end."""

import pytest
from support.browser.screen import ONE, THREE, TWO

from agent.events import Notice, NoticeKind, SearchFinished
from ui.answer.markup import Markup
from ui.answer.sources import AnswerSources


@pytest.mark.parametrize("notice", [None, Notice(NoticeKind.SEARCH_LIMIT, 5)])
def test_streamed_is_final(notice: Notice | None) -> None:
    """The streamed text is the beginning of the final text."""
    findings = AnswerSources("zh-CN")
    findings.add(SearchFinished("q", [ONE, TWO, THREE], "searxng", 5))
    made = Markup("zh-CN", findings)
    if notice:
        made.notice(notice)
    streamed = "".join(made.feed(c) for c in "答案[1][3] 与 `x[1]`，re:Invent。\n\n完")

    assert made.whole("", is_notice=True).startswith(streamed.rstrip())
