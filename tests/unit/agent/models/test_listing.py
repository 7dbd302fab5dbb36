"""The list of a server's models, whatever the server answers."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.loopback import Answer, served
from support.ports import free_port

from agent.models import listing as model_list
from agent.models.listing import Listed, listed
from agent.models.settings import ModelSettings


def settings(url: str, **more: str) -> ModelSettings:
    named = {"OPENAI_BASE_URL": f"{url}/v1", **more}
    return ModelSettings(**named)  # type: ignore[arg-type]  # it reads text


def names(*ids: Any) -> str:
    return json.dumps({"object": "list", "data": [{"id": one} for one in ids]})


@pytest.mark.spec("M2")
async def test_list() -> None:
    """The names come in the server's order, each once; the key is sent."""
    with served(lambda _: Answer(names("b", "a", "b"))) as server:
        found = await listed(settings(server.url, OPENAI_API_KEY="k"))

    assert found == Listed(("b", "a"), is_there=True, is_list=True)
    (request,) = server.requests
    assert (request.path, request.headers["authorization"]) == (
        "/v1/models",
        "Bearer k",
    )


async def test_only_models_that_chat() -> None:
    """Models for other work are not offered for a conversation, but are known."""
    others = ("nomic-embed-text", "text-embedding-3-large", "bge-m3", "whisper-1")
    more = ("tts-1", "dall-e-3", "gpt-image-1", "omni-moderation", "bge-reranker-v2")
    chat = (
        "/data/images/llama",
        "Speechless-7B",
        "influx-coder",
        "gpt-4o",
        "qwen3:8b",
        "deepseek-chat",
        "llama3.2-vision",
        "gemma3n:e4b",
    )
    with served(lambda _: Answer(names(*others, *chat, *more))) as server:
        found = await listed(settings(server.url))

    assert found.offered == chat
    assert set(others) < set(found.names)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (Answer("{}", 401), Listed(is_there=True, is_refused=True)),
        (Answer("{}", 403), Listed(is_there=True)),
        (Answer("{}", 404), Listed(is_there=True)),
        (Answer("x", 500), Listed(is_there=True)),
        (Answer("[]"), Listed(is_there=True)),
        (Answer('{"data": null}'), Listed(is_there=True)),
        (Answer('{"data": []}'), Listed(is_there=True, is_list=True)),
        (Answer("<html>"), Listed(is_there=True)),
        (Answer("[" * 9_999), Listed(is_there=True)),
        (Answer(" " * 6_000_000), Listed(is_there=True)),
    ],
    ids=lambda one: f"{one.status} {one.body[:12]}" if isinstance(one, Answer) else "",
)
async def test_other_answers(answer: Answer, found: Listed) -> None:
    """A refused key is told apart from a server that has no list."""
    with served(lambda _: answer) as server:
        assert await listed(settings(server.url)) == found


async def test_nobody_there() -> None:
    """Where nothing listens, there is no server."""
    found = await listed(settings(f"http://127.0.0.1:{free_port()}"))

    assert found == Listed()


async def test_silent_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer is not waited for long."""
    monkeypatch.setattr(model_list, "SECONDS", 0.1)
    with served(lambda _: Answer("{}", delay=2.0)) as server:
        assert await listed(settings(server.url)) == Listed()


@given(
    entries=st.lists(
        st.none()
        | st.text()
        | st.dictionaries(st.just("id"), st.text() | st.integers() | st.none())
    )
)
def test_any_entries(entries: list[Any]) -> None:
    """Whatever stands in a list, what is taken are names of ordinary length."""
    found = Listed.of(200, json.dumps({"data": entries}).encode())

    assert all(0 < len(name.strip()) <= 200 for name in found.names)
    assert all(name.isprintable() for name in found.names)


async def test_many_models() -> None:
    """Of a long list as many are offered as can be chosen from; all are known."""
    many = [f"model-{number}" for number in range(500)]
    with served(lambda _: Answer(names(*many))) as server:
        found = await listed(settings(server.url))

    assert (len(found.offered), len(found.names)) == (200, 500)
    assert found.named("model-350") == "model-350"


def test_latest() -> None:
    """Ollama's names may leave out that it is the latest."""
    found = Listed(("qwen3:8b", "llama3.2:latest"))

    assert found.named("llama3.2") == "llama3.2:latest"
    assert found.named("qwen3") is None


async def test_by_the_way_of_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment stands before the list as before the answers, but
    never before a server of this machine."""
    with (
        served(lambda _: Answer(names("a"))) as proxy,
        served(lambda _: Answer()) as here,
    ):
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        there = await listed(settings("http://models.example"))
        await listed(settings(here.url))

    assert there.names == ("a",)
    assert [r.headers["host"] for r in proxy.requests] == ["models.example"]
    assert len(here.requests) == 1
