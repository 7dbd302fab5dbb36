"""`/setup`: key, address, model and search, tested, kept in .env, used at once."""

import json
import logging
import secrets
from collections.abc import Collection, Mapping
from html import escape
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from agent import ModelSettings, diagnosis_of
from ui.server.access import is_at_machine, is_from_own_page
from ui.server.page import THEME_COOKIE
from ui.setup.form import MistakeError, Reply, advice_note, note, overriding
from ui.setup.model import model_lines, model_options, try_model
from ui.setup.search import search_lines, search_options, try_search
from ui.start.lifecycle import Lifecycle
from ui.texts import page_language, requested_tag, setup_words
from untrusted.text import shown
from websearch import UNCONFIGURED, chosen, engine_title
from websearch.config import (
    ENV_FILE,
    NotWrittenError,
    change_env_file,
    in_environment,
)

PATH: Final = "/setup"
MOST_BYTES: Final = 8_000
_FRAME: Final = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
_SHUT: Final = Path(__file__).with_name("shut.html").read_text(encoding="utf-8")
# The address in a browser's history tells nothing, and no copy of the page is kept.
_NOT_KEPT: Final = {"cache-control": "no-store"}
_MODEL: Final = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL")
_SEARCH: Final = (
    *("WEB_SEARCH_BACKEND", "SEARXNG_BASE_URL"),
    *("BOCHA_API_KEY", "BRAVE_API_KEY"),
)

logger = logging.getLogger(__name__)


