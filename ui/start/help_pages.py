"""Serve docs/ as pages of the app, for the links in its notices."""

import re
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
PAGES: Final = frozenset(page.stem for page in DOCS.glob("*.md"))

_OTHER_PAGE: Final = re.compile(r'href="([\w.-]+)\.md')
_NO_NAME: Final = re.compile(r"[^\w\- ]")
_FRAME: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="/public/help.css"></head>
<body><main>{body}</main></body></html>
"""


async def help_page(request: Request) -> Response:
    """Render one document of docs/ as HTML."""
    name = request.path_params["name"]
    if name not in PAGES:
        return PlainTextResponse("Not found", 404)
    source = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    # The documents are trusted; their anchors are HTML on purpose.
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(source)
    for heading, words in pairwise(tokens):
        if heading.type == "heading_open":  # its id, as GitHub names it
            anchor = _NO_NAME.sub("", words.content.lower()).replace(" ", "-")
            heading.attrSet("id", anchor)
    html = str(parser.renderer.render(tokens, parser.options, {}))
    body = _OTHER_PAGE.sub(r'href="\1', html)
    title = escape(source.partition("\n")[0].strip("# "))
    language = "zh-CN" if name.endswith("zh-CN") else "en"
    return HTMLResponse(_FRAME.format(language=language, title=title, body=body))


ROUTES: Final = (
    Mount("/help/images", StaticFiles(directory=DOCS / "images")),
    Route("/help/{name}", help_page),
)
