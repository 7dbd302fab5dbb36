"""The state of search and model: short for the welcome screen, full for `/doctor`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import chainlit as cl

from agent import ModelCheck, ModelState, Resources, diagnosis_of, small_context
from ui.answer.search_errors import help_link, steps
from ui.texts import text
from untrusted.text import shown
from websearch import UNCONFIGURED, engine_title
from websearch.causes import Cause, label
from websearch.doctor import Diagnosis, Finding, ReadingCheck, State

STARTERS: Final = ("news", "weather", "compare", "howto")
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
    language: str, search: Diagnosis | None, resources: Resources
) -> cl.ChatProfile:
    """The welcome screen: a title, the state of search and model, four starters."""
    state = summary(language, search, resources)
    return cl.ChatProfile(
        name="websearch-chat",
        markdown_description=text("welcome", language, state=state),
        icon="/public/logo.svg",
        starters=[
            cl.Starter(label=question, message=question)
            for question in (text(f"starter_{name}", language) for name in STARTERS)
        ],
    )


def summary(language: str, search: Diagnosis | None, resources: Resources) -> str:
    """One line if all is well; else a line and a next step for each problem."""
    lines = [*_search(language, search)]
    state = diagnosis_of(resources.models).main
    if state.cause not in _GOOD:
        lines.append(_problem(language, "state_model", state))
    if search is not None and not lines:
        model = shown(resources.models.default.name)
        names = search.backend.split(", ")
        # Without settings only the first engine was chosen; the others stand in.
        used = names[:1] if search.backend == UNCONFIGURED.title else names
        provider = shown(", ".join(engine_title(name, language) for name in used))
        lines = [text("state_ready", language, provider=provider, model=model)]
    if small := small_context(resources.models):
        lines.append(_problem(language, "state_model", small))
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
        is_passed = all(one.state in _FINE for one in diagnosis.checks)
        if is_passed and not any(advice.cure for advice in advised):
            parts += [
                f"{State.PASSED.sign} **{advice.title}** {advice.cause}"
                for advice in advised
            ]
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
        for advice in advised:
            parts.append(f"**{advice.title}** {advice.cause}")
            if advice.cure:
                parts.append(steps(advice))
            if advice.command:
                parts.append(f"```sh\n{advice.command}\n```")
            if advice.cure:
                parts.append(help_link(advice, language))
    return "\n\n".join(parts)


def _search(language: str, search: Diagnosis | None) -> Iterator[str]:
    if search is None:
        yield text("state_checking", language)
        return
    first, *others = search.parts or [search]
    finding = first.main
    if first.is_usable:
        if finding.cause is Cause.SAMPLES:
            yield _problem(language, "state_search", finding)
        return
    serving = next((part for part in others if part.is_usable), None)
    if search.backend == UNCONFIGURED.title and finding.cause in _ABSENT:
        finding = Finding(Cause.SEARCH_UNSET, {"address": first.address})
    yield _problem(language, "state_search", finding)
    if serving is not None:
        used = shown(engine_title(serving.backend, language))
        yield text("state_serving", language, used=used)


def _problem(language: str, name: str, finding: Finding) -> str:
    """Title and first step of a finding, with a link to its documentation."""
    advice = finding.advice(language, shown)
    step = advice.cure[0] if advice.cure else advice.cause
    words = text(name, language, title=advice.title, step=step)
    gap = "\n\n" if "\n" in step else " "  # ends a code block
    return f"{words}{gap}{help_link(advice, language)}"
