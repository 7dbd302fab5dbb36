"""Prompts fit the context of a model, whatever its server tells of it."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from support.model.model_server import (
    Brain,
    Turn,
    fails,
    fetch,
    says,
    script,
    search,
)
from support.pages.pages_web import article, pages_web
from support.servers.searxng_pages import page, row
from support.world import answer_of, failure_of, world

from agent import Mode
from agent.agent_mode.graph import fit
from agent.events import Event, PromptCut
from agent.models.catalog import OLLAMA_CONTEXT
from agent.models.context import REFUSED_SECONDS, Context, count_tokens, fitting

HAN = re.compile("[\u4e00-\u9fff]")
QUESTIONS = {"zh": "云栖湖有多深？", "en": "How deep is Lake Orvane?"}
SENTENCES = {
    "zh": "云栖湖位于白榆县，湖面海拔很高，四周都是山，最深处为214米。",
    "en": "Lake Orvane lies between two hills, and is 214 metres deep in places.",
}


def tokens_of(asked: dict[str, Any], of_han: float) -> int:
    """The tokens of a request, as a model counts them that spends *of_han* on each
    Chinese character."""
    text = "".join(message["content"] or "" for message in asked["messages"])
    text += json.dumps(asked.get("tools", ""), ensure_ascii=False)
    han = len(HAN.findall(text))
    return int(han * of_han + (len(text) - han) / 3.8)


Refusal = Callable[[int, int], Brain]


def llamacpp(sent: int, room: int) -> Brain:
    message = "the request exceeds the available context size, try increasing it"
    kind = "exceed_context_size_error"
    return fails(400, message, type=kind, n_prompt_tokens=sent, n_ctx=room)


def words(form: str) -> Refusal:
    return lambda sent, room: fails(400, form.format(sent=sent, room=room))


# What servers say of a prompt that is too long, with the words of each.
REFUSALS: dict[str, Refusal] = {
    "llama.cpp": llamacpp,
    "OpenAI": words(
        "This model's maximum context length is {room} tokens. However, your messages "
        "resulted in {sent} tokens. Please reduce the length of the messages."
    ),
    "vLLM": words(
        "This model's maximum context length is {room} tokens. However, you requested "
        "{sent} tokens (1000 in the messages, 1024 in the completion)."
    ),
    "vLLM, older": words(
        "The decoder prompt (length {sent}) is longer than the maximum model length of "
        "{room}. Make sure that `max_model_len` is no smaller."
    ),
    "Gemini": words(
        "The input token count ({sent}) exceeds the maximum number of tokens allowed "
        "({room})."
    ),
    "TGI": words(
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= {room}. "
        "Given: {sent} `inputs` tokens and 100 `max_new_tokens`"
    ),
    "xAI": words(
        "This model's maximum prompt length is {room} but the request contains {sent} "
        "tokens."
    ),
    "Claude": words("prompt is too long: {sent:,} tokens > {room:,} maximum"),
    "LiteLLM": words(
        "Error code: 400 - {{'message': \"This model's maximum context length is {room}"
        ' tokens. However, your messages resulted in {sent} tokens."}}'
    ),
    "TensorRT": words("HTTP 400: context length exceeded: {sent} tokens > {room}"),
    "Bedrock": words("Input is too long for requested model."),
    "Zhipu": words("Prompt exceeds max length"),
    "a lie": words("maximum context length is 900000 tokens, you sent 900001"),
    "nonsense": words("context length of 0 exceeded by -1"),
}

NO_NUMBER = {"Bedrock", "Zhipu", "a lie", "nonsense"}


ANSWERS = says("214[1]")


def small(
    room: int,
    of_han: float,
    refusal: Refusal = llamacpp,
    answer: Brain = ANSWERS,
) -> Brain:
    """A model with so little *room*, which leaves a fifth of it for its answer."""

    def brain(asked: dict[str, Any]) -> Turn:
        sent = tokens_of(asked, of_han)
        return refusal(sent, room)(asked) if sent > room * 0.8 else answer(asked)

    return brain


def long_snippets(language: str) -> dict[str, Any]:
    """A search whose results come with 2,000 characters each, all of which count."""
    text = (SENTENCES[language] * 100)[:2_000]
    rows = [row(n, content=text) for n in range(1, 6)]
    return {"search": lambda _: page(*rows), "WEB_SEARCH_SNIPPET_LENGTH": 2_000}


def cuts(events: list[Event]) -> list[PromptCut]:
    return [event for event in events if isinstance(event, PromptCut)]


@pytest.mark.spec("Y2", "M4")
@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("refusal", REFUSALS)
async def test_refusals(refusal: str, language: str) -> None:
    """A prompt that the server refuses is sent again with what fits; the next one fits
    at once."""
    brain = small(2_048, 1.9, REFUSALS[refusal])
    async with world(brain, **long_snippets(language)) as w:
        events = await w.ask(QUESTIONS[language])
        first = len(w.model.requests)
        again = await w.another().ask(QUESTIONS[language])

    assert answer_of(events).text == answer_of(again).text == "214[1]"
    assert 2 <= first <= 4
    assert len(w.model.requests) == first + 1
    assert 0 < cuts(events)[-1].given < cuts(events)[-1].whole == 10_000
    assert "214" in w.model.prompts[-1]
    learnt = w.resources.models.default.context.tokens
    assert refusal in NO_NUMBER or learnt == 2_048


LISTED: dict[str, tuple[dict[str, Any], int | None]] = {
    "llama.cpp": ({"meta": {"n_ctx_train": 32_768, "n_ctx": 4_096}}, 4_096),
    "vLLM": ({"max_model_len": 4_096}, 4_096),
    "OpenRouter": ({"context_length": 4_096}, 4_096),
    "Groq": ({"context_window": 4_096}, 4_096),
    "Mistral": ({"max_context_length": 4_096}, 4_096),
    "nothing": ({}, None),
    "zero": ({"context_length": 0}, None),
    "less than zero": ({"context_length": -1}, None),
    "true": ({"context_length": True}, None),
    "words": ({"context_length": "4096"}, None),
    "null": ({"meta": None, "max_model_len": None}, None),
    "ten million": ({"context_length": 10_000_000}, 10_000_000),
    "beyond measure": ({"context_length": 10**30}, 10_000_000),
}


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("case", LISTED)
async def test_listed(case: str) -> None:
    """A listed context is known before the first question; nonsense is left out."""
    fields, context = LISTED[case]
    async with world(small(context or 10**9, 0.7), **long_snippets("zh")) as w:
        w.model.names = [{"id": "m", **fields}]
        await w.resources.models.refresh()
        events = await w.ask(QUESTIONS["zh"])

    assert w.resources.models.default.context.tokens == context
    assert answer_of(events).text == "214[1]"
    assert len(w.model.requests) == 1
    assert bool(cuts(events)) == (context == 4_096)


@pytest.mark.spec("Y2", "M2")
@pytest.mark.parametrize(
    ("name", "model", "owner"),
    [
        ("a:1b", "a:1b", "library"),
        ("a:latest", "a", "library"),
        ("hf.co/b/a:latest", "hf.co/b/a:latest", "b"),
    ],
    ids=["named", "without :latest", "of Hugging Face"],
)
async def test_ollama(name: str, model: str, owner: str) -> None:
    """An Ollama counts as one of four thousand tokens until it has loaded the model and
    tells its context, which stays known and is not asked for again."""
    known, asked = [], []
    options = {"OPENAI_MODEL": model}
    async with world(says("好"), on=False, model_options=options) as w:
        w.model.names = [{"id": name, "owned_by": owner}]
        w.model.loaded = {}
        models = w.resources.models
        await models.refresh()
        for loaded in ({}, {name: 16_384}, {}):
            w.model.loaded = loaded
            await w.ask("问")
            known.append(models.default.context.tokens)
            asked.append(len(w.model.keys) - len(w.model.requests))

    assert known == [OLLAMA_CONTEXT, 16_384, 16_384]
    assert models.names == (name,)
    assert asked[2] == asked[1]


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("set_", [1_024, 4_096])
async def test_set(set_: int) -> None:
    """A context that is set counts where it is the smallest, with no word of the
    server."""
    options = {"OPENAI_CONTEXT_TOKENS": set_}
    brain = small(set_, 0.7)
    async with world(brain, model_options=options, **long_snippets("zh")) as w:
        w.model.names = [{"id": "m", "context_length": 2_048}]
        await w.resources.models.refresh()
        await w.ask(QUESTIONS["zh"])

    assert w.resources.models.default.context.tokens == min(set_, 2_048)
    assert len(w.model.requests) == 1


@pytest.mark.spec("Y2")
async def test_a_long_conversation() -> None:
    """A conversation of a small model goes on; earlier questions are left out, and
    that is told."""
    async with world(small(4_096, 1.0), on=False) as w:
        w.model.names = [{"id": "m", "max_model_len": 4_096}]
        await w.resources.models.refresh()
        all_events = [await w.ask(f"{n}" + "深" * 700) for n in range(8)]

    assert all(answer_of(events) for events in all_events)
    assert len(w.model.requests) == 8
    is_cut = [bool(cuts(events)) for events in all_events]
    assert is_cut == sorted(is_cut)
    assert is_cut.count(True) >= 4
    assert not is_cut[0]
    (last,) = cuts(all_events[-1])
    assert last.context == 4_096
    assert last.turns >= 4


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("listed", [True, False], ids=["listed", "refused"])
async def test_agent_mode(language: str, *, listed: bool) -> None:
    """Six pages and five searches fit a context of 8,192 tokens, in each step; what a
    server does not tell is learnt from its refusal."""
    steps = [Turn(calls=[search(f"{n}")]) for n in range(4)]
    pages = [Turn(calls=[fetch(n), fetch(n + 1)]) for n in (1, 3)]
    answer = script(*steps[:2], *pages, *steps[2:], Turn(["214[1]"]))
    text = SENTENCES[language] * 300
    with pages_web({f"/{n}": article(f"T{n}", text) for n in range(1, 6)}) as web:
        brain = small(8_192, 1.2, answer=answer)
        async with world(brain, web=web, mode=Mode.AGENT) as w:
            if listed:
                w.model.names = [{"id": "m", "context_length": 8_192}]
                await w.resources.models.refresh()
            events = await w.ask(QUESTIONS[language])
            requests = len(w.model.requests)
            sent = w.model.requests[-1]["messages"]

    assert answer_of(events).text == "214[1]"
    assert requests <= 7 + (0 if listed else 2)
    assert cuts(events)
    texts = (message["content"] or "" for message in sent)
    fences = [re.findall("=====search-results-[0-9a-f]+=====", text) for text in texts]
    results = [found for found in fences if found]
    assert len(results) == 8
    assert all(len(found) == 2 and len({*found}) == 1 for found in results)


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("on", [False, True], ids=["alone", "with results"])
async def test_nothing_helps(*, on: bool) -> None:
    """A question that is longer than the context is told as that, after few tries."""
    async with world(small(512, 1.0), on=on, **long_snippets("zh")) as w:
        events = await w.ask("深" * 1_500)

    assert failure_of(events).problem == "context_too_long"
    assert len(w.model.requests) <= 4


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("language", SENTENCES)
def test_estimate(language: str) -> None:
    """Characters that fit a number of tokens, as the text is written."""
    text = SENTENCES[language] * 50
    cut = text[: fitting(text, 200)]

    assert 190 <= count_tokens(cut) <= 210
    assert len(cut) > 600 if language == "en" else len(cut) < 250


# A line of each, twenty times, and its tokens as SmolLM2 counted them.
MEASURED = {
    "figures": ("| 1990 | 12,345.6 | 87,004.9 | 3,218.0 | -41.7 % |\n", 880),
    "addresses": (
        "URL: https://www.example.org/a/2026/11/20/xk29_Zq8?id=83f2a0c9d1\n",
        900,
    ),
    "code": ("for (int i = 0; i < n; ++i) { a[i] = b[i] * c[i]; }\n", 660),
    "English": (
        "The town has a market on every second Tuesday, and a fair in the autumn. ",
        341,
    ),
    "Chinese": (
        "这个湖位于县城以北，面积约为二百一十四平方公里，最深处有三十米。",
        1_140,
    ),
    "Thai": ("ทะเลสาบแห่งนี้ตั้งอยู่ทางเหนือของเมืองและมีพื้นที่กว้าง", 2_140),
    "emoji": ("😀🎉🚀✅", 220),
}


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("kind", MEASURED)
def test_measured(kind: str) -> None:
    """A small model, whose words are short, counts at most three times as much; of
    what is mostly ASCII about as much."""
    line, counted = MEASURED[kind]
    most = 1.25 if line.isascii() else 3

    assert 0.8 < counted / count_tokens(line * 20) < most


@pytest.mark.spec("Y2")
async def test_what_a_model_counts() -> None:
    """A model that counts more than we do, as one does that has read little Chinese,
    has a fifth left for its first answer, too. What it counts less is believed little
    by little, and more at once."""
    of_han = iter((1.8, 0.9, 0.9, 2.5, 2.5))

    def brain(asked: dict[str, Any]) -> Turn:
        counted = tokens_of(asked, next(of_han))
        counts = {"prompt_tokens": counted, "completion_tokens": 1}
        return Turn(["214[1]"], usage={**counts, "total_tokens": 1})

    async with world(brain, **long_snippets("zh")) as w:
        w.model.names = [{"id": "m", "max_model_len": 4_096}]
        await w.resources.models.refresh()
        for _ in range(5):
            answer_of(await w.another().ask(QUESTIONS["zh"]))
        sent = [tokens_of(asked, 1.8) for asked in w.model.requests]

    assert 0.5 * 4_096 < sent[0] <= 0.8 * 4_096
    assert sent[0] > sent[4]
    assert sent[3] > sent[2] + 100 > sent[1] + 200


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("mode", [Mode.CHAT, Mode.AGENT])
async def test_counted_in_each_mode(mode: Mode) -> None:
    """A model's own count shortens the next prompt, in both modes."""

    def brain(asked: dict[str, Any]) -> Turn:
        counted = 3 * count_tokens(str(asked))
        usage = {"prompt_tokens": counted, "completion_tokens": 1, "total_tokens": 1}
        return Turn(["好"], usage=usage)

    async with world(brain, mode=mode, on=mode is Mode.AGENT) as w:
        w.model.names = [{"id": "m", "max_model_len": 8_192}]
        await w.resources.models.refresh()
        context = w.resources.models.default.context
        before = context.room
        await w.ask("深" * 500)

    assert 0 < context.room < before / 2


