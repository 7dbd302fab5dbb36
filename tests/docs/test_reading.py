"""docs/reading.md names every cause for which a page is not read."""

import re

from support.paths import ROOT

PAGE = (ROOT / "docs" / "reading.md").read_text("utf-8")
SOURCES = [
    path
    for folder in ("fetch", "parsing")
    for path in (ROOT / "websearch" / folder).glob("*.py")
]


def test_every_cause_has_its_row() -> None:
    """No detail code of reading is missing in the table, and none is invented."""
    source = "".join(path.read_text("utf-8") for path in SOURCES)
    raised = set(re.findall(r'detail_code="(\w+)"', source))
    kinds = set(re.findall(r'^    [A-Z_]+ = "(\w+)"$', source, re.MULTILINE)) - {"text"}
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))

    assert (raised | kinds) - rows == {"http_5xx"}
    assert rows - raised - kinds == {"bad_encoding"}  # of the network's inflater