class SetupPage:
    """
    The page and its requests, for a browser on this machine alone.

    A press brings the token of the page: another site can't read it, and so press
    nothing. Where the app serves others too, *is_shut* keeps it shut.
    """

    def __init__(self, lifecycle: Lifecycle, *, language: str, is_shut: bool) -> None:
        self._lifecycle = lifecycle
        self._language = language
        self._is_shut = is_shut
        self._token = secrets.token_urlsafe(32)
        self.routes = (
            Route(PATH, self.show),
            Route(PATH, self.take, methods=["POST"]),
        )

    def admits(self, scope: Scope | None) -> bool:
        """Tell if this visitor may set the app up."""
        return not self._is_shut and is_at_machine(scope)

    async def show(self, request: Request) -> Response:
        """The page; where it is shut, the way to do it by hand."""
        language = self._language_of(request)
        words = {name: escape(line) for name, line in setup_words(language).items()}
        page = "quickstart.zh-CN" if language == "zh-CN" else "quickstart"
        theme = request.cookies.get(THEME_COOKIE, "")
        words |= {"language": language, "quickstart": page, "theme": escape(theme)}
        if not self.admits(request.scope):
            return HTMLResponse(_SHUT.format_map(words), 403, headers=_NOT_KEPT)
        settings = self._lifecycle.resources.settings
        model = ModelSettings.load()
        html = _FRAME.format_map(
            {
                **words,
                "token": self._token,
                "model_now": escape(self._model_now(language)),
                "search_now": escape(self._search_now(language)),
                "providers": await model_options(model, language),
                "engines": search_options(settings, language),
                "model_found": self._fault(language, of_model=True),
                "search_found": self._fault(language, of_model=False),
                "model_overrides": self._stronger(_MODEL, language),
                "search_overrides": self._stronger(_SEARCH, language),
                "file": escape(str(ENV_FILE.absolute())),
            }
        )
        return HTMLResponse(html, headers=_NOT_KEPT)

    async def take(self, request: Request) -> Response:
        """Answer a press: test what the form says, or save it."""
        language = self._language_of(request)
        words = setup_words(language)
        if not (self.admits(request.scope) and is_from_own_page(request.scope)):
            return _reply(Reply([note("bad", words["shut"])]), 403)
        token = request.headers.get("x-setup-token", "")
        if not secrets.compare_digest(token.encode(), self._token.encode()):
            return _reply(Reply([note("bad", words["old_page"])]), 403)
        body = await request.body()
        if len(body) > MOST_BYTES:
            return _reply(Reply([note("bad", words["malformed"])]), 413)
        try:
            sent = _fields(body)
            reply = await self._done(sent, language)
        except MistakeError as mistake:
            return _reply(Reply([note("bad", words[str(mistake)])]), 400)
        return _reply(reply)

    async def _done(self, sent: Mapping[str, str], language: str) -> Reply:
        resources = self._lifecycle.resources
        match sent.get("part"), sent.get("do"):
            case "model", "test":
                return await try_model(sent, ModelSettings.load(), language)
            case "model", "save":
                lines = model_lines(sent, ModelSettings.load())
                return await self._save(lines, language, of_model=True)
            case "search", "test":
                return await try_search(sent, resources, language)
            case "search", "save":
                lines = search_lines(sent, resources.settings)
                return await self._save(lines, language, of_model=False)
            case _:
                raise MistakeError("malformed")

    async def _save(
        self, lines: Mapping[str, str], language: str, *, of_model: bool
    ) -> Reply:
        """Write the lines, use them, and say how it stands now."""
        words = setup_words(language)
        if any(name.endswith("_KEY") and in_environment(name) for name in lines):
            # It would win over the typed one, and be sent to the typed address.
            raise MistakeError("key_in_environment")
        try:
            change_env_file(lines)
        except NotWrittenError as error:
            logger.warning("The settings could not be written: %s", error)
            own = "\n".join(
                f"{name}={'…' if name.endswith('_KEY') else value}"
                for name, value in lines.items()
            )
            told = words["not_written"].format(file=f"`{ENV_FILE.absolute()}`")
            return Reply([note("bad", f"{told}\n\n```\n{own}\n```")])
        logger.info("Set up on the page: %s", ", ".join(lines))
        await self._lifecycle.reload()
        now = (self._model_now if of_model else self._search_now)(language)
        notes = [note("good", words["saved"].format(now=f"**{shown(now)}**"))]
        notes.append(self._fault(language, of_model=of_model))
        notes.append(self._stronger(lines, language))
        return Reply(notes, now=now, is_good=True)

    def _fault(self, language: str, *, of_model: bool) -> str:
        """What is wrong with the model or with search, as a note; else nothing."""
        found = self._lifecycle.diagnosis
        if of_model:
            found = diagnosis_of(self._lifecycle.resources.models)
        if found is None or found.backend == UNCONFIGURED.title:
            return ""
        first, *_ = found.parts or [found]  # others may stand in for it
        return "" if first.is_usable else advice_note(first.main, language)

    def _stronger(self, names: Collection[str], language: str) -> str:
        """Notes about what wins over .env: the environment, and config.json."""
        settings = self._lifecycle.resources.settings
        in_file = ", ".join(
            f"`{field.alias}`"
            for name, field in type(settings).model_fields.items()
            if field.alias in names and settings.is_from_file(name)
        )
        told = setup_words(language)["file_wins"].format(names=in_file)
        notes = [overriding([*names], language), note("info", told) if in_file else ""]
        return "".join(notes)

    def _model_now(self, language: str) -> str:
        models = self._lifecycle.resources.models
        if models.is_built_in:
            return setup_words(language)["no_model_yet"]
        return f"{models.default.name} · {models.settings.base_url.host}"

    def _search_now(self, language: str) -> str:
        names = chosen(self._lifecycle.resources.settings).names
        found = self._lifecycle.diagnosis
        if names == UNCONFIGURED.names and found:  # the first that can answers
            names = (next(p.backend for p in found.parts if p.is_usable),)
        return ", ".join(engine_title(name, language) for name in names)

    def _language_of(self, request: Request) -> str:
        return page_language(self._language, requested_tag(request.headers))


def _fields(body: bytes) -> dict[str, str]:
    """The fields of a form, each a text; raises MistakeError."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise MistakeError("malformed") from None
    if not isinstance(sent, dict):
        raise MistakeError("malformed")
    return {name: value for name, value in sent.items() if isinstance(value, str)}


def _reply(reply: Reply, status: int = 200) -> JSONResponse:
    return JSONResponse(reply.as_dict(), status, headers=_NOT_KEPT)
