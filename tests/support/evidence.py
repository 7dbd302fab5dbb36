"""A source with values of each kind, and what is flagged of an answer."""

import re

from citations.evidence import check

STATION = (
    "The station\nThe station is 828 metres long and 12 metres high. It opened on"
    " 4 March 2010, cost €1.5 billion and saves 37% of the power. It has 163 rooms,"
    " runs Python 3.12 with release 4.2.1 of the driver, and uses the RTX 4090."
)


def flagged(answer: str, *texts: str, known: str = "") -> list[str]:
    """The flagged values of *answer*; *texts* are its sources, numbered from 1."""
    found = check(answer, dict(enumerate(texts, start=1)), known)
    return [flag.value for one in found for flag in one.flags]


def without_braces(answer: str) -> tuple[str, list[str]]:
    """An answer, and what stood in braces in it."""
    return re.sub("[{}]", "", answer), re.findall("{(.*?)}", answer)
