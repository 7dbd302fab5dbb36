"""Which sentences speak of whom, what and when the question speaks of."""

import pytest

from agent.without_model.quote_about import About, speaks_of, spoken_names, subject
from agent.without_model.quote_kinds import Kind, kind_of
from agent.without_model.quote_text import asked_terms, terms
from agent.without_model.quoting import Passage, quotes


def share(question: str, text: str, heading: str = "", page: str = "") -> float:
    about = About(question, kind_of(question), [])
    told = {*terms(text)}
    return about.share(text, heading, told, told | {*terms(heading + page)})


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("2024年谁得了云杉奖？", "云杉奖2024年授予林一。", "云杉奖2012年授予林一。"),
        ("Elm prize winner 2024", "Jo won in 2024.", "Jo won in 2012."),
        ("Elm prize winner 2024", "Jo won it.", "Jo won in 2012."),
        ("Who is the mayor of Elm?", "Jo is mayor of Elm.", "Jo was mayor of Elm."),
        ("明湖现任校长是谁？", "明湖校长是林一。", "林一曾任明湖校长。"),
        ("Why do otters float?", "Otters trap air.", "Corks trap air."),
        ("水獭为什么会浮？", "水獭的毛里有空气。", "软木里有空气。"),
    ],
)
def test_what_speaks_of_others_counts_less(
    question: str, right: str, wrong: str
) -> None:
    """Another year, a former holder, another subject."""
    assert share(question, right) > share(question, wrong)


def test_the_answer_to_when_may_be_another_year() -> None:
    """Only the title's year has to be the one that is asked for."""
    question = "When will the 2030 fair be decided?"

    assert share(question, "In 2027 the fair's town is chosen.") == 1
    assert share(question, "It opens in May.", "Fair 2029") < 1


def test_the_year_above_a_sentence() -> None:
    """A page of another year counts less, but more than a sentence of it."""
    question, text = "2023年明湖产值是多少", "明湖产值为12亿元。"

    above = share(question, text, "2022年明湖")

    assert share(question, "明湖2022年产值为12亿元。") < above < share(question, text)


def test_a_former_holder_may_be_asked_for() -> None:
    """Who was it is answered by who was it."""
    question = "Who was the first mayor of Elm?"

    assert share(question, "Jo was the first mayor of Elm.") == 1


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("does aspirin expire", "aspirin"),
        ("Why do the cats knead?", "cat"),
        ("长城有多长？", "长城"),
        ("怎么去除油渍", ""),
        ("今年放几天假", ""),
        ("how long is the current season", ""),
        ("what is the depth of the lake", ""),
        ("list remove duplicates", ""),
    ],
)
def test_the_subject(question: str, term: str) -> None:
    """It is told by its place, where its place tells it."""
    assert subject(question) == term


def test_another_word_speaks_of_it_too() -> None:
    """A page about a laptop speaks of a notebook."""
    assert speaks_of("notebook", {"laptop"})
    assert not speaks_of("notebook", {"bridg"})


def test_names_in_small_letters() -> None:
    """What results write with capitals only, and within a sentence, is a name."""
    question = "tipping custom in norland"
    texts = ["Tipping is rude in Norland.", "A Custom tour of Norland, with tipping."]

    names = spoken_names(asked_terms(question), question, texts)

    assert names == ["norland"]


def test_who_writes_capitals_has_told_the_names() -> None:
    """A question with capitals is taken at its word."""
    texts = ["It is in Norland.", "We like Norland."]

    assert spoken_names(["norland"], "Is it in norland?", texts) == []


def test_another_word_has_its_weight() -> None:
    """A term that no sentence holds counts where other words for it stand."""
    found = [
        Passage(1, "Elm", "The film Salt by Jo Lind runs in Elm this week."),
        Passage(2, "Salt", "The novel Salt by Ada Brook came out in Elm."),
    ]

    assert quotes("who wrote salt", found)[0].numbers == (2,)


def test_a_noun_that_only_asks_is_no_subject() -> None:
    """`Which company` does not ask for sentences about companies."""
    assert kind_of("明湖是哪家公司的") is Kind.WHO
    assert "公司" not in asked_terms("明湖是哪家公司的")
