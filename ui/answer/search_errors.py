"""A failed search in the user's words: cause, next steps, where to read on."""

from dataclasses import dataclass

from ui.texts import reason_text, text
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
)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is said of a failed search: in its step, and at the head of an answer."""

    title: str
    details: str
    cause: str
    first_step: str

    def notice(self, consequence: str) -> str:
        """What went wrong, what that means for the answer, what to do."""
        return f"**{self.title}** {self.cause} {consequence} {self.first_step}"


def trouble_of(error: SearchError, settings: Settings, language: str) -> Trouble:
    """Cause and next steps of a failed search."""
    address = settings.searxng_base_url
    facts = facts_of(address, settings.timeout) | facts_of_error(error)
    advice = advise(problem_of(error), facts, language, shown)
    first = next((step for step in advice.cure if "\n" not in step), "")
    return Trouble(
        advice.title,
        _details(advice, language),
        advice.cause,
        f"{first} {help_link(advice, language)}",
    )


def problem_note(
    error: SearchError, provider: str, settings: Settings, language: str
) -> str:
    """What failed beside or before *provider*, which answered."""
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
    """The engines that gave nothing, beside others that did."""
    engines = shown(facts_of_error(error)["engines"])
    if error.provider and not error.engines:
        reason = reason_text(error.code, error.detail_code, language)
        engines = f"{_title(error, error.provider, language)} {reason}"
    return text("engines_failed", language, engines=engines)


def help_link(advice: Advice, language: str) -> str:
    """Where the whole of an advice can be read."""
    page = advice.link.removeprefix("docs/").replace(".md", "")
    return f'[{text("more", language)}](/help/{page} "⚠ {page}")'


def _title(error: SearchError, otherwise: str, language: str) -> str:
    return shown(engine_title(error.provider or otherwise, language))


def _details(advice: Advice, language: str) -> str:
    steps = [
        f"{number}. {step}".replace("\n", "\n   ")
        for number, step in enumerate(advice.cure, start=1)
    ]
    cause = f"**{text('cause', language)}** {advice.cause}"
    heading = f"**{text('next_steps', language)}**"
    return "\n\n".join([cause, heading, "\n".join(steps), help_link(advice, language)])
