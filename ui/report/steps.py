"""The steps of a report: budget, plan, searches, pages, writing."""

from collections.abc import Iterable, Iterator
from typing import Final

from agent.events import SearchFailed, SearchFinished
from agent.research import Ended, PlanDraft, Progress, Report, ReportRun, span_ms
from ui.answer.search_errors import failure, problem_note
from ui.steps import (
    QUERY_SHOWN,
    StepView,
    counted,
    joined,
    pages_line,
    search_line,
    seconds,
)
from ui.texts import text
from untrusted.text import escaped, one_line, shown
from untrusted.urls import domain_of
from websearch import engine_title
from websearch.causes import short
from websearch.config import Settings

TITLE_SHOWN: Final = 90


class ReportSteps:
    """Write the steps of a report in the language of the page."""

    def __init__(self, settings: Settings, language: str) -> None:
        self._settings = settings
        self._language = language

    def views(self, run: ReportRun, *, adds: bool) -> Iterator[tuple[str, StepView]]:
        """Each step that has begun; *adds*: the user is adding lines to the plan."""
        progress, report = run.progress, run.report
        yield "budget", self._budget(progress, report)
        yield "plan", self._plan(progress, run.draft, adds=adds)
        if progress.searches:
            yield "search", self._searches(progress, report)
        if progress.pages:
            yield "reading", self._pages(progress)
        if progress.gathered:
            is_cut = run.is_stopped and progress.ended is not Ended.STOPPED
            yield "writing", self._writing(progress, report, is_cut=is_cut)

    def _budget(self, progress: Progress, report: Report) -> StepView:
        """What may be spent; once pages are searched, what is spent of it."""
        budget, ends = report.budget, [end for _, end in progress.pages.values() if end]
        name, searches, pages = "report_most", budget.searches, budget.pages
        seconds = float(budget.seconds)
        if progress.plan is not None:
            name, searches = "report_spent", report.spent.searches
            pages = sum(end.error is None for end in ends)
            seconds = report.spent.seconds
        title = self._text(
            name, searches=searches, pages=pages, seconds=f"{seconds:.0f}"
        )
        return StepView(title, self._text("report_budget", **report.spending))

    def _plan(
        self, progress: Progress, draft: PlanDraft | None, *, adds: bool
    ) -> StepView:
        """The plan: being written, open for changes, or decided."""
        if progress.plan is not None:
            plan = progress.plan.plan
            title = joined(
                counted("report_planned", len(plan.lines), self._language),
                self._text(f"report_plan_{plan.origin}"),
                seconds(progress.plan.took_ms),
            )
            lines = enumerate((shown(line.text) for line in plan.lines), start=1)
            return StepView(title, "\n".join(f"{n}. {line}" for n, line in lines))
        if progress.finished is not None:
            return StepView(self._text("report_plan_stopped"))
        if draft is None:
            return StepView(self._text("report_planning"), is_running=True)
        if not draft.kept:
            hint = "report_plan_empty"
        elif adds:
            hint = "report_plan_adding"
        else:
            hint = "report_plan_held" if draft.is_held else "report_plan_countdown"
        return StepView(
            counted("report_planned", len(draft.kept), self._language),
            self._text(hint, seconds=round(draft.seconds_left)),
            is_running=True,
            is_open=True,
        )

    def _searches(self, progress: Progress, report: Report) -> StepView:
        """All searches, with a line for each."""
        searches, total = progress.searches.values(), report.spent.searches
        done = [end for _, end in searches if end is not None]
        found = [end for end in done if isinstance(end, SearchFinished)]
        failed = len(done) - len(found)
        is_over, lines = progress.ended is not None, []
        for started, end in searches:
            query = escaped(one_line(started.query, QUERY_SHOWN))
            if end is None:
                name = "search_stopped" if is_over else "searching"
                line = f"“{query}” {self._text(name)}"
            elif isinstance(end, SearchFailed):
                engine = shown(engine_title(end.error.provider or "", self._language))
                reason = f"{engine} {short(end.error, self._language)}".strip()
                line = self._text("report_query_failed", query=query, reason=reason)
                line += seconds(end.took_ms)
            else:
                line = search_line(
                    len(end.sources),
                    shown(engine_title(end.provider, self._language)),
                    end.took_ms,
                    self._language,
                    is_cached=end.cached,
                )
                line = f"“{query}” {line}"
                notes = (
                    problem_note(one, end.provider, self._settings, self._language)
                    for one in end.problems
                )
                line = joined(line, *notes)
            lines.append(line)
        body = _listed(lines)
        if not is_over and len(done) < total:
            title = self._text("report_searching", done=len(done), count=total)
            return StepView(title, body, is_running=True)
        title = joined(
            self._text(
                "report_searched",
                count=len(done),
                found=sum(search.new or 0 for search in found),
            ),
            self._text("report_failed", count=failed) if failed else "",
            seconds(span_ms(searches)),
        )
        return StepView(title, body, is_error=bool(done) and failed == len(done))

    def _pages(self, progress: Progress) -> StepView:
        """All pages, with a line for each."""
        pages, is_over = progress.pages.values(), progress.ended is not None
        done = [outcome for _, outcome in pages if outcome is not None]
        unread = sum(outcome.error is not None for outcome in done)
        lines = []
        for started, outcome in pages:  # drawn by the style as in an answer's steps
            (source,) = started.sources
            url, domain = source.href, domain_of(source.url)
            title = escaped(one_line(source.title, TITLE_SHOWN)) or domain
            link = f'[{title}]({url} "↗ {self._text("open_source")}")' if url else title
            if outcome is None:
                name = "report_page_stopped" if is_over else "report_page_open"
                words = self._text(name)
            elif (error := outcome.error) is not None:
                reason = short(error, self._language)
                words = joined(reason, seconds(outcome.took_ms))
            else:
                words = joined(
                    self._text("characters", count=f"{outcome.characters:,}"),
                    self._text("report_double") if outcome.is_double else "",
                    seconds(outcome.took_ms),
                )
            lines.append(f"- {link} `{domain.replace('`', '')}` *{words}*")
        body = "\n".join(lines)
        if not is_over:
            title = self._text("report_reading", done=len(done), count=len(pages))
            return StepView(title, body, is_running=True)
        counts = pages_line(len(done) - unread, unread, self._language)
        title, read = joined(counts, seconds(span_ms(pages))), len(done) - unread
        return StepView(title, body, is_error=bool(unread) and not read)

    def _writing(self, progress: Progress, report: Report, *, is_cut: bool) -> StepView:
        """The sections, and what the model did with each."""
        lines = []
        for number, section in enumerate(report.sections):
            if (done := progress.rewritten.get(number)) is None:
                continue
            refused, problem = done.refused, done.problem
            line = joined(
                shown(one_line(section.question, QUERY_SHOWN)),
                self._text("report_passed", count=done.passed),
                self._text("report_refused", count=refused) if refused else "",
                seconds(done.took_ms),
                failure(problem, self._language) if problem else "",
            )
            lines.append(line)
        body = _listed(lines)
        if progress.finished is None:
            title = self._text("report_quoting")
            if progress.rewriting is not None:
                number, count = progress.rewriting.number + 1, len(report.sections)
                title = self._text("report_rewriting", number=number, count=count)
            return StepView(title, body, is_running=True)
        rewritten = sum(section.is_rewritten for section in report.sections)
        how = "report_only_quotes" if report.answered else ""
        how = "report_rewritten" if rewritten else how
        written = "report_written" if report.answered else "report_unwritten"
        title = joined(
            self._text(written, count=len(report.answered)),
            self._text(how, count=rewritten) if how else "",
            self._text("report_rewriting_stopped") if is_cut else "",
            seconds(progress.writing_ms),
        )
        return StepView(title, body)

    def _text(self, name: str, **values: object) -> str:
        return text(name, self._language, **values)


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
