"""The evidence of a report follows the order of its citations."""

import errno
import re
from dataclasses import replace
from typing import Any

import pytest
from chainlit.session import WebsocketSession
from support.browser.screen import Screen
from support.report.research_reports import reported
from support.sessions import offline_session

from agent.research import Budget, Ended, Report
from agent.research.report import Difference, Section, Statement
from citations import Source
from ui.report.view import ReportView, evidence_of, markdown_of
from websearch.config import Settings

SOURCES = {
    n: Source(n, f"Title {n}", f"https://s{n}.example/", "Snippet.", text="Text.")
    for n in (1, 2, 3)
}
KEY_POINTS = (1, 2, 3, 2)  # the numbers behind the three of REPORT
LINKED = re.compile(r"\[\[(\d+)\]\]\(")


def told(text: str, *numbers: int, is_quoted: bool = True) -> Statement:
    evidence = {n: f"{text} ({n})" for n in numbers}
    return Statement(text, numbers, evidence, is_quoted=is_quoted)


REPORT = Report(
    "How high is it?",
    Budget(),
    sections=(
        Section(
            "One",
            (told("It is 62 m [3] high.", 1, 2), told("It is old.", 2)),
            ("It is 62 m [3] high. (1)", "It is old. (2)"),
        ),
        Section("None"),
        Section(
            "Two",
            (told("It was [9](x) built.", 3, is_quoted=False), told("It is white.", 1)),
            ("It was [9](x) built. (3)",),
        ),
    ),
    differences=(Difference(("62 m", "64 m"), (told("62 m", 1), told("64 m", 3))),),
    sources=SOURCES,
    ended=Ended.COMPLETE,
)


def test_evidence_is_in_the_order_of_the_citations() -> None:
    """Each citation of the text has its sentence, from key points to differences."""
    markdown = markdown_of(REPORT, "en-US")
    entries = evidence_of(REPORT, "m", "en-US")["citations"]

    assert [str(one["number"]) for one in entries] == LINKED.findall(markdown)
    assert [one["number"] for one in entries] == [*KEY_POINTS, 1, 2, 2, 3, 1, 1, 3]
    assert entries[1]["quote"] == "It is 62 m [3] high. (2)"
    assert entries[0]["kind"] == "Full text"


def test_markdown() -> None:
    """Title, key points, sections, references; the budget stands in its step."""
    markdown = markdown_of(REPORT, "zh-CN")
    stopped = markdown_of(replace(REPORT, ended=Ended.STOPPED), "zh-CN")

    order = ("How high is it?", "Key points", "One", "Two", "References")
    places = [markdown.index(f"# {part}\n") for part in order]
    assert places == sorted(places)
    assert "60,000" not in markdown
    assert stopped.splitlines()[-1].startswith("*Stopped by the user;")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "磁盘已满，报告的文件没有存下"),
        (errno.EROFS, "报告的文件没有存下"),
    ],
)
async def test_files_that_cant_be_written(
    screen: Screen,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    number: int,
    words: str,
) -> None:
    """The report is shown whole, the page and the log name the cause, and the page the
    next step."""

    async def fails(*_: Any, **__: Any) -> None:
        raise OSError(number, "words", "/secret/folder")

    monkeypatch.setattr(WebsocketSession, "persist_file", fails)
    run = await reported(offline_session(), "How high is it?")
    view = ReportView(run, Settings.load(), "zh-CN", "sentence")

    await view.show()
    report, notice = screen.messages[-2:]
    assert report == markdown_of(run.report, "zh-CN")
    assert notice.startswith(f"**{words}** ")
    assert "刷新页面" in notice
    assert "not written: " in caplog.text
    assert "secret" not in caplog.text + notice
