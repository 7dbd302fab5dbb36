"""The state of search and model: short for the welcome screen, full for `/doctor`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import chainlit as cl

from agent import ModelCheck, ModelState, Resources, diagnosis_of, small_context
from ui.answer.search_errors import help_link, steps
from ui.steps import QUERY_SHOWN
from ui.texts import text
from untrusted.text import one_line, shown
from websearch import UNCONFIGURED, engine_title
from websearch.causes import Cause, label
from websearch.doctor import Diagnosis, Finding, ReadingCheck, State

STARTERS: Final = {  # each with the way of answering that it needs
    "news": "quick",
    "address": "quick",
    "compare": "agent",
    "survey": "report",
}
MOST_REJECTED: Final = 3

# No SearXNG was found; one that fails has its own advice.
_ABSENT: Final = {
    Cause.REFUSED,
    Cause.REFUSED_IN_CONTAINER,
    Cause.UNREACHABLE,
    Cause.DNS,
}
_KINDS: Final[Mapping[type, str]] = {ModelCheck: "model", ReadingCheck: "reading_pages"}
_GOOD: Final = {ModelState.READY, ModelState.OLLAMA}
_FINE: Final = {State.PASSED, State.SKIPPED}


def welcome(
    language: str,
    search: Diagnosis | None,
    resources: Resources,
    *,
    may_set_up: bool = False,
    report: str = "",
) -> cl.ChatProfile:
    """
    The welcome screen: a title, the state of search and model, four starters.

    Before them stands the question of a finished *report*, which this browser can open.
    """
    state = summary(language, search, resources, may_set_up=may_set_up)
    starters = [
        cl.Starter(
            label=text(f"starter_{name}", language),
            message=text(f"question_{name}", language),
            command=how,
            icon=f"/public/{how}.svg",
        )
        for name, how in STARTERS.items()
    ]
    if report:
        question = one_line(report, QUERY_SHOWN)
        label = text("report_ready", language, question=question)
        opening = cl.Starter(label, "/report", icon="/public/report.svg")
        starters.insert(0, opening)
    return cl.ChatProfile(
        name="websearch-chat",
        markdown_description=text("welcome", language, state=state),
        icon="/public/logo.svg",
        starters=starters,
    )


def summary(
    language: str,
    search: Diagnosis | None,
    resources: Resources,
    *,
    may_set_up: bool = False,
) -> str:
    """
    One line if all is well; else a line and a next step for each problem.

    For a visitor who *may_set_up* the step is the set-up page.
    """
    problem = partial(_problem, language, may_set_up=may_set_up)
    lines = [*_search(language, search, problem)]
    state = diagnosis_of(resources.models).main
    if state.cause not in _GOOD:
        lines.append(problem(state, "model"))
    if search is not None and not lines:
        names = search.backend.split(", ")
        # Without settings only the first engine was chosen; the others stand in.
        used = names[:1] if search.backend == UNCONFIGURED.title else names
        lines = [shown(", ".join(engine_title(name, language) for name in used))]
        # Where there are many the visitor may have chosen another than the first.
        if len(resources.models.names) == 1:
            lines[0] += f" · {shown(resources.models.default.name)}"
        if may_set_up:
            lines[0] += f" · {text('set_up', language)}"
    if small := small_context(resources.models):
        lines.append(_problem(language, small))
    rejected = [
        *resources.settings.rejected,
        *resources.agents.rejected,
        *resources.models.rejected,
    ]
    for one in rejected[:MOST_REJECTED]:
        place, expected = shown(one.place), shown(one.expected)
        lines.append(text("state_rejected", language, place=place, expected=expected))
    if (more := len(rejected) - MOST_REJECTED) > 0:
        lines.append(text("state_more_rejected", language, count=more))
    return "\n\n".join(lines)


def full_report(language: str, diagnoses: Sequence[Diagnosis]) -> str:
    """A line for each part that is well; of others every check and finding."""
    parts: list[str] = []
    for diagnosis in diagnoses:
        advised = [one.advice(language, shown) for one in diagnosis.findings]
        explained = [
            f"{text('state_title', language, title=one.title)} {one.cause}"
            for one in advised
        ]
        is_passed = all(one.state in _FINE for one in diagnosis.checks)
        if is_passed and not any(advice.cure for advice in advised):
            parts += [f"{State.PASSED.sign} {words}" for words in explained]
            continue
        first = diagnosis.checks[0].question if diagnosis.checks else None
        kind = _KINDS.get(type(first), "search")
        place = f" · `{diagnosis.address}`" if diagnosis.address else ""
        parts.append(f"#### {text(kind, language)}{place}")
        checks: list[str] = []
        for check in diagnosis.checks:
            question = label(check.question, language)
            state = label(check.state, language)
            note = f" · {shown(check.note)}" if check.note else ""
            line = text("check", language, question=question, state=state)
            checks.append(f"- {check.state.sign} {line}{note}")
        parts.append("\n".join(checks))
        for advice, words in zip(advised, explained, strict=True):
            parts.append(words)
            if advice.cure:
                parts.append(steps(advice))
            if advice.command:
                parts.append(f"```sh\n{advice.command}\n```")
            if advice.cure:
                parts.append(help_link(advice, language))
    return "\n\n".join(parts)


def _search(
    language: str, search: Diagnosis | None, problem: Callable[..., str]
) -> Iterator[str]:
    if search is None:
        yield text("state_checking", language)
        return
    first, *others = search.parts or [search]
    finding = first.main
    if first.is_usable:
        if finding.cause is Cause.SAMPLES:
            yield problem(finding, "search")
        return
    serving = next((part for part in others if part.is_usable), None)
    if search.backend == UNCONFIGURED.title and finding.cause in _ABSENT:
        finding = Finding(Cause.SEARCH_UNSET, {"address": first.address})
    meanwhile = ""
    if serving is not None:
        name = "state_samples" if serving.backend == "stub" else "state_serving"
        used = shown(engine_title(serving.backend, language))
        meanwhile = text(name, language, used=used)
    yield problem(finding, "search", meanwhile)


def _problem(
    language: str,
    finding: Finding,
    place: str = "",
    meanwhile: str = "",
    *,
    may_set_up: bool = False,
) -> str:
    """
    Title and next step of a finding, and who serves *meanwhile*.

    The step is a *place* of the set-up page, or what to do by hand.
    """
    advice = finding.advice(language, shown)
    if finding.cause is ModelState.BUILT_IN:
        title = text("state_no_model", language)
    elif finding.cause is Cause.SEARCH_UNSET:
        title = text("state_no_search", language)
    else:
        title = text("state_title", language, title=advice.title)
    if may_set_up and place:
        words = [title, meanwhile, text(f"set_up_{place}", language)]
        return " ".join(filter(None, words))
    step = advice.cure[0] if advice.cure else advice.cause
    gap = "\n\n" if "\n" in step else " "  # ends a code block
    link = help_link(advice, language, "how")
    told = " ".join(filter(None, [title, meanwhile, step]))
    return f"{told}{gap}{link}"
