"""Explain a failed search to the user: cause, next steps, link to documentation."""

from dataclasses import dataclass

from ui.texts import text
from untrusted.text import shown
from websearch import SearchError, chosen
from websearch.config import Settings
from websearch.doctor import (
    Advice,
    advise,
    engine_title,
    facts_of,
    facts_of_error,
    problem_of,
    reason_text,
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A failed search, for its step (details) and for the head of the answer."""

    title: str
    details: str
    cause: str
    first_step: str

    def notice(self, consequence: str) -> str:
        """Write the cause, the *consequence* for the answer and the first step."""
        return f"**{self.title}** {self.cause} {consequence} {self.first_step}"


def explain_error(error: SearchError, settings: Settings, language: str) -> Explanation:
    """Cause and next steps of a failed search."""
    address = settings.searxng_base_url
    facts = facts_of(address, settings.timeout) | facts_of_error(error)
    advice = advise(problem_of(error), facts, language, shown)
    first = next((step for step in advice.cure if "\n" not in step), "")
    return Explanation(
        advice.title,
        _details(advice, language),
        advice.cause,
        f"{first} {help_link(advice, language)}",
    )


def problem_note(
    error: SearchError, provider: str, settings: Settings, language: str
) -> str:
    """Name an engine that failed, although *provider* answered."""
    if error.provider == provider or provider not in chosen(settings).fallback:
        return failed_engines(error, language)
    return text(
        "instead",
        language,
        engine=_title(error, provider, language),
        reason=reason_text(error.code, error.detail_code, language),
        used=shown(engine_title(provider, language)),
    )


def failed_engines(error: SearchError, language: str) -> str:
    """Name the engines without results, where others had some."""
    engines = shown(facts_of_error(error)["engines"])
    if error.provider and not error.engines:
        reason = reason_text(error.code, error.detail_code, language)
        engines = f"{_title(error, error.provider, language)} {reason}"
    return text("engines_failed", language, engines=engines)


def steps(advice: Advice) -> str:
    """The numbered steps of an advice."""
    return "\n".join(
        f"{number}. {step}".replace("\n", "\n   ")
        for number, step in enumerate(advice.cure, start=1)
    )


def help_link(advice: Advice, language: str) -> str:
    """A link to the documentation of an advice."""
    page = advice.link.removeprefix("docs/").replace(".md", "")
    return f'[{text("more", language)}](/help/{page} "⚠ {page}")'


def _title(error: SearchError, otherwise: str, language: str) -> str:
    return shown(engine_title(error.provider or otherwise, language))


def _details(advice: Advice, language: str) -> str:
    cause = f"**{text('cause', language)}** {advice.cause}"
    heading = f"**{text('next_steps', language)}**"
    return "\n\n".join([cause, heading, steps(advice), help_link(advice, language)])
