"""Complete a question from the earlier ones by rule, where that is safe."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.follow_up import chinese, english
from agent.follow_up.completion import Completion, Topic, harmless, without_addresses
from text.language import language_of

MOST_READ: Final = 300  # characters of a question that are looked at
_MOST_EARLIER: Final = 10  # questions
_LANGUAGES: Final = {"zh": chinese, "en": english}
_NAMED = re.compile('《[^《》]{1,30}》|"[^"]{1,40}"|“[^“”]{1,40}”')


def complete(question: str, earlier: Sequence[str]) -> Completion:
    """Complete *question* where it leans on the *earlier* ones; else it stays."""
    topic = Topic()
    for asked in earlier[-_MOST_EARLIER:]:
        topic = _after(asked[:MOST_READ], topic)
    return _completed(question, topic)


def _after(asked: str, topic: Topic) -> Topic:
    """Return what a conversation speaks of after the question *asked*."""
    completion = _completed(asked, topic)
    query = without_addresses(completion.query)
    language = _LANGUAGES[language_of(asked)]
    if completion.is_changed and topic.subject and topic.subject in query:
        return replace(topic, last=query)
    titles = _NAMED.findall(query)
    subject = harmless(titles[0] if len(titles) == 1 else language.subject_of(query))
    is_person = bool(subject) and not titles and language.is_person(query)
    if not completion.is_changed and language.leans(asked):
        person = subject if is_person else topic.person
        return Topic(topic.subject, person, "")
    return Topic(subject, subject if is_person else "", query)


def _completed(question: str, topic: Topic) -> Completion:
    if len(question) > MOST_READ or not topic.last:
        return Completion.typed(question)
    return _LANGUAGES[language_of(question)].complete(question, topic)
