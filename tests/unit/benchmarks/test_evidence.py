"""The labelled answers are read as they are meant, and the figures hold."""

import re

import pytest

from benchmarks.evidence import public, rewritings
from benchmarks.evidence.answers import CORPUS, SETS, answers
from benchmarks.evidence.quality import caught, false_alarms

needs_pages = pytest.mark.skipif(
    not CORPUS.is_dir(), reason=f"{CORPUS} is missing; the pages are not part of this"
)


@pytest.mark.parametrize("name", SETS)
def test_no_page_is_in_two_sets(name: str) -> None:
    heads = {
        other: set(
            re.findall(r"^# \w+ (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        )
        for other, path in SETS.items()
    }

    assert all(heads[name].isdisjoint(heads[o]) for o in heads if o != name)


@needs_pages
@pytest.mark.parametrize("name", SETS)
def test_every_sentence_has_a_page(name: str) -> None:
    found = answers(name)

    assert all(one.lines and one.original for one in found)
    assert not any("{" in line.words for one in found for line in one.lines)


@needs_pages
@pytest.mark.spec("P5")
def test_sound_values_are_rarely_flagged() -> None:
    assert false_alarms().value <= 3


@needs_pages
@pytest.mark.spec("P5")
def test_public_statements_are_rarely_flagged_and_changed_ones_mostly() -> None:
    """Chinese and English statements of others, written otherwise or changed."""
    assert public.false_alarms().value <= 3
    assert public.caught().value >= 85
    assert {"zh", "en"} == {one.language for one in public.statements()}


@needs_pages
def test_half_of_the_sentences_is_held_back() -> None:
    assert sum(len(one.lines) for one in answers("held")) >= 300


@needs_pages
@pytest.mark.slow
def test_changed_digits_are_mostly_flagged() -> None:
    assert caught().value >= 85


@needs_pages
@pytest.mark.spec("Q2")
def test_sound_rewritings_rarely_give_way() -> None:
    assert len([*rewritings.rewritings("rewritings")]) == 100
    assert rewritings.refused().value <= 15
