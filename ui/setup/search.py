"""The form of search: which engine, at what address, with what key."""

import asyncio
from collections.abc import Mapping
from typing import Final

from pydantic import SecretStr

from agent import Resources
from ui.setup.form import (
    MistakeError,
    Reply,
    advice_note,
    option,
    typed,
    typed_address,
    typed_key,
)
from ui.texts import setup_words
from websearch import UNCONFIGURED, engine_title
from websearch.config import Settings
from websearch.doctor import adiagnose

AUTO: Final = "auto"
KEEP: Final = "keep"  # what the settings say, and this page does not offer
SEARXNG: Final = "searxng"
KEYED: Final = ("bocha", "brave")
ENGINES: Final = (SEARXNG, *KEYED, "ddg_html", "baidu_html")


def search_options(settings: Settings, language: str) -> str:
    """The engines to choose from, and what is set now where that is none of them."""
    words = setup_words(language)
    chosen = settings.backend or (SEARXNG if settings.names_searxng else AUTO)
    if chosen not in {AUTO, *ENGINES} or settings.fallback:
        chosen = KEEP
    options = [option("engine", AUTO, words["auto"], is_chosen=chosen == AUTO)]
    for name in ENGINES:
        data = {"address": str(settings.searxng_base_url)} if name == SEARXNG else {}
        if name in KEYED:
            is_set = getattr(settings, f"{name}_api_key") is not None
            data = {"needs": "key", "key": "set" if is_set else ""}
        title = words.get(name) or engine_title(name, language)
        options.append(option("engine", name, title, is_chosen=chosen == name, **data))
    if chosen == KEEP:
        title = words["keep"].format(engines=_title(settings, language))
        options.append(option("engine", KEEP, title, is_chosen=True))
    return "".join(options)


async def try_search(
    sent: Mapping[str, str], resources: Resources, language: str
) -> Reply:
    """Search with the engine of the form once, and tell what the doctor finds."""
    settings, engine = resources.settings, sent.get("engine")
    changes = dict[str, object]()
    if engine == SEARXNG:
        known = settings.searxng_base_url
        changes["searxng_base_url"] = address = typed_address(sent, known)
        if address.url != known.url:  # the key is of the other server
            changes["searxng_api_key"] = None
    elif engine in KEYED:
        changes[f"{engine}_api_key"] = _key_of(engine, sent, settings)
    wanted = settings.model_copy(update=changes)
    names: tuple[str | None, ...] = (engine,)
    if engine == KEEP:
        names = (None,)
    elif engine == AUTO:
        names = UNCONFIGURED.names[:2]  # after them come samples
    elif engine not in ENGINES:
        raise MistakeError("malformed")
    found = await asyncio.gather(*(adiagnose(wanted, backend=one) for one in names))
    notes = [
        advice_note(one.main, language, is_good=one.is_usable)
        for one in found
        if one.is_usable or not any(other.is_usable for other in found)
    ]
    return Reply(notes, is_good=any(one.is_usable for one in found))


def search_lines(sent: Mapping[str, str], settings: Settings) -> dict[str, str]:
    """The lines of .env for the form; raises MistakeError."""
    match sent.get("engine"):
        case "keep":
            return {}
        case "auto":
            return {"WEB_SEARCH_BACKEND": "", "SEARXNG_BASE_URL": ""}
        case "searxng":
            known = settings.searxng_base_url
            address = typed_address(sent, known)
            lines = {"WEB_SEARCH_BACKEND": SEARXNG}
            if address != known or not settings.names_searxng:
                is_typed = address is not known and address.has_credentials
                url = typed(sent, "address") if is_typed else address.url
                lines["SEARXNG_BASE_URL"] = url
            if address.url != known.url and settings.searxng_api_key:
                lines["SEARXNG_API_KEY"] = ""
            return lines
        case "bocha" | "brave" as engine:
            key = _key_of(engine, sent, settings)
            lines = {"WEB_SEARCH_BACKEND": engine}
            if key != getattr(settings, f"{engine}_api_key"):
                lines[f"{engine.upper()}_API_KEY"] = key.get_secret_value()
            return lines
        case str(engine) if engine in ENGINES:
            return {"WEB_SEARCH_BACKEND": engine}
        case _:
            raise MistakeError("malformed")


def _key_of(engine: str, sent: Mapping[str, str], settings: Settings) -> SecretStr:
    known: SecretStr | None = getattr(settings, f"{engine}_api_key")
    key = typed_key(sent) or known
    if key is None:
        raise MistakeError("no_key")
    return key


def _title(settings: Settings, language: str) -> str:
    names = [settings.backend or SEARXNG, *(settings.fallback or "").split(",")]
    return ", ".join(engine_title(one.strip(), language) for one in names if one)
