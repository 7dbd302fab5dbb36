"""docs/example-report.md is what a report of made pages is; `make docs` writes it."""

import os
import re

from support.paths import ROOT
from support.report.research_reports import reported
from support.report.research_web import made_pages, research_web
from support.world import world

from agent.research import as_markdown

FILE = ROOT / "docs" / "example-report.md"
QUESTION = (
    "How high is the Lintow Tower, when was it opened, what did it cost, "
    "and how many visitors does it have?"
)
HEAD = """\
> A finished [research report](research.md), written without a model.
> Tower, pages and addresses are made up: the tests serve them on this machine.

"""


async def test_example() -> None:
    """The document is the report of these pages, but for its addresses and seconds."""
    pages = [one for one in made_pages("tower") if one.kind != "raw"]
    with research_web(pages) as web:
        async with world(web=web) as w:
            run = await reported(w.without_model(), QUESTION)
            written = as_markdown(run.report)

    written = written.replace(web.server.url, "https://made.example")
    written = written.replace("`127.0.0.1 ", "`made.example ")
    written = HEAD + re.sub(r"\d+/180 seconds", "2/180 seconds", written)
    if "UPDATE_DOCS" in os.environ:
        FILE.write_text(written, "utf-8")
    assert FILE.read_text("utf-8") == written