@pytest.mark.parametrize("sent", [0, 1, 100, 10**9])
def test_refusals_end(sent: int) -> None:
    """Whatever a server says, each refusal leaves less room, down to a limit."""
    context, room = Context(), [Context().room]
    for _ in range(20):
        context.refuse(sent, Exception("maximum context length"))
        room.append(context.room)

    assert room == sorted(room, reverse=True)
    assert room[-1] >= 0


TOO_LONG = {"message": "Context size has been exceeded."}


@pytest.mark.spec("Y2")
@pytest.mark.parametrize(
    "begun",
    [
        Turn(["从前"], error_event=TOO_LONG),
        Turn(reasoning=["想"], error_event=TOO_LONG),
    ],
    ids=["text", "thoughts"],
)
async def test_an_answer_fills_the_context(begun: Turn) -> None:
    """An answer that runs out of context says nothing of the prompt's length: it is
    not asked for again, and other visitors keep their room."""
    async with world(lambda _: begun, on=False) as w:
        assert failure_of(await w.ask("写一个故事")).problem == "too_long_answer"

    assert len(w.model.requests) == 1
    assert w.resources.models.default.context.tokens is None


@pytest.mark.spec("Y2")
def test_an_empty_refusal_is_no_measure() -> None:
    """A refusal without numbers takes a good part of a known context, not nearly all
    of it; and each refusal is forgotten after a while."""
    now = 0.0
    context = Context(8_192, clock=lambda: now)
    for _ in range(20):
        context.refuse(40, Exception("maximum context length"))

    assert context.tokens == 2_048
    now = REFUSED_SECONDS + 1
    assert context.tokens == 8_192


