"""The advice for an error: the words of its cause with the facts of the case."""

from collections.abc import Callable

from websearch.causes import Advice, advise, cause_of, label
from websearch.config import BaseAddress, Settings
from websearch.engines import BACKENDS
from websearch.errors import SearchError


def advice_for(
    error: SearchError,
    settings: Settings,
    language: str,
    escape: Callable[[str], str] = str,
) -> Advice:
    """The advice for an error of a search through the engines of *settings*."""
    facts = facts_of(settings.searxng_base_url, settings.timeout)
    return advise(cause_of(error), facts | facts_of_error(error), language, escape)


def facts_of(address: BaseAddress, seconds: float) -> dict[str, object]:
    """The facts about a server and the time limit."""
    return {
        "address": address.url,
        "host": address.host,
        "port": address.port,
        "seconds": f"{seconds:g}",
        "wait": " 60 s",
    }


def facts_of_error(error: SearchError) -> dict[str, str]:
    """The facts of an error: the server's answer, the failed engines and reasons."""
    engines = (f"{engine} ({reason})" for engine, reason in error.engines)
    return {
        "engine": engine_title(error.provider) if error.provider else "–",
        **error.facts,
        "engines": ", ".join(engines) or "–",
    }


def engine_title(provider: str, language: str = "en-US") -> str:
    """The display name of an engine; `a+b` are two engines in parallel."""
    titles = {name: engine.title for name, engine in BACKENDS.items()}
    titles["stub"] = label("samples", language)
    return " + ".join(titles.get(name, name) for name in provider.split("+"))
