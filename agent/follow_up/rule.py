"""Complete a question from the earlier ones by rule, where that is safe."""

import re
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Final

from agent.events import Completion
from agent.follow_up import chinese, english
from agent.follow_up.completion import Topic, harmless, without_addresses
from text.language import language_of

MOST_READ: Final = 300  # characters of a question that are looked at
_MOST_EARLIER: Final = 10  # questions
_LANGUAGES: Final[dict[str, ModuleType]] = {"zh": chinese, "en": english}
_WORD = re.compile(r"\w")
_NAMED = re.compile('《[^《》]{1,30}》|"[^"]{1,40}"|“[^“”]{1,40}”')
ASKS = re.compile("[吗么呢谁几哪怎多?？]|如何|^\\s*(?:wh|how|tell)", re.IGNORECASE)
# Who did something: “he” does not mean what was done.
_WHO_DID = re.compile(
    "谁(?![啊呀呢吗？?\\s]*$)|\\bwho\\b(?!['\u2019]s| is| was)", re.IGNORECASE
)
_HE = re.compile(r"\b(?:he|him|his)\b|他", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|hers?)\b|她", re.IGNORECASE)


def complete(question: str, earlier: Sequence[str]) -> Completion:
    """Complete *question* where it leans on the *earlier* ones; else it stays."""
    topic = Topic()  # what the conversation speaks of
    for whole in filter(_WORD.search, earlier[-_MOST_EARLIER:]):
        asked = whole[:MOST_READ]
        completion, language = _completed(asked, topic), _LANGUAGES[language_of(asked)]
        query = without_addresses(completion.query)
        if completion.added and topic.subject and topic.subject in query:
            topic = replace(topic, last=query)
            continue
        titles = _NAMED.findall(query)
        named = titles[0] if len(titles) == 1 else language.subject_of(query)
        subject = harmless(re.sub("['\u2019]s$", "", named))
        person = "" if titles or _WHO_DID.search(query) else subject
        asks = subject or ASKS.search(query)
        if topic.last and (language.LEANS.search(query) or not asks):
            topic = replace(topic, person=person or topic.person, last=" ")
        else:
            topic = Topic(subject, person, query)
    talk = " ".join([*earlier, question])
    if _HE.search(talk) and _SHE.search(talk):  # two persons
        topic = replace(topic, person="")
    return _completed(question, topic)


def _completed(question: str, topic: Topic) -> Completion:
    if len(question) > MOST_READ or not topic.last:
        return Completion.typed(question)
    completion: Completion = _LANGUAGES[language_of(question)].complete(question, topic)
    return completion
