"""A model may write the query, in one short call; where it fails, the rule does."""

import gc
import sys

import pytest
from support.model.model_server import Brain, Turn, fails, says
from support.world import World, world

from agent import Mode
from agent.events import Answer, Event, SearchStarted
from agent.follow_up import by_model
from agent.history import Turn as Said

FIRST, SECOND = "肺癌是什么？", "它的症状是什么？"
BY_RULE = "肺癌的症状是什么？"


def writes(query: str, **more: object) -> Brain:
    """A model that writes this query, and answers questions with one word."""

    def brain(asked: dict[str, object]) -> Turn:
        if is_for_query(asked):
            return Turn(text=[query], **more)  # type: ignore[arg-type]
        return Turn(text=["ok"])

    return brain


def is_for_query(asked: dict[str, object]) -> bool:
    return "search queries" in str(asked["messages"])


async def query_of(w: World, *questions: str) -> str:
    for question in questions:
        await w.ask(question)
    return w.search.queries[-1]


@pytest.mark.spec("R2")
async def test_a_query_of_the_model() -> None:
    """The model is asked once, from the second question on, and its query searched."""
    async with world(writes("肺癌有什么症状")) as w:
        query = await query_of(w, FIRST, "有什么症状？")

    assert query == "肺癌有什么症状？"
    assert sum(map(is_for_query, w.model.requests)) == 1


# A question, the model's line, and what is searched; "" where the line is not taken.
LINES = [
    ("What are its symptoms?", "What are lung cancer's symptoms?", True),
    ("What are its symptoms?", "What are tumours' symptoms?", False),
    ("症状有哪些？", "肺癌症状有哪些？", True),
    ("它和胃癌有什么区别？", "肺癌和胃癌有什么区别？", True),
    ("它们呢？", "小细胞肺癌呢？", True),  # words of the answer
    ("他汀类药物有哪些副作用？", "肺癌汀类药物有哪些副作用？", False),
    ("What is IT support?", "What is lung cancer support?", False),
    ("Who wrote It Ends with Us?", "Who wrote lung cancer Ends with Us?", False),
    ("它的症状是什么？", "肺癌是什么？", False),
    ("哪种肺癌？", "小细胞肺癌是其中一种。", False),  # an answer
    ("它的症状是什么？", "胃癌的症状是什么？", False),
]


@pytest.mark.spec("R1", "R2")
@pytest.mark.parametrize(("question", "line", "is_taken"), LINES)
def test_words_of_the_model(question: str, line: str, *, is_taken: bool) -> None:
    """All its words were used before, and those of the question are kept."""
    turns = [
        Said("肺癌是什么？ What is lung cancer?", "小细胞肺癌是其中一种。"),
    ]
    completion = by_model.checked(question, line, turns)

    assert (completion is not None) == is_taken
    assert completion is None or completion.query == line


async def test_a_change_of_subject_by_the_model() -> None:
    """A question that the model repeats is searched as typed."""
    async with world(writes(SECOND)) as w:
        assert await query_of(w, FIRST, SECOND) == SECOND


@pytest.mark.spec("R2", "R3")
@pytest.mark.parametrize(
    "written",
    [
        "胃癌的症状是什么？",
        "肺癌的症状是什么？\n再搜一次",
        "肺癌的症状是什么？" * 60,
        "What are the symptoms of it?",
        "肺癌 site:evil.example 的症状是什么？",
        "https://evil.example/?q=肺癌的症状是什么",
        "肺癌是什么",
        "!ddg 肺癌是什么",
        "",
    ],
)
async def test_a_query_that_is_not_used(written: str) -> None:
    """Foreign words, more lines, another language, too long, or the question lost."""
    async with world(writes(written)) as w:
        assert await query_of(w, FIRST, SECOND) == BY_RULE


@pytest.mark.spec("R3")
async def test_signs_of_the_model() -> None:
    """Signs that command a search engine are left out of what the model adds."""
    async with world(writes("!肺癌[1] 的症状是什么？")) as w:
        query = await query_of(w, FIRST, SECOND)

    assert "!" not in query
    assert "[" not in query
    assert "肺癌" in query


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    "brain", [fails(500), says("肺", cut_after=0)], ids=["refuses", "breaks off"]
)
async def test_a_model_that_fails(brain: Brain) -> None:
    """An error of the model leaves the rule's query."""
    async with world(writes("")) as w:
        await w.ask(FIRST)
        w.model.brain = brain
        assert await query_of(w, SECOND) == BY_RULE


@pytest.mark.spec("R2")
async def test_a_slow_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is late twice is not asked a third time in this conversation."""
    monkeypatch.setattr(by_model, "SECONDS", 0.05)
    slow = writes("肺癌有什么症状", first_delay=2.0)
    async with world(slow) as w:
        await w.ask(FIRST)
        for _ in range(3):
            events = await w.ask(SECOND)
            assert w.search.queries[-1] == BY_RULE
            assert isinstance(events[-1], Answer)

    # Fewer where the request itself was late.
    assert sum(map(is_for_query, w.model.requests)) <= 2


@pytest.mark.spec("R1", "C1")
async def test_the_search_is_shown_meanwhile() -> None:
    """The step is there while the model writes, and then tells the query."""
    async with world(writes("肺癌有什么症状")) as w:
        await w.ask(FIRST)
        events: list[Event] = await w.ask("有什么症状？")

    starts = [one.query for one in events if isinstance(one, SearchStarted)]
    assert starts == ["有什么症状？", "肺癌有什么症状？"]


@pytest.mark.spec("R1")
async def test_the_prompt_keeps_the_question() -> None:
    """The model answers the question as the user asked it."""
    async with world() as w:
        await query_of(w, FIRST, SECOND)

    assert w.search.queries[-1] == BY_RULE
    assert f"\n\n问题：{SECOND}\n\n" in w.model.prompts[-1]
    assert BY_RULE not in w.model.prompts[-1]


@pytest.mark.spec("R3")
async def test_what_the_model_gets() -> None:
    """It gets questions and answers, and no title and no text of a page."""
    async with world(writes("肺癌有什么症状")) as w:
        await query_of(w, FIRST, SECOND)

    prompt = next(str(one["messages"]) for one in w.model.requests if is_for_query(one))
    assert FIRST in prompt
    assert "assistant: ok" in prompt
    assert "Content of page" not in prompt
    assert w.search.queries  # pages were found


@pytest.mark.spec("R2")
@pytest.mark.parametrize("piece", ["肺癌" * 1_000, "症状"])
async def test_the_stream_is_closed_where_it_was_opened(piece: str) -> None:
    """However long the model's line is, no generator is left for another task."""
    left: list[str] = []
    async with world(writes("肺癌有什么症状")) as w:
        await w.ask(FIRST)
        w.model.brain = lambda asked: Turn(text=[piece] * 40, delay=0.001)
        hooks = sys.get_asyncgen_hooks()
        model = w.resources.models.default
        sys.set_asyncgen_hooks(finalizer=lambda one: left.append(one.__qualname__))
        try:
            line = await by_model.ask(model, SECOND, [Said(FIRST)])
            gc.collect()
        finally:
            sys.set_asyncgen_hooks(*hooks)

    assert [one for one in left if "astream" in one or one == "_chunks"] == []
    assert (line is None) == (len(piece) > 100)


async def test_agent_mode_is_untouched() -> None:
    """In Agent mode the model writes its own queries, and is asked nothing else."""
    async with world(mode=Mode.AGENT) as w:
        await w.ask(FIRST)
        await w.ask(SECOND)

    assert not any(map(is_for_query, w.model.requests))
    assert len(w.model.requests) == 2
