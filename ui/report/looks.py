"""The steps of a report in words: budget, plan, searches, pages, writing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from agent.research import (
    Ended,
    PageStep,
    PlanDraft,
    Progress,
    Report,
    SearchStep,
    SectionRewritten,
    span_ms,
)
from ui.answer.search_errors import model_failure, problem_note
from ui.texts import text
from untrusted.text import escaped, one_line, shown
from untrusted.urls import domain_of, safe_url
from websearch import SearchError, engine_title
from websearch.causes import short
from websearch.config import Settings

QUERY_SHOWN: Final = 60
TITLE_SHOWN: Final = 90
TOO_SHORT_TO_COUNT: Final = 100  # milliseconds

_ORIGINS: Final = {  # by `Origin`
    "model": "report_plan_model",
    "parts": "report_plan_parts",
    "wordings": "report_plan_wordings",
    "user": "report_plan_user",
}


@dataclass(frozen=True, slots=True)
class Look:
    """A step as the page shows it; a step that is not open collapses."""

    name: str
    inside: str = ""
    is_running: bool = False
    is_open: bool = False
    is_error: bool = False


class Looks:
    """The steps of one report, in the language of the page."""

    def __init__(self, settings: Settings, language: str) -> None:
        self._settings = settings
        self._language = language

    def budget(self, report: Report) -> Look:
        """The spent part of the budget; its clock runs while pages are searched."""
        spending = dict(report.spending)
        return Look(
            self._text(
                "report_budget", **spending | {"seconds": f"{spending['seconds']} s"}
            )
        )

    def plan(self, progress: Progress, draft: PlanDraft | None, *, adds: bool) -> Look:
        """The plan: being written, open for changes, or decided."""
        if progress.plan is not None:
            lines = [shown(line.text) for line in progress.plan.plan.lines]
            count = self._text("report_planned", count=len(lines))
            origin = self._text(_ORIGINS[progress.plan.plan.origin])
            name = _joined(count, origin, _seconds(progress.plan.took_ms))
            return Look(name, _numbered(lines))
        is_over = progress.finished is not None
        if draft is None or is_over:
            name = "report_plan_stopped" if is_over else "report_planning"
            return Look(self._text(name), is_running=not is_over)
        name = self._text("report_planned", count=len(draft.kept))
        return Look(name, self._plan_hint(draft, adds=adds), is_open=True)

    def search(self, progress: Progress, report: Report) -> Look:
        """All searches, with a line for each."""
        searches = progress.searches.values()
        done = [one for one in searches if one.took_ms is not None]
        failed = sum(one.error is not None for one in done)
        total = report.spent.searches
        is_over = progress.ended is not None or len(done) >= total
        if is_over:
            found = sum(one.new for one in done)
            name = _joined(
                self._text("report_searched", count=len(done), found=found),
                self._text("report_failed", count=failed) if failed else "",
                _seconds(span_ms(searches)),
            )
        else:
            name = self._text("report_searching", done=len(done), count=total)
        lines = [self._query(one, progress) for one in searches]
        is_error = is_over and bool(done) and failed == len(done)
        return Look(name, _listed(lines), not is_over, is_error=is_error)

    def reading(self, progress: Progress) -> Look:
        """All pages, with a line for each."""
        pages = progress.pages.values()
        done = [one for one in pages if one.took_ms is not None]
        unread = sum(one.error is not None for one in done)
        read = len(done) - unread
        is_over = progress.ended is not None
        if is_over:
            name = "read_some" if unread else "read"
            name = name if read or not unread else "read_none"
            line = self._text(name, count=read, unread=unread)
            line = _joined(line, _seconds(span_ms(pages)))
        else:
            line = self._text("report_reading", done=len(done), count=len(pages))
        lines = [self._page(one, is_over=is_over) for one in pages]
        is_error = is_over and bool(unread) and not read
        return Look(line, "\n".join(lines), not is_over, is_error=is_error)

    def writing(self, progress: Progress, report: Report, *, is_stopped: bool) -> Look:
        """The sections, and what the model did with each."""
        is_over = progress.finished is not None
        is_cut = is_stopped and progress.ended is not Ended.STOPPED
        if is_over:
            name = _joined(
                self._text("report_written", count=len(report.answered)),
                self._rewritten(report),
                self._text("report_rewriting_stopped") if is_cut else "",
                _seconds(progress.writing_ms),
            )
        elif progress.rewriting is not None:
            number, count = progress.rewriting.number + 1, len(report.sections)
            name = self._text("report_rewriting", number=number, count=count)
        else:
            name = self._text("report_quoting")
        lines = [
            self._section(section.question, progress.rewritten[number])
            for number, section in enumerate(report.sections)
            if number in progress.rewritten
        ]
        return Look(name, _listed(lines), not is_over)

    def _plan_hint(self, draft: PlanDraft, *, adds: bool) -> str:
        if not draft.kept:
            return self._text("report_plan_empty")
        if adds:
            return self._text("report_plan_adding")
        if draft.is_held:
            return self._text("report_plan_held")
        return self._text("report_plan_countdown", seconds=round(draft.seconds_left))

    def _query(self, one: SearchStep, progress: Progress) -> str:
        query = escaped(one_line(one.query, QUERY_SHOWN))
        if one.took_ms is None:
            is_over = progress.ended is not None
            name = "search_stopped" if is_over else "searching"
            return self._text(name, query=query)
        took = _seconds(one.took_ms)
        if one.error is not None:
            reason = self._reason(one.error)
            return self._text("report_query_failed", query=query, reason=reason) + took
        line = self._text(
            "found" if one.found else "found_nothing",
            query=query,
            count=one.found,
            provider=shown(engine_title(one.provider, self._language)),
            seconds=took,
        )
        notes = [
            problem_note(error, one.provider, self._settings, self._language)
            for error in one.problems
        ]
        cached = self._text("from_cache") if one.cached else ""
        return _joined(line, cached, *notes)

    def _page(self, one: PageStep, *, is_over: bool) -> str:
        """A line that the page's style draws as in the steps of an answer."""
        title = escaped(one_line(one.title, TITLE_SHOWN)) or domain_of(one.url)
        url = safe_url(one.url)
        link = f'[{title}]({url} "↗ {self._text("open_source")}")' if url else title
        domain = domain_of(one.url).replace("`", "")
        return f"- {link} `{domain}` *{self._outcome(one, is_over=is_over)}*"

    def _outcome(self, one: PageStep, *, is_over: bool) -> str:
        if one.took_ms is None:
            return self._text("report_page_stopped" if is_over else "report_page_open")
        took = _seconds(one.took_ms)
        if one.error is not None:
            return _joined(short(one.error, self._language), took)
        return _joined(
            self._text("characters", count=f"{one.characters:,}"),
            self._text("report_double") if one.is_double else "",
            took,
        )

    def _section(self, question: str, done: SectionRewritten) -> str:
        refused = self._text("report_refused", count=done.refused)
        facts = _joined(
            self._text("report_passed", count=done.passed),
            refused if done.refused else "",
            _seconds(done.took_ms),
        )
        line = f"{shown(one_line(question, QUERY_SHOWN))} · {facts}"
        if done.problem is not None:
            line += " · " + model_failure(done.problem, self._language)
        return line

    def _rewritten(self, report: Report) -> str:
        count = sum(section.is_rewritten for section in report.sections)
        if not count:
            return self._text("report_only_quotes") if report.answered else ""
        return self._text("report_rewritten", count=count)

    def _reason(self, error: SearchError) -> str:
        engine = shown(engine_title(error.provider or "", self._language))
        reason = short(error, self._language)
        return f"{engine} {reason}".strip()

    def _text(self, name: str, **values: object) -> str:
        return text(name, self._language, **values)


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _seconds(took_ms: int) -> str:
    return f"{took_ms / 1000:.1f} s" if took_ms >= TOO_SHORT_TO_COUNT else "<0.1 s"
