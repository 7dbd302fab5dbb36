"""The list of models: fetched, chosen from, and reported."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from support.model.model_server import ModelServer, model_server, says
from support.servers.loopback import Answer as Reply
from support.servers.loopback import served
from support.servers.ports import free_port
from support.world import world

from agent import Session
from agent.causes import ModelState
from agent.events import Answer
from agent.models import catalog
from agent.models.catalog import Models, ServerModels, fetch_models
from agent.models.doctor import diagnosis_of
from agent.models.settings import ModelSettings


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as started:
        yield started


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes longer than a user waits for a list."""
    monkeypatch.setattr(catalog, "FETCH_SECONDS", 30.0)


def nowhere() -> str:
    return f"http://127.0.0.1:{free_port()}"


def settings(**named: str) -> ModelSettings:
    return ModelSettings(**({"OLLAMA_BASE_URL": nowhere()} | named))  # type: ignore[arg-type]  # it reads text


async def refreshed(**named: str) -> Models:
    models = Models(settings(**named))
    await models.refresh()
    return models


OLLAMA = {"OLLAMA_BASE_URL": "{ollama}"}
SERVER = {"OPENAI_BASE_URL": "{openai}"}
NOWHERE = "http://127.0.0.1:1/v1"
USUAL = "gpt-4o-mini"
STATES: dict[str, tuple[Any, dict[str, str], ModelState, tuple[str, ...]]] = {
    # what the server lists, what is set beside it, the state, the names by rank
    "ollama": (["a", "nomic-embed-text", "b"], OLLAMA, ModelState.OLLAMA, ("a", "b")),
    "ollama, named": (
        ["a", "b:latest"],
        OLLAMA | {"OPENAI_MODEL": "b"},
        ModelState.OLLAMA,
        ("b:latest", "a"),
    ),
    "ollama, gone": (
        ["a"],
        OLLAMA | {"OPENAI_MODEL": "gone"},
        ModelState.OLLAMA_OTHER,
        ("a",),
    ),
    "ollama, no chat": (["bge-m3"], OLLAMA, ModelState.OLLAMA_EMPTY, ()),
    "ollama, empty": ([], OLLAMA, ModelState.OLLAMA_EMPTY, ()),
    "nothing": ([], {}, ModelState.BUILT_IN, ()),
    "server": (
        ["c", "mine", "b"],
        SERVER | {"OPENAI_MODEL": "mine"},
        ModelState.READY,
        ("mine", "b", "c"),
    ),
    "server, no list": (None, SERVER, ModelState.READY, (USUAL,)),
    "server, empty": ([], SERVER, ModelState.READY, (USUAL,)),
    "server, usual": (["x", USUAL], SERVER, ModelState.READY, (USUAL, "x")),
    "server, unnamed": (["x", "a"], SERVER, ModelState.READY, ("x", "a")),
    "server, others": (
        ["x"],
        SERVER | {"OPENAI_MODEL": "gone"},
        ModelState.UNKNOWN,
        ("gone", "x"),
    ),
    "llama.cpp": (
        [{"id": "/m/x.gguf", "owned_by": "llamacpp"}],
        SERVER | {"OPENAI_MODEL": "any"},
        ModelState.READY,
        ("any", "/m/x.gguf"),
    ),
    "no server": (
        [],
        {"OPENAI_BASE_URL": NOWHERE},
        ModelState.UNREACHABLE,
        (USUAL,),
    ),
}


@pytest.mark.spec("M1", "M2")
@pytest.mark.parametrize("case", STATES)
async def test_states(server: ModelServer, case: str) -> None:
    """The state of the models, and their names; the first answers, and without one
    what is built in."""
    server.names, named, state, expected = STATES[case]
    urls = {"openai": server.base_url, "ollama": server.base_url.removesuffix("/v1")}

    models = await refreshed(**{k: v.format(**urls) for k, v in named.items()})

    assert (models.state, models.names) == (state, expected)
    assert models.is_built_in is models.default.is_built_in is (not expected)
    assert models.get("gone") is models.default
    assert models.default.name == (expected[0] if expected else "")
    assert diagnosis_of(models).main.cause == state


@pytest.mark.spec("M2")
async def test_ollama_answers(server: ModelServer) -> None:
    """A question goes to the Ollama that was found, and to the model that is chosen."""
    server.names, server.brain = ["a", "b"], says("好")
    models = await refreshed(OLLAMA_BASE_URL=server.base_url.removesuffix("/v1"))
    async with world() as w:
        session = Session(replace(w.resources, models=models))
        session.choose(session.state.mode, search=False, model="b")
        events = [event async for event in session.ask("问")]
        await models.aclose()

    assert isinstance(events[-1], Answer)

    assert [request["model"] for request in server.requests] == ["b"]
    assert not w.model.requests


@pytest.mark.spec("M2")
async def test_ollama_is_not_asked_beside_a_server(server: ModelServer) -> None:
    """With a key or a server set, no Ollama is searched for."""
    with model_server() as ollama:
        ollama.names = ["x"]
        address = ollama.base_url.removesuffix("/v1")
        models = await refreshed(
            OPENAI_BASE_URL=server.base_url, OLLAMA_BASE_URL=address
        )

        assert not ollama.keys
    assert models.names == ("gpt-4o-mini",)


async def test_ollama_comes_later(server: ModelServer) -> None:
    """An Ollama that is started later is found by the next who opens the page."""
    now = [0.0]
    address = server.base_url.removesuffix("/v1")
    models = Models(settings(OLLAMA_BASE_URL=address), clock=lambda: now[0])
    await models.refresh()
    server.names = ["a"]

    await models.refresh()
    early = models.is_built_in
    now[0] += 5
    await models.refresh()

    assert early
    assert models.names == ("a",)


