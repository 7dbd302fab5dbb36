"""What a question asks for, and what looks like its answer."""

import pytest

from agent.without_model.quote_alike import alike
from agent.without_model.quote_evidence import Wanted
from agent.without_model.quote_kinds import Kind, kind_of
from agent.without_model.quote_manner import manner, place
from agent.without_model.quote_text import terms
from agent.without_model.quote_units import measured


@pytest.mark.parametrize(
    ("kind", "questions"),
    [
        (Kind.MONEY, ["门票多少钱", "How much does it cost?", "price of a ticket"]),
        (Kind.VERSION, ["最新版本是多少", "Which version has tabs?"]),
        (Kind.COMPARISON, ["甲和乙有什么区别", "Is A better than B?", "A vs B"]),
        (Kind.WHEN, ["什么时候通车", "哪一年建成", "When did it open?", "What year?"]),
        (Kind.COUNT, ["有多少人", "塔有多高", "How many people?", "How tall is it?"]),
        (Kind.WHO, ["作者是谁", "哪家公司承建", "Who wrote it?"]),
        (Kind.WHERE, ["总部在哪里", "Where is it?", "Which city is it in?"]),
        (Kind.WHY, ["天为什么是蓝的", "Why is it blue?", "What causes tides?"]),
        (Kind.DEFINITION, ["什么是熵", "What is entropy?", "What does it mean?"]),
        (Kind.HOW, ["怎样浇水", "How do I water it?"]),
        (Kind.YES_NO, ["能吃吗", "有没有医学院", "Is it open?", "Does it have one?"]),
        (Kind.OTHER, ["云栖图书馆", "Python asyncio"]),
    ],
    ids=lambda value: value.name if isinstance(value, Kind) else "",
)
def test_kinds(kind: Kind, questions: list[str]) -> None:
    """Each kind has its words, in both languages."""
    assert {question: kind_of(question) for question in questions} == dict.fromkeys(
        questions, kind
    )


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("museum ticket price", Kind.MONEY),
        ("tram fare", Kind.MONEY),
        ("ferry cost per day", Kind.MONEY),
        ("玉龙塔高度", Kind.COUNT),
        ("镜湖面积", Kind.COUNT),
        ("harbour tower height", Kind.COUNT),
    ],
)
def test_keywords_have_a_kind(question: str, kind: Kind) -> None:
    """A noun at the end of some keywords tells what is asked for."""
    assert kind_of(question) is kind


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("全长多少公里", "1956公里", "1956人"),
        ("有多少人参加", "4.2万名跑者", "42公里"),
        ("冷静期多少天", "30日内", "24小时"),
        ("有多少个洞窟", "洞窟735个", "门票238元"),
        ("How tall is it?", "5,895 metres", "5,895 people"),
        ("How many bones are there?", "206 bones", "206 days"),
        ("How long does it take?", "five and a half hours", "five people"),
        ("What is the population?", "84,300 inhabitants", "84,300 cars"),
    ],
)
def test_a_measure_has_its_unit(question: str, right: str, wrong: str) -> None:
    """A number counts in full where it has the unit that is asked for."""
    pattern = measured(question)

    assert pattern is not None
    assert pattern.search(right)
    assert not pattern.search(wrong)


def test_what_the_question_says_is_no_evidence() -> None:
    """Its own year or name is no answer to it."""
    when = Wanted("When did the 1953 fair open?")
    who = Wanted("Who met Ada Brook?")

    assert when.evidence("It opened in 1954.") > when.evidence("The fair of 1953.")
    assert who.evidence("Ada Brook met Jo Lind.") > who.evidence("Ada Brook is here.")


@pytest.mark.parametrize(
    "sentence",
    [
        "有人知道吗？",
        "立即下单，包邮",
        "Click here for more.",
        "Only $5 a piece",
        "我们很好",
    ],
)
def test_what_tells_nothing(sentence: str) -> None:
    """Questions, advertisements and self-praise count for less."""
    assert manner(sentence, Kind.WHEN) < manner("It opened in 1932.", Kind.WHEN) == 1


def test_an_order_answers_keywords() -> None:
    """`Use …` answers `remove duplicates`, and how; elsewhere it invites."""
    order = "Use the side gate to leave."

    assert manner(order, Kind.OTHER) == manner(order, Kind.HOW) == 1
    assert manner(order, Kind.WHEN) < 1


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("桥有多长？", "桥的总长度为62米。", "桥全长62米。"),
        ("Does the fair close early?", "The fair does close early.", "The fair grew."),
        ("Can cats eat lilies?", "Lilies are toxic.", "Lilies are white."),
        ("发烧能不能游泳？", "发烧期间不建议游泳。", "游泳池在城东。"),
        ("Tarn fever symptoms", "Cough, rash and aches.", "A rash."),
    ],
)
def test_what_answers_looks_like_it(question: str, right: str, wrong: str) -> None:
    """A measure by its name, advice, a statement of the question, a list."""
    wanted = Wanted(question)

    assert wanted.evidence(right) > wanted.evidence(wrong)


def test_a_price_is_no_advertisement_where_it_is_asked() -> None:
    """The same sentence counts in full for a question about money."""
    assert manner("A ticket is $5.", Kind.WHEN) < manner("A ticket is $5.", Kind.MONEY)


def test_a_page_that_sells_counts_less_unless_it_is_asked_for() -> None:
    """A page called tickets is right for a question about tickets."""
    assert place("Bridge tickets", "When did the bridge open?") < 1
    assert place("Bridge tickets", "Where are tickets sold?") == 1


def test_other_words_for_the_same() -> None:
    """Groups go both ways, and are compared as terms."""
    assert terms("inhabitants")[0] in alike(terms("population")[0])
    assert terms("population")[0] in alike(terms("inhabitants")[0])
    assert "发热" in alike("发烧")
    assert not alike("bridge")
