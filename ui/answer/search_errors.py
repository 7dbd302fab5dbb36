"""Explain a failure to the user: cause, next steps, link to documentation."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from agent import ModelProblem
from ui.texts import text
from untrusted.text import shown
from websearch import SearchError, advice_for, chosen, engine_title, facts_of_error
from websearch.causes import Advice, AnyCause, advise, short
from websearch.config import Settings

# What the address, the key or the name of the model is the cause of.
_TO_SET_UP: Final = frozenset(
    {
        ModelProblem.WRONG_KEY,
        ModelProblem.NO_QUOTA,
        ModelProblem.UNREACHABLE,
        ModelProblem.UNKNOWN_MODEL,
        ModelProblem.REFUSED,
    }
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
    advice = advice_for(error, settings, language, shown)
    first = next((step for step in advice.cure if "\n" not in step), "")
    link = help_link(advice, language)
    cause = f"**{text('cause', language)}** {advice.cause}"
    heading = f"**{text('next_steps', language)}**"
    details = "\n\n".join([cause, heading, steps(advice), link])
    return Explanation(advice.title, details, advice.cause, f"{first} {link}")


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
        reason=short(error, language),
        used=shown(engine_title(provider, language)),
    )


def failed_engines(error: SearchError, language: str) -> str:
    """Name the engines without results, where others had some."""
    engines = shown(facts_of_error(error)["engines"])
    if error.provider and not error.engines:
        reason = short(error, language)
        engines = f"{_title(error, error.provider, language)} {reason}"
    return text("engines_failed", language, engines=engines)


def failure(problem: AnyCause, language: str) -> str:
    """Name what failed, and the next step."""
    advice = advise(problem, {}, language)
    return f"**{advice.title}** {advice.cure[0]}"


def model_failure(problem: ModelProblem, language: str, address: str = "") -> str:
    """Name a failure of the model at *address*: cause, next step, link."""
    advice = advise(problem, {"address": urlsplit(address).netloc or "…"}, language)
    if problem in _TO_SET_UP:
        link = f'[{text("set_up_again", language)}](/setup "⚠ setup")'
    else:
        page = "models" if language == "en-US" else "models.zh-CN"
        link = f'[{text("about_models", language)}](/help/{page} "⚠ models")'
    parts = (f"**{advice.title}**", advice.cause, advice.cure[0], link)
    return " ".join(filter(None, parts))


def steps(advice: Advice) -> str:
    """The numbered steps of an advice."""
    return "\n".join(
        f"{number}. {step}".replace("\n", "\n   ")
        for number, step in enumerate(advice.cure, start=1)
    )


def help_link(advice: Advice, language: str, words: str = "more") -> str:
    """A link to the documentation of an advice, in the *words* of that name."""
    page = advice.link.removeprefix("docs/").replace(".md", "")
    return f'[{text(words, language)}](/help/{page} "⚠ {page}")'


def _title(error: SearchError, otherwise: str, language: str) -> str:
    return shown(engine_title(error.provider or otherwise, language))