async def test_ollama_goes(server: ModelServer) -> None:
    """An Ollama that has gone is not said to work, and what is built in answers."""
    server.names = ["a"]
    models = await refreshed(OLLAMA_BASE_URL=server.base_url.removesuffix("/v1"))
    server.names = None

    await models.refresh(force=True)

    assert (models.state, models.names) == (ModelState.BUILT_IN, ())


async def test_rejected_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that can't be one is told as that, and not as unset alone."""
    monkeypatch.setenv("OPENAI_API_KEY", "请填写密钥")
    models = Models(ModelSettings.load())

    titles = [one.advice("en-US").title for one in diagnosis_of(models).findings]

    assert models.is_built_in
    assert titles[0] == "OPENAI_API_KEY is not usable"


@pytest.mark.spec("M2")
async def test_a_list_that_fails_once(server: ModelServer) -> None:
    """A model that was the first of a list stays, while its server is too busy to send
    another."""
    server.names = ["mine"]
    models = await refreshed(OPENAI_BASE_URL=server.base_url)
    server.names = None

    await models.refresh(force=True)

    assert models.default.name == "mine"


async def test_a_good_list_lasts(server: ModelServer) -> None:
    """A good list is fetched again only after some minutes."""
    server.names = ["a"]
    now = [0.0]
    named = {"OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "a"}
    models = Models(settings(**named), clock=lambda: now[0])

    for _ in range(6):
        await models.refresh()
        now[0] += 60

    assert len(server.keys) == 2


async def test_no_proxy_before_this_machine(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Answers of a server on this machine come past a proxy of the environment, with no
    warning in the log."""
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, nowhere())
    monkeypatch.setenv("NO_PROXY", "localhost")
    async with world(says("好")) as w:
        events = await w.ask("问")

    assert isinstance(events[-1], Answer)
    warned = {one.name for one in caplog.records if one.levelno >= logging.WARNING}
    assert not {name for name in warned if name.startswith("langchain")}


def at(url: str, **more: str) -> ModelSettings:
    return settings(OPENAI_BASE_URL=f"{url}/v1", **more)


def names(*ids: Any) -> str:
    return json.dumps({"object": "list", "data": [{"id": one} for one in ids]})


CHAT = ("/data/images/llama", "Speechless-7B", "qwen3:8b", "llama3.2-vision")
OTHERS = (
    *("nomic-embed-text", "bge-m3", "whisper-1", "tts-1", "dall-e-3", "gpt-image-1"),
    "omni-moderation",
)
MANY = tuple(f"model-{number}" for number in range(500))


@pytest.mark.spec("M2")
@pytest.mark.parametrize(
    ("listed", "known", "offered"),
    [
        (("b", "a", "b"), ("b", "a"), ("b", "a")),
        ((*OTHERS, *CHAT), (*OTHERS, *CHAT), CHAT),
        (MANY, MANY, MANY[:200]),
    ],
    ids=["in its order, each once", "only what chats", "cut for the panel"],
)
async def test_names_of_a_server(
    listed: tuple[str, ...], known: tuple[str, ...], offered: tuple[str, ...]
) -> None:
    """All names of a list are known, and some are offered; the key is sent."""
    with served(lambda _: Reply(names(*listed))) as server:
        found = await fetch_models(at(server.url, OPENAI_API_KEY="k"))

    assert (found.names, found.chat_models) == (known, offered)
    (request,) = server.requests
    sent = request.path, request.headers["authorization"]
    assert sent == ("/v1/models", "Bearer k")


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (Reply("{}", 401), ServerModels(ModelState.REFUSED)),
        (Reply("{}", 403), ServerModels(ModelState.READY)),
        (Reply("x", 500), ServerModels(ModelState.READY)),
        (
            Reply('{"error": {"message": "Loading model"}}', 503),
            ServerModels(ModelState.LOADING),
        ),
        (Reply("[]"), ServerModels(ModelState.READY)),
        (Reply('{"data": null}'), ServerModels(ModelState.READY)),
        (
            Reply(names(None, 7, " ", "a\n", "x" * 201)),
            ServerModels(ModelState.READY, ()),
        ),
        (Reply('{"data": []}'), ServerModels(ModelState.READY, ())),
        (Reply("<html>"), ServerModels(ModelState.READY)),
        (Reply("[" * 9_999), ServerModels(ModelState.READY)),
        (Reply(" " * 6_000_000), ServerModels(ModelState.READY)),
    ],
    ids=lambda one: f"{one.status} {one.body[:12]}" if isinstance(one, Reply) else "",
)
async def test_other_answers(answer: Reply, found: ServerModels) -> None:
    """A refused key is told apart from a server that has no list."""
    with served(lambda _: answer) as server:
        assert await fetch_models(at(server.url)) == found


async def test_slow_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer is not waited for long."""
    monkeypatch.setattr(catalog, "FETCH_SECONDS", 0.1)
    with served(lambda _: Reply("{}", delay=2.0)) as server:
        assert await fetch_models(at(server.url)) == ServerModels(
            ModelState.UNREACHABLE
        )


async def test_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment stands before the list as before the answers, but
    never before a server of this machine."""
    with (
        served(lambda _: Reply(names("a"))) as proxy,
        served(lambda _: Reply()) as here,
    ):
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        there = await fetch_models(at("http://models.example"))
        await fetch_models(at(here.url))

    assert there.names == ("a",)
    assert [r.headers["host"] for r in proxy.requests] == ["models.example"]
    assert len(here.requests) == 1