@pytest.mark.spec("Y2")
async def test_a_long_conversation_without_results() -> None:
    """History leaves room for the words that tell of a search without results."""
    async with world(says("深" * 150), search=lambda _: page()) as w:
        w.model.names = [{"id": "m", "max_model_len": 1_024}]
        await w.resources.models.refresh()
        for n in range(6):
            await w.ask(f"云栖湖第{n}个湖湾有多深？")
        asked = [request["messages"] for request in w.model.requests]

    room = w.resources.models.default.context.room
    assert max(sum(count_tokens(m["content"]) for m in one) for one in asked) <= room


@pytest.mark.spec("Y2")
@pytest.mark.parametrize("room", range(300, 420, 7))
def test_results_fit(room: int) -> None:
    """Results are cut to the very room, where their starts have more tokens too."""
    fence = "=====search-results-aa====="
    results = [
        ToolMessage(
            f"{fence}\n{'1,234 深' * 40}{'lake ' * 150}\n{fence}\nCite them.",
            tool_call_id=str(n),
        )
        for n in range(2)
    ]

    kept, cut = fit([HumanMessage("How deep?"), *results], Context(), room, fence)

    assert cut
    assert sum(count_tokens(one.text) for one in kept) <= room
    assert all(one.text.count(fence) == 2 for one in kept[1:])
